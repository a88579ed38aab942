import type { LaterForm, ServiceStanding } from '../../lib/services/endpoints/later.ts'
import type { Row } from '../../lib/services/endpoints/row.ts'
import { allRows, type NamedRow, type RowId, serviceTitle } from '../../lib/services/endpoints/tables.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { theirs } from '../../lib/view/outside.ts'
import type { AtService, Change } from './change.ts'

/** The row that was sent and how its service settles it; undefined where a newer pack knows it no longer. */
const sentRow = ({ row }: Pick<AtService, 'row'>): NamedRow | undefined =>
  allRows().find(({ id }) => id === row)

/** Which row reads how the service stands to it, what it takes, and how its answer says so. */
export const askRowOf = (
  known: AtService,
): { id: RowId; input: { params: Record<string, string> }; forms: readonly LaterForm[] } | undefined => {
  const sent = sentRow(known)
  const later: Row['later'] = sent?.row.later
  if (sent === undefined || later?.ask === undefined) return undefined
  const { row, by, says = later.says } = later.ask
  const named = allRows().find(({ service, name }) => service === sent.service && name === row)
  return named?.row.effect === 'read'
    ? { id: named.id, input: { params: { [by]: known.id } }, forms: says }
    : undefined
}

/** Whether the service can be asked how it stands. */
export const canAskService = ({ state, atService }: Pick<Change, 'state' | 'atService'>): boolean =>
  (state === 'held' || state === 'accepted') && atService !== undefined && askRowOf(atService) !== undefined

/** What is kept of it. */
export const atServiceOf = (
  { service, row }: Pick<AtService, 'service' | 'row'>,
  { id, said, link, by, at }: ServiceStanding,
  now: number,
): AtService => ({
  service,
  row,
  id,
  said,
  since: now,
  ...(at !== undefined && { saidAt: at }),
  ...(link !== undefined && { link }),
  ...(by !== undefined && { by }),
})

/** "Square says COMPLETED: paid back." The words of a service are its own, and bounded. */
export const standingWords = (
  { service }: Pick<AtService, 'service'>,
  { said, why }: ServiceStanding,
): string =>
  `${serviceTitle(service)} says ${theirs(said, maxWord)}${why === undefined ? '' : `: ${theirs(withoutAtEnd(why, '.'), maxWhy)}`}.`

const maxWord = 60
const maxWhy = 200
