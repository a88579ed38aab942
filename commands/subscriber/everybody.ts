import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import type { Subscriber } from '../../packs/email/subscriber.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { joinedNamesParam } from '../../src/kernel/command/tags.ts'
import type { DataOf, InputOf } from '../../src/lib/services/client/client.ts'
import { allPages } from '../../src/lib/services/pages.ts'

const { status } = email.rows.findSubscribers.query.shape

/** The filters of subscriber find. */
export const filterParams = {
  lists: joinedNamesParam('a list').optional().describe('List names').meta({ kind: 'list', by: 'name' }),
  segments: joinedNamesParam('a segment').optional().describe('Segment names'),
  tags: joinedNamesParam('a tag').optional().describe('Tag names'),
  status: status.describe('Only subscribers with this status'),
  leadScoreMin: z.int().optional().describe('Lowest lead score'),
  leadScoreMax: z.int().optional().describe('Highest lead score'),
}

export const isScoreRange = ({
  leadScoreMin,
  leadScoreMax,
}: {
  leadScoreMin?: number | undefined
  leadScoreMax?: number | undefined
}) => leadScoreMin === undefined || leadScoreMax === undefined || leadScoreMin <= leadScoreMax

export const scoreRange = { path: ['leadScoreMax'], message: 'the highest lead score is below the lowest' }

export type Filters = Omit<NonNullable<InputOf<typeof email.rows.findSubscribers>['query']>, 'page' | 'limit'>

export type People = { people: Subscriber[]; suppressed: string[]; total: number | undefined }

const pageSize = 100

/** Links are learned of so many people; a link for each of a million would only fill the database. */
const heardPages = 20

/** Everybody who matches, a page at a time. */
export const everybody = (filters: Filters, context: Pick<ReadContext, 'email'>): AsyncGenerator<People> =>
  allPages(async (page) => {
    const query = { ...filters, page, limit: pageSize }
    const { data } = await context.email.findSubscribers({ query }, { unheard: page > heardPages })
    const people = data?.subscribers ?? []
    const { totalPages, totalItems, hasNextPage } = data?.pagination ?? {}
    const pages =
      totalPages ?? (typeof totalItems === 'number' ? Math.ceil(totalItems / pageSize) : undefined)
    const isLast = pages === undefined ? !(hasNextPage ?? people.length === pageSize) : page >= pages
    return {
      value: { people, suppressed: suppressedIn(data), total: totalItems ?? undefined },
      pages,
      isLast: isLast || people.length === 0,
    }
  })

/** What stands in the suppression list is not documented: addresses, or records with an address or an id. */
export const suppressedIn = (data: DataOf<typeof email.rows.findSubscribers> | undefined): string[] =>
  (data?.suppressionList ?? []).flatMap((entry) => {
    if (typeof entry === 'string') return [entry.toLowerCase()]
    if (typeof entry !== 'object' || entry === null) return []
    const { email: address, _id, subscriberId } = entry as Record<string, unknown>
    return [address, _id, subscriberId].flatMap((key) => (typeof key === 'string' ? [key.toLowerCase()] : []))
  })
