import { z } from 'zod'
import type { Row } from './row.ts'
import { allRows, type NamedRow } from './tables.ts'

/** "body: product_id, page_title, plans, multiplan_list?"; of a row that is documented by path only, that it is not known. */
const shapeOf = (row: Row): string => {
  if (!row.shown) return row.method === 'GET' ? 'query not documented' : 'body not documented'
  const parts = (['query', 'body'] as const).flatMap((part) => {
    const names = row[part] === undefined ? [] : namesIn(row[part])
    return names.length === 0 ? [] : [`${part}: ${names.join(', ')}`]
  })
  return parts.length === 0 ? 'takes nothing' : parts.join('; ')
}

/** Every endpoint with what it does and what is known of its shape, a paragraph each. */
export const endpointsText = (): string =>
  [
    'Path values stand in {}. A name with a ? may be left out. What is not documented goes out as it is given.',
    ...allRows().map(
      ({ service, row }) =>
        `${service} ${row.method} ${row.path}\n  ${row.summary}\n  ${shapeOf(row)}${row.effect === 'once' ? '\n  never sent twice' : ''}`,
    ),
  ].join('\n\n')

/** One entry for each path, with all that can be done there; values that are typed already stand in their places. */
export const endpointsByPath = (typed = ''): { path: string; words: string }[] =>
  [...Map.groupBy(allRows(), ({ service, row }) => `${service} ${row.path}`).values()].map((rows) => {
    const { service, row } = rows[0] as NamedRow
    const methods = [...new Set(rows.map((one) => one.row.method))].join(', ')
    const path = withTyped(row.path, typed)
    return { path, words: `${path} (${service} ${methods})` }
  })

/** `/refund/pay_1` fills `/refund/{payment_id}`; a path that it does not fit stays as it is. */
const withTyped = (path: string, typed: string): string => {
  const given = typed.trim().split('/')
  const pieces = path.split('/').map((piece, at) => {
    const value = given[at]
    return value !== undefined && value !== '' && /^\{\w+\}$/.test(piece) ? value : piece
  })
  const filled = pieces.join('/')
  return filled.toLowerCase().startsWith(typed.trim().toLowerCase()) ? filled : path
}

const described = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
})

const namesIn = (schema: z.ZodType): string[] => {
  const { properties, required } = described.parse(
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  )
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
}
