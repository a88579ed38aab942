import { rowFor } from '../../src/lib/services/endpoints/routes.ts'
import { allRows, allServices, type NamedRow } from '../../src/lib/services/endpoints/tables.ts'
import { didYouMean } from '../../src/lib/view/did-you-mean.ts'
import { methods } from './about.ts'

const most = 5

/**
 * Suggestions for an unknown endpoint: the same path with another method or service, then paths that start
 * the same way.
 */
export const nearTo = (service: string, method: string, pathname: string): string[] => {
  const elsewhere = [
    service,
    ...allServices().flatMap(({ name }) => (name === service ? [] : [name])),
  ].flatMap((name) =>
    [method, ...methods().filter((one) => one !== method)].flatMap((verb) => {
      const route = rowFor(name as NamedRow['service'], verb, pathname)
      return route === undefined ? [] : [`${name} ${verb} ${route.row.path}`]
    }),
  )
  const own = allRows().filter((named) => named.service === service)
  const first = didYouMean(firstOf(pathname), [...new Set(own.map(({ row }) => firstOf(row.path)))])
  const alike = own
    .filter(({ row }) => firstOf(row.path) === first)
    .toSorted((one, other) => likeness(other, method, pathname) - likeness(one, method, pathname))
    .map(({ row }) => `${service} ${row.method} ${row.path}`)
  return [...new Set([...elsewhere, ...alike])].slice(0, most)
}

const firstOf = (path: string): string => path.split('/')[1] ?? ''

/** How similar two endpoints are: matching path segments first, then the method, then the length. */
const likeness = ({ row }: NamedRow, method: string, pathname: string): number => {
  const pieces = pathname.split('/')
  const wanted = row.path.split('/')
  const agreeing = wanted.filter((piece, at) => piece === pieces[at]).length
  return 2 * agreeing + (row.method === method ? 1 : 0) - Math.abs(wanted.length - pieces.length)
}
