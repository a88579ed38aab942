import { z } from 'zod'
import type { CountedChange } from '../../src/audit/figures.ts'
import { csvLine } from '../../src/bulk/csv.ts'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { type Block, chart, facts, table, text } from '../../src/view/view.ts'
import { grouped, medianOf, notesOnUnseen, spanWords, windowOf, windowParams } from './window.ts'

export const reportApprovals = defineQuery({
  name: 'report approvals',
  title: 'Report approvals',
  summary: 'Count what was asked, approved, rejected and expired, and how long it took',
  area: 'bellhop',
  isLong: true,
  input: z.object(windowParams),
  examples: ['report approvals --since 30d'],
  uses: [],
  async run(given, { records, now, past, zone }) {
    const window = await windowOf(given, { now, past, zone })
    if (!window.ok) return window
    const { since, until } = window.value
    const asked = (await records.audit.changes(since)).filter(
      ({ askedAt, neededApproval }) => neededApproval && askedAt >= since && askedAt <= until,
    )
    const counts = countsOf(asked)
    const waits = waitsOf(asked)
    return answer(
      {
        title: `Approvals: ${counts.Asked} asked, ${counts.Approved} approved, ${counts.Rejected} rejected`,
        tone: 'plain',
        blocks: [
          facts({
            Time: window.value.words,
            ...counts,
            'Time to decision, median': spanWords(medianOf(waits)),
            'Time to decision, worst': waits.length === 0 ? undefined : spanWords(Math.max(...waits)),
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

const countsOf = (changes: readonly CountedChange[]) => {
  const among = (isSo: (one: CountedChange) => boolean) => changes.filter(isSo).length
  return {
    Asked: changes.length,
    Approved: among(({ decision }) => decision?.state === 'approved'),
    Rejected: among(({ decision }) => decision?.state === 'rejected'),
    Expired: among(({ state }) => state === 'expired'),
    Unknown: among(({ state }) => state === 'unknown'),
  }
}

/** How long each one that was decided had waited. */
const waitsOf = (changes: readonly CountedChange[]): number[] =>
  changes.flatMap(({ decision, askedAt }) => (decision === undefined ? [] : decision.at - askedAt))

const timesOf = (waits: readonly number[]): [string, string] => [
  spanWords(medianOf(waits)),
  waits.length === 0 ? '' : spanWords(Math.max(...waits)),
]

const byRule = (changes: readonly CountedChange[]): Block =>
  table(
    ['Rule', 'Asked#', 'Approved#', 'Rejected#', 'Expired#', 'Unknown#', 'Median', 'Worst'],
    grouped(changes, ({ rule }) => rule).map(([rule, some]) => [
      rule,
      ...Object.values(countsOf(some)).map(String),
      ...timesOf(waitsOf(some)),
    ]),
  )

/** What each person asked for, how they voted, and how long requests had waited for their votes. */
const byPerson = (changes: readonly CountedChange[]): Block => {
  const votes = changes.flatMap(({ votes: all, askedAt }) =>
    all.map((vote) => ({ ...vote, waited: vote.at - askedAt })),
  )
  const names = new Map([
    ...changes.map(({ requester }) => [requester.person, requester.name] as const),
    ...votes.map(({ person, name }) => [person, name] as const),
  ])
  return table(
    ['Person', 'Asked#', 'Approved#', 'Rejected#', 'Median', 'Worst'],
    [...names].map(([person, name]) => {
      const own = votes.filter((vote) => vote.person === person)
      return [
        name,
        String(changes.filter(({ requester }) => requester.person === person).length),
        String(own.filter(({ isYes }) => isYes).length),
        String(own.filter(({ isYes }) => !isYes).length),
        ...timesOf(own.map(({ waited }) => waited)),
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
    'asked_at',
    'decision',
    'decided_at',
    'seconds',
    'state',
  ]) +
  changes
    .filter(({ isSeen }) => isSeen)
    .map(({ id, command, rule, requester, askedAt, decision, state }) =>
      csvLine([
        id,
        command,
        rule,
        requester.person,
        new Date(askedAt).toISOString(),
        decision?.state,
        decision === undefined ? undefined : new Date(decision.at).toISOString(),
        decision === undefined ? undefined : (decision.at - askedAt) / 1000,
        state,
      ]),
    )
    .join('')
