import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LawEvent, step } from '../../src/kernel/law/law.ts'
import type { Change, Clause } from '../../src/kernel/model/change.ts'
import { shownIn, shownSchema } from '../../src/kernel/model/shown.ts'
import { approvals, asStored, changeIn, outcome, party } from './sample.ts'

const people = ['ann', 'bob', 'cat', 'dan'] as const
const approvers: ReadonlySet<string> = new Set(['ann', 'bob', 'cat'])
const digests = ['0123456789abcdef', 'fedcba9876543210']

const clauses: fc.Arbitrary<Clause[]> = fc.oneof(
  fc.constant<Clause[]>([{ kind: 'confirm' }]),
  fc.integer({ min: 1, max: 3 }).map((count): Clause[] => [approvals(count, [])]),
  fc.constant<Clause[]>([approvals(2, []), approvals(1, ['finance'])]),
)
const by = fc
  .record({ person: fc.constantFrom(...people), platform: fc.constantFrom('slack', 'discord') })
  .map(({ person, platform }) => party(person, { platform, account: `${platform}-${person}` }))
const at = fc.integer({ min: 1_000, max: 110_000 })
const process = fc.constantFrom('process-1', 'process-2')
const reason = fc.constantFrom('', ' ', 'because')

const shown = fc
  .record({ digest: fc.constantFrom(...digests), edition: fc.constantFrom(1, 1, 2, 3) })
  .map((one) => shownSchema.parse(one))

/** An event, or one that takes the votes as they are by then. */
type Told = LawEvent | ((change: Change) => LawEvent)

const event: fc.Arbitrary<Told> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ by, shown, at }).map(voteOf) },
  fc
    .record({ by, shown, reason, at })
    .map((one) => ({ kind: 'reject' as const, ...one, ...rightOf(one.by) })),
  fc.record({ by, at }).map((one) => ({ kind: 'cancel' as const, ...one })),
  at.map((time) => ({ kind: 'expire' as const, at: time })),
  at.map((time) => ({ kind: 'void' as const, message: 'void', at: time })),
  at.map((time) => ({ kind: 'fail' as const, message: 'fail', at: time })),
  at.map((time) => ({ kind: 'lost' as const, message: 'lost', at: time })),
  fc
    .constantFrom('applied' as const, 'failed' as const, 'unknown' as const)
    .map((learned) => ({ kind: 'late' as const, learned, outcome: outcome('late') })),
  fc.record({ clauses, digest: fc.constantFrom(...digests), at }).map(askAgainOf),
  {
    weight: 4,
    arbitrary: fc.record({ process, at }).map(
      (one) =>
        (change: Change): LawEvent => ({
          kind: 'claim',
          weighed: asStored(change),
          clauses: change.clauses,
          ...one,
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ process, state: fc.constantFrom('applied', 'failed', 'unknown') })
      .map((one) => ({ kind: 'finish' as const, ...one, outcome: outcome('end') })),
  },
  fc
    .record({ by, shown, happened: fc.boolean(), reason, at })
    .map((one) => ({ kind: 'resolve' as const, others: 'Bob can.', ...one, ...rightOf(one.by) })),
)

function rightOf({ person }: { person: string }) {
  return { mayVote: approvers.has(person) }
}
function voteOf(one: Pick<Extract<LawEvent, { kind: 'vote' }>, 'by' | 'shown' | 'at'>): Told {
  return (change) => ({ kind: 'vote', weighed: asStored(change), ...one, ...rightOf(one.by) })
}
function askAgainOf(one: { clauses: Clause[]; digest: string; at: number }): LawEvent {
  const terms = { ...changeIn('pending'), ...one }
  return { kind: 'ask_again', terms, drift: { message: 'again', changes: [] }, at: one.at }
}

type Story = { change: Change; event: LawEvent }[]

/** What became of a change under events in any order, refused ones left out. */
const live = (requires: Clause[], events: readonly Told[]): Story => {
  const story: Story = []
  let change = changeIn('pending', { clauses: requires })
  for (const told of events) {
    const one = typeof told === 'function' ? told(change) : told
    const next = step(change, one)
    if (!next.ok) continue
    story.push({ change: next.value, event: one })
    change = next.value
  }
  return story
}

const stories = fc.tuple(clauses, fc.array(event, { minLength: 3, maxLength: 40 }))
const always = (check: (story: Story) => void) =>
  fc.assert(
    fc.property(stories, ([requires, events]) => check(live(requires, events))),
    { numRuns: 1_000 },
  )

it('no sequence of events reaches two applications, and one that is reached has enough distinct eligible approvers, none of them the requester', () => {
  let applications = 0
  always((story) => {
    const claims = story.filter(({ event: one }) => one.kind === 'claim')
    expect(claims.length).toBeLessThanOrEqual(1)
    applications += claims.length
    for (const { change } of claims) {
      const voters = change.votes.map((vote) => vote.by.person)
      expect(new Set(voters).size).toBe(voters.length)
      expect(change.votes.every(({ digest }) => digest === change.digest)).toBe(true)
      expect(change.votes.map((vote) => vote.shown)).toEqual(change.votes.map(() => shownIn(change)))
      const counts = change.clauses.flatMap((clause) => (clause.kind === 'approvals' ? clause.count : []))
      if (counts.length === 0) expect(voters).toEqual(['ann'])
      if (counts.length === 0) continue
      expect(voters).not.toContain('ann')
      expect(voters.every((person) => approvers.has(person))).toBe(true)
      expect(voters.length).toBeGreaterThanOrEqual(Math.max(...counts))
    }
  })
  expect(applications).toBeGreaterThan(0)
})
