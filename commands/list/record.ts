import type { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { count, part, record, text } from '../../src/lib/services/endpoints/answer-fields.ts'
import { ifReadable, isRecord, type OpenRecord, recordsIn } from '../../src/lib/services/read-answer.ts'
import { when } from '../../src/lib/view/format.ts'
import { formatNumber as figure } from '../../src/lib/view/format-number.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, table } from '../../src/lib/view/view.ts'

const counts = { totalSubscribers: count, unsubscribedCount: count, engagedCount: count }

/** A list as it is created, as it appears in the statistics, or as the undocumented reads return it. */
const open = record({
  id: text,
  _id: text,
  name: text,
  listName: text,
  count,
  ...counts,
  counts: part({ ...counts, lastUpdated: text }),
  createdAt: text,
  updatedAt: text,
})

export type List = ReturnType<typeof toList>

export const toList = (value: OpenRecord) => {
  const one: z.infer<typeof open> = open.parse(value)
  return {
    id: one.id ?? one._id ?? '',
    name: one.name ?? one.listName ?? '',
    subscribers: one.count ?? one.counts?.totalSubscribers ?? one.totalSubscribers ?? undefined,
    unsubscribed: one.counts?.unsubscribedCount ?? one.unsubscribedCount ?? undefined,
    engaged: one.counts?.engagedCount ?? one.engagedCount ?? undefined,
    createdAt: one.createdAt ?? undefined,
    updatedAt: one.updatedAt ?? one.counts?.lastUpdated ?? undefined,
  }
}

/**
 * The endpoints that read lists are not documented; if they return nothing, the documented statistics name
 * every list.
 */
export const readLists = async ({ email }: Pick<ReadContext, 'email'>): Promise<List[]> => {
  const lists = recordsIn((await ifReadable(email.findLists()))?.data, 'lists').map(toList)
  if (lists.some(({ id, name }) => id !== '' && name !== '')) return lists
  return ((await ifReadable(email.subscriberStats()))?.data?.listWiseCounts ?? []).map(toList)
}

export type Group = { label: string; members: List[] }

/** Lists and segments, as far as the service distinguishes them. */
export const groupsIn = (data: unknown): Group[] => {
  const inner = isRecord(data) && isRecord(data.data) ? data.data : data
  const named = isRecord(inner) ? Object.entries(inner).filter(([, value]) => Array.isArray(value)) : []
  if (named.length === 0) return [{ label: 'lists and segments', members: recordsIn(inner).map(toList) }]
  return named.map(([label, value]) => ({ label, members: recordsIn(value).map(toList) }))
}

/** Segments look like lists, but no command takes one by its id. */
export const listTable = (lists: readonly List[], ofKind?: 'list'): Block => {
  const isDated = lists.some(({ updatedAt }) => updatedAt !== undefined)
  const isDetailed = lists.some(
    ({ unsubscribed, engaged }) => unsubscribed !== undefined || engaged !== undefined,
  )
  return table(
    [
      'Name',
      'Subscribers#',
      ...(isDetailed ? ['Unsubscribed#', 'Engaged#'] : []),
      ofKind === undefined ? 'Id' : 'Id+',
      ...(isDated ? ['Updated+'] : []),
    ],
    lists.map((one) => [
      one.name,
      shown(one.subscribers),
      ...(isDetailed ? [shown(one.unsubscribed), shown(one.engaged)] : []),
      one.id,
      ...(isDated ? [when(one.updatedAt) ?? ''] : []),
    ]),
    ofKind === undefined ? [] : lists.map(({ id, name }) => thing(ofKind, id, { name })),
  )
}

export const shown = (count: number | undefined): string => (count === undefined ? '' : figure(count))

export const isSameName = (one: string, other: string): boolean => key(one) === key(other)

const key = (name: string) => name.normalize('NFC').trim().toLowerCase()
