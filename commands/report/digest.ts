import { z } from 'zod'
import { statusOf } from '../../src/approvals/card.ts'
import { purposeOf } from '../../src/audit/figures.ts'
import { csvLine } from '../../src/bulk/csv.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import type { Change } from '../../src/model/change.ts'
import { isConfirmOnly } from '../../src/policy/clauses.ts'
import { plural } from '../../src/view/button-labels.ts'
import { fewNames } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, facts, note, table } from '../../src/view/view.ts'
import { plainWords } from '../../src/view/words.ts'
import { comparison, isRefund, refundedIn, refundedWords } from './refunds.ts'
import { spanWords, windowOf, windowParams } from './window.ts'

const mostRows = 20
/** More than a team leaves open. */
const mostOpen = 2_000

export const reportDigest = defineQuery({
  name: 'report digest',
  title: 'Report what waits',
  summary: 'What waits and for whom, what is unknown, and what was refunded lately',
  area: 'bellhop',
  isLong: true,
  input: z.object(windowParams),
  examples: ['report digest', 'report digest --since 7d'],
  uses: [],
  async run(given, { records, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone }, '24h')
    if (!window.ok) return window
    const open = (states: Parameters<typeof records.changes>[0]['states'] & object) =>
      records.changes({ states, limit: mostOpen, page: 1 })
    const waiting = await open(['pending', 'approved'])
    const unknown = await open(['unknown'])
    const decidersOf = await records.deciders()
    const { since, before } = window.value
    const refunds = (await records.audit.changes(before.since)).filter(isRefund)
    const refunded = refundedIn(refunds, window.value)
    const earlier = refundedIn(refunds, { since: before.since, until: since - 1 })
    return answer(
      {
        kind: 'report',
        title: sentenceOf(waiting, unknown, now),
        tone: unknown.length > 0 ? 'warn' : 'plain',
        blocks: [
          ...(waiting.length === 0 ? [] : [waitingTable(waiting, decidersOf, now)]),
          ...(unknown.length === 0
            ? []
            : [
                note(
                  'bad',
                  `Nobody knows what came of ${plural(unknown.length, 'change')}. Look it up in the service, then record it with approval resolve.`,
                ),
                waitingTable(unknown, decidersOf, now),
              ]),
          facts({
            Time: window.value.words,
            Refunded: `${refundedWords(refunded)}${comparison(refunded, earlier, window.value)}`,
          }),
        ],
      },
      { file: { name: 'digest.csv', type: 'text/csv', content: csvOf([...waiting, ...unknown], now) } },
    )
  },
})

/** "3 requests wait, the oldest for 2 h 5 m, and 1 has an unknown outcome" */
const sentenceOf = (waiting: readonly Change[], unknown: readonly Change[], now: number): string => {
  const oldest = Math.min(...waiting.map(({ createdAt }) => createdAt))
  const age =
    waiting.length === 0 ? '' : `, ${waiting.length === 1 ? '' : 'the oldest '}for ${spanWords(now - oldest)}`
  const open =
    waiting.length === 0
      ? 'Nothing waits'
      : `${plural(waiting.length, 'request')} ${waiting.length === 1 ? 'waits' : 'wait'}${age}`
  return unknown.length === 0
    ? open
    : `${open}${waiting.length === 0 ? '' : ','} and ${unknown.length} ${unknown.length === 1 ? 'has' : 'have'} an unknown outcome`
}

/** What, for whom it waits, and how long it has. */
type DecidersOf = (change: Change) => string[]

const waitingTable = (changes: readonly Change[], decidersOf: DecidersOf, now: number): Block =>
  table(
    ['What', 'Asked by', 'Waits for', 'How long'],
    oldestFirst(changes).map((change) => [
      change.preview.title,
      change.requester.name,
      waitsFor(change, decidersOf, now),
      spanWords(now - change.createdAt),
    ]),
    oldestFirst(changes).map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )

const oldestFirst = (changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => one.createdAt - other.createdAt).slice(0, mostRows)

const waitsFor = (change: Change, decidersOf: DecidersOf, now: number): string => {
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
