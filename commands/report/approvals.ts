import { z } from 'zod'
import type { CountedChange } from '../../src/features/reports/figures.ts'
import { reports } from '../../src/features/reports/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { isAtService } from '../../src/kernel/model/change.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money } from '../../src/lib/view/format.ts'
import { type Block, chart, facts, table, text } from '../../src/lib/view/view.ts'
import {
  approversOf,
  comparedWords,
  grouped,
  medianOf,
  notesOnUnseen,
  spanWords,
  type Window,
  windowOf,
  windowParams,
} from './window.ts'

export const reportApprovals = defineQuery({
  name: 'report approvals',
  title: 'Report approvals',
  summary: 'Count what was asked, approved, rejected and expired, and how long it took',
  area: 'bellhop',
  isLong: true,
  input: z.object(windowParams),
  examples: ['report approvals --since 30d', 'report approvals --month 2026-10'],
  uses: [],
  async run(given, { of, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone })
    if (!window.ok) return window
    const { since, before } = window.value
    const all = (await of(reports).changes(before.since)).filter(({ neededApproval }) => neededApproval)
    const asked = askedIn(all, window.value)
    const earlier = askedIn(all, { since: before.since, until: since - 1 })
    const counts = countsOf(asked)
    const waits = waitsOf(asked)
    return answer(
      {
        kind: 'report',
        title: `${sentenceOf(counts)}${comparedWords(asked.length, earlier.length, window.value, { isCount: true })}`,
        tone: 'plain',
        blocks: [
          facts({
            Time: window.value.words,
            'Before that': sentenceOf(countsOf(earlier)),
            'Approved in advance': inAdvanceIn(asked),
            'Half of them decided within': waits.length === 0 ? undefined : spanWords(medianOf(waits)),
            'The longest took': waits.length === 0 ? undefined : spanWords(Math.max(...waits)),
          }),
          ...(asked.length === 0
            ? [text('Nothing was asked for in this time.')]
            : [chart('What became of requests', 'bar', counts), byRule(asked), byPerson(asked)]),
          ...notesOnUnseen(asked),
        ],
        footer: 'Worked out from the audit log: audit export has every entry.',
      },
      { file: { name: 'approvals.csv', type: 'text/csv', content: csvOf(asked) } },
    )
  },
})

const askedIn = (
  changes: readonly CountedChange[],
  { since, until }: Pick<Window, 'since' | 'until'>,
): CountedChange[] => changes.filter(({ askedAt }) => askedAt >= since && askedAt <= until)

/** "12 requests, 10 approved, 1 rejected": what did not happen is left out. */
const sentenceOf = ({ Asked, ...ends }: ReturnType<typeof countsOf>): string =>
  [
    plural(Asked, 'request'),
    ...Object.entries(ends).flatMap(([state, count]) =>
      count === 0 ? [] : [`${count} ${state === 'Unknown' ? 'of unknown outcome' : state.toLowerCase()}`],
    ),
  ].join(', ')

/** How many of them were approved so that nobody looked at each, for how much, and whose yes it was. */
const inAdvanceIn = (changes: readonly CountedChange[]): string | undefined => {
  const some = changes.filter(
    ({ decision, votes }) =>
      decision?.state === 'approved' && votes.some(({ isInAdvance }) => isInAdvance === true),
  )
  if (some.length === 0) return undefined
  const sums = Map.groupBy(
    some.filter(({ amount }) => amount !== null),
    ({ currency }) => currency,
  )
  const words = [...sums].map(([code, all]) =>
    money(
      all.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
      { code },
    ),
  )
  const givers = new Set(
    some.flatMap(({ votes }) => votes.flatMap(({ isInAdvance, name }) => (isInAdvance ? name : []))),
  )
  return [`${some.length} of ${changes.length}`, ...words, `by ${[...givers].join(', ')}`].join(', ')
}

const countsOf = (changes: readonly CountedChange[]) => {
  const among = (isSo: (one: CountedChange) => boolean) => changes.filter(isSo).length
  return {
    Asked: changes.length,
    Approved: among(({ decision }) => decision?.state === 'approved'),
    Rejected: among(({ decision }) => decision?.state === 'rejected'),
    Expired: among(({ state }) => state === 'expired'),
    Unknown: among(({ state }) => state === 'unknown'),
    'With the service': among(({ state }) => isAtService(state)),
  }
}

/** How long each one that was decided had waited. */
const waitsOf = (changes: readonly CountedChange[]): number[] =>
  changes.flatMap(({ decision, askedAt }) => (decision === undefined ? [] : decision.at - askedAt))

const byRule = (changes: readonly CountedChange[]): Block =>
  table(
    ['Rule', 'Asked#', 'Approved#', 'Half within'],
    grouped(changes, ({ rule }) => rule).map(([rule, some]) => [
      rule,
      String(some.length),
      String(countsOf(some).Approved),
      spanWords(medianOf(waitsOf(some))),
    ]),
  )

/** What each person asked for, and how they voted. */
const byPerson = (changes: readonly CountedChange[]): Block => {
  const votes = changes.flatMap(({ votes: all }) => all)
  const names = new Map([
    ...changes.map(({ requester }) => [requester.person, requester.name] as const),
    ...votes.map(({ person, name }) => [person, name] as const),
  ])
  return table(
    ['Person', 'Asked#', 'Voted yes#', 'Voted no#'],
    [...names].map(([person, name]) => {
      const own = votes.filter((vote) => vote.person === person)
      return [
        name,
        String(changes.filter(({ requester }) => requester.person === person).length),
        String(own.filter(({ isYes }) => isYes).length),
        String(own.filter(({ isYes }) => !isYes).length),
      ]
    }),
  )
}

const csvOf = (changes: readonly CountedChange[]): string =>
  csvLine([
    'change',
    'command',
    'rule',
    'requester',
    'requester_name',
    'asked_at',
    'decision',
    'decided_at',
    'seconds',
    'state',
    'payment',
    'approvers',
    'amount',
    'currency',
    'in_advance',
  ]) +
  changes
    .filter(({ isSeen }) => isSeen)
    .map(({ id, command, rule, requester, askedAt, decision, state, target, votes, amount, currency }) =>
      csvLine([
        id,
        command,
        rule,
        requester.person,
        requester.name,
        new Date(askedAt).toISOString(),
        decision?.state,
        decision === undefined ? undefined : new Date(decision.at).toISOString(),
        decision === undefined ? undefined : (decision.at - askedAt) / 1000,
        state,
        target,
        approversOf(votes),
        amount,
        currency,
        votes.some(({ isInAdvance }) => isInAdvance === true) ? 'yes' : 'no',
      ]),
    )
    .join('')
