import { useKinds } from '../../things/kinds.ts'
import type { Guesses, GuessForm, GuessForms } from './guesses.ts'
import type { Row, Service, ServiceName, Tables } from './row.ts'

export type RowId = {
  [N in ServiceName]: `${N}.${keyof Tables[N]['rows'] & string}`
}[ServiceName]

export type NamedRow = { id: RowId; service: ServiceName; name: string; row: Row }

/** A process talks to one set of services: what starts it says which, once, before anything asks. */
let inUse: readonly Service[] = []
let named: readonly NamedRow[] = []
let byId: ReadonlyMap<string, NamedRow> = new Map()

export const useServices = (services: readonly Service[]): void => {
  inUse = services
  named = services.flatMap((service) =>
    Object.entries(service.rows).map(([name, row]) => ({
      id: `${service.name}.${name}` as RowId,
      service: service.name as ServiceName,
      name,
      row,
    })),
  )
  byId = new Map(named.map((one) => [one.id, one]))
  useKinds(Object.assign({}, ...services.map(({ kinds }) => kinds)))
}

export const allServices = (): readonly Service[] => inUse

export const serviceNamed = (name: string): Service => {
  const found = inUse.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no service ${name}`)
  return found
}

/** As people call it: "Stripe". */
export const serviceTitle = (name: string): string => inUse.find((one) => one.name === name)?.title ?? name

/** "the messaging service" */
export const serviceWords = (name: string): string =>
  `the ${inUse.find((one) => one.name === name)?.title.toLowerCase() ?? name} service`

export const allRows = (): readonly NamedRow[] => named

export const rowById = (id: RowId): NamedRow => {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`there is no row ${id}`)
  return found
}

/** Every noun that a row belongs to. */
export const rowNouns = (): string[] => [...new Set(named.map(({ row }) => row.noun))]

/** Whether one of these rows moves money. */
export const isMoneyIn = (ids: readonly RowId[]): boolean =>
  ids.some((id) => byId.get(id)?.row.movesMoney !== undefined)

export const guessForms = (): GuessForms => Object.assign({}, ...inUse.map(({ guesses }) => guesses))

/** The form of each guessed field where nobody chose another. */
export const defaultGuesses = (): Guesses =>
  Object.fromEntries(
    Object.entries(guessForms()).map(([field, [first]]): [string, GuessForm] => [field, first]),
  ) as Guesses
