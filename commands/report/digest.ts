import { z } from 'zod'
import { reports } from '../../src/features/reports/index.ts'
import { statusOf } from '../../src/kernel/cards/card.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { isConfirmOnly } from '../../src/kernel/law/clauses.ts'
import { type Change, isAtService } from '../../src/kernel/model/change.ts'
import { purposeOf } from '../../src/kernel/model/purpose.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { countWords, type Some } from '../../src/lib/some.ts'
import { fewNames } from '../../src/lib/view/format.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts, note, table } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { comparison, isRefund, refundedIn, refundedWords } from './refunds.ts'
import { spanWords, windowOf, windowParams } from './window.ts'

const maxRows = 20
/** More than a team leaves open. */
const maxOpen = 2_000

export const reportDigest = defineQuery({
  name: 'report digest',
  title: 'Report what waits',
  summary: 'What waits and for whom, what is unknown, and what was refunded lately',
  area: 'bellhop',
  isLong: true,
  input: z.object(windowParams),
  examples: ['report digest', 'report digest --since 7d'],
  uses: [],
  async run(given, { records, of, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone }, '24h')
    if (!window.ok) return window
    const open = (states: Parameters<typeof records.changes>[0]['states'] & object) =>
      records.changes({ states, limit: maxOpen, page: 1 })
    const waits = await open(['pending', 'approved'])
    const unknowns = await open(['unknown'])
    const atService = await open(['held', 'accepted'])
    const [waiting, unknown] = [waits.items, unknowns.items]
    const decidersOf = await records.deciders()
    const { since, before } = window.value
    const refunds = (await of(reports).changes(before.since)).filter(isRefund)
    const refunded = refundedIn(refunds, window.value)
    const earlier = refundedIn(refunds, { since: before.since, until: since - 1 })
    return answer(
      {
        kind: 'report',
        title: sentenceOf(waits, unknowns, now),
        tone: unknown.length > 0 ? 'warn' : 'plain',
        blocks: [
          ...(waiting.length === 0 ? [] : waitingTable(waits, decidersOf, now)),
          ...(unknown.length === 0
            ? []
            : [
                note(
                  'bad',
                  `Nobody knows what came of ${counted(unknowns, 'change')}. Look it up in the service, then record it with approval resolve.`,
                ),
                ...waitingTable(unknowns, decidersOf, now),
              ]),
          ...(atService.items.length === 0
            ? []
            : [
                note('plain', `${counted(atService, 'change')} not settled by the service yet.`),
                ...waitingTable(atService, decidersOf, now),
              ]),
          facts({
            Time: window.value.words,
            Refunded: `${refundedWords(refunded)}${comparison(refunded, earlier, window.value)}`,
          }),
        ],
      },
      {
        file: {
          name: 'digest.csv',
          type: 'text/csv',
          content: csvOf([...waiting, ...unknown, ...atService.items], now),
        },
      },
    )
  },
})

/** "3 requests wait, the oldest for 2 h 5 m, and 1 has an unknown outcome" */
const sentenceOf = (waits: Some<Change>, unknowns: Some<Change>, now: number): string => {
  const [waiting, unknown] = [waits.items, unknowns.items]
  const oldest = Math.min(...waiting.map(({ createdAt }) => createdAt))
  const age =
    waiting.length === 0 ? '' : `, ${waiting.length === 1 ? '' : 'the oldest '}for ${spanWords(now - oldest)}`
  const open =
    waiting.length === 0
      ? 'Nothing waits'
      : `${counted(waits, 'request')} ${waiting.length === 1 ? 'waits' : 'wait'}${age}`
  return unknown.length === 0
    ? open
    : `${open}${waiting.length === 0 ? '' : ','} and ${countWords(unknowns)} ${unknown.length === 1 ? 'has' : 'have'} an unknown outcome`
}

/** What, for whom it waits, and how long it has. */
type DecidersOf = (change: Change) => string[]

const waitingTable = (found: Some<Change>, decidersOf: DecidersOf, now: number): Block[] => {
  const changes = found.items
  const rows = table(
    ['What', 'Asked by', 'Waits for', 'How long'],
    oldestFirst(changes).map((change) => [
      change.preview.title,
      change.requester.name,
      waitsFor(change, decidersOf, now),
      spanWords(now - change.createdAt),
    ]),
    oldestFirst(changes).map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )
  return changes.length <= maxRows
    ? [rows]
    : [
        rows,
        note('plain', `These are the oldest ${maxRows} of ${countWords(found)}: the file has the others.`),
      ]
}

const counted = (found: Some<unknown>, one: string): string =>
  `${countWords(found)} ${found.items.length === 1 ? one : `${one}s`}`

const oldestFirst = (changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => one.createdAt - other.createdAt).slice(0, maxRows)

const waitsFor = (change: Change, decidersOf: DecidersOf, now: number): string => {
  if (isAtService(change.state)) return plainWords(statusOf(change, now))
  const isUnknown = change.state === 'unknown'
  if (change.state === 'approved' && change.holdUntil !== undefined)
    return 'Its time: it is approved for later.'
  if (!isUnknown && (change.state === 'approved' || isConfirmOnly(change.clauses)))
    return plainWords(statusOf(change, now))
  const who = fewNames(decidersOf(change), '')
  const what = isUnknown ? 'Somebody who may approve it.' : plainWords(statusOf(change, now))
  return who === '' ? what : `${what} ${who}`
}

const csvOf = (changes: readonly Change[], now: number): string =>
  csvLine([
    ...['change', 'state', 'what', 'requester', 'requester_name', 'payment', 'approvers'],
    ...['amount', 'currency', 'waiting_seconds'],
  ]) +
  changes
    .map(({ id, state, preview, requester, amount, currency, createdAt, plan, votes }) =>
      csvLine([
        id,
        state,
        preview.title,
        requester.person,
        requester.name,
        purposeOf(plan).target,
        [...new Set(votes.map(({ by }) => by.name))].join(', '),
        amount,
        currency,
        Math.round((now - createdAt) / 1000),
      ]),
    )
    .join('')
