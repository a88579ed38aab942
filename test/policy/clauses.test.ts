import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addedTo,
  asksMore,
  type Ballot,
  ballotOf,
  clausesOf,
  combine,
  isConfirmOnly,
  isManagerless,
  isSatisfied,
  leastClause,
  needsOf,
  openClausesOf,
  openStageOf,
  partiesOf,
  progressOf,
  stageIn,
} from '../../src/kernel/law/clauses.ts'
import type { Clause } from '../../src/kernel/model/change.ts'
import { approvals, changeIn, party } from '../approvals/sample.ts'
import { assertUntil } from '../harness/assert-until.ts'

const everybody = ['ann', 'bob', 'cat', 'dan']
const roles = ['finance', 'cfo']
const someone = fc.constantFrom(...everybody)
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 })

const clause: fc.Arbitrary<Clause> = fc
  .record({
    kind: fc.constantFrom('approvals', 'approvals', 'approvals', 'confirm'),
    count: fc.constantFrom(1, 2),
    from: fc.subarray(roles),
    also: maybe(fc.constantFrom<string[]>(['cfo'], ['cfo', 'owner'])),
    people: maybe(
      fc.array(fc.record({ person: someone, as: fc.constantFrom('manager', 'asked') }), { maxLength: 2 }),
    ),
    stage: maybe(fc.constantFrom(1, 2)),
    sign: maybe(fc.constant('passkey')),
  })
  .map(({ kind, count, from, also, people, stage, sign }) => {
    const signed = sign === undefined ? {} : { sign }
    if (kind === 'confirm') return { kind, ...signed } as Clause
    const given = Object.fromEntries(
      Object.entries({ also, people, stage }).filter(([, value]) => value !== undefined),
    )
    return { kind, count, from, because: 'a rule', ...given, ...signed } as Clause
  })

const ballot: fc.Arbitrary<Ballot> = fc.record({
  requester: someone,
  changedBy: fc.subarray(everybody, { maxLength: 1 }),
  votes: fc.array(
    fc.record({
      person: someone,
      for: maybe(someone),
      mayApprove: fc.constantFrom(true, true, false),
      roles: fc.subarray(roles),
      stage: maybe(fc.constantFrom(1, 2)),
      isSigned: fc.boolean(),
    }),
    { maxLength: 5 },
  ),
})

type Vote = Ballot['votes'][number]

const behind = (vote: Vote): string[] => [vote.person, vote.for ?? vote.person]

/** Reasons why a vote says nothing to a clause, each a sentence of the rules. */
const against: Record<string, (one: Clause, vote: Vote, given: Ballot) => boolean> = {
  'where a signature is asked for, an unsigned vote is worth nothing': (one, vote) =>
    one.sign === 'passkey' && !vote.isSigned,
  'only who asks confirms, and in nobody else’s name': (one, vote, { requester }) =>
    one.kind === 'confirm' && (vote.person !== requester || vote.for !== undefined),
  'nobody behind the request approves it': (one, vote, { requester, changedBy = [] }) =>
    one.kind === 'approvals' && behind(vote).some((name) => [requester, ...changedBy].includes(name)),
  'each stage has votes of its own': (one, vote) =>
    one.kind === 'approvals' && one.stage !== undefined && one.stage !== vote.stage,
  'it takes a manager, or whoever may approve and is named or has a role that is asked for': (one, vote) => {
    if (one.kind === 'confirm') return false
    const own = vote.for === undefined ? one.people?.find(({ person }) => person === vote.person) : undefined
    if (own?.as === 'manager') return false
    const asked = [...one.from, ...(one.also ?? [])]
    const isAnybody = one.from.length === 0 && one.people === undefined
    const hasRole = isAnybody || (one.from.length > 0 && asked.some((role) => vote.roles.includes(role)))
    return !vote.mayApprove || !(own !== undefined || hasRole)
  },
}

test('what counts for a clause, and whose turn it is, is as the rules say it', async () => {
  const seen = new Set<string>()
  const all = [...Object.keys(against), 'it counts', 'somebody stands behind two votes']
  await assertUntil(
    fc.property(fc.array(clause, { minLength: 1, maxLength: 3 }), ballot, (clauses, given) => {
      const model = clauses.map((one) => {
        const counted: Vote[] = []
        for (const vote of given.votes) {
          const why = Object.keys(against).filter((sentence) => against[sentence]?.(one, vote, given))
          const isTaken = counted.flatMap(behind).some((name) => behind(vote).includes(name))
          if (why.length === 1) seen.add(String(why))
          if (why.length === 0) seen.add(isTaken ? 'somebody stands behind two votes' : 'it counts')
          if (why.length === 0 && !isTaken) counted.push(vote)
        }
        const needs = one.kind === 'confirm' ? 1 : one.count
        return {
          stage: one.kind === 'approvals' ? one.stage : undefined,
          people: counted.map(({ person }) => person),
          missing: Math.max(0, needs - counted.length),
        }
      })
      const first = model
        .filter(({ stage, missing }) => stage !== undefined && missing > 0)
        .map(({ stage }) => stage as number)
        .sort()[0]
      const isOpen = ({ stage, missing }: (typeof model)[number]) =>
        missing > 0 && (stage === undefined || stage === first)
      expect(progressOf(clauses, given)).toEqual(
        model.map((one, at) => ({
          clause: clauses[at],
          people: one.people,
          missing: one.missing,
          isOpen: isOpen(one),
        })),
      )
      expect(stageIn(clauses, given)).toBe(first)
      expect(isSatisfied(clauses, given)).toBe(model.every(({ missing }) => missing === 0))
    }),
    1_000,
    () => seen.size === all.length,
  )
  expect([...seen].sort()).toEqual(all.sort())
})

const lists = fc
  .array(clause, { maxLength: 5 })
  .map((some) =>
    some.map((one, at): Clause => (one.kind === 'confirm' ? one : { ...one, because: `rule ${at}` })),
  )

/** Whom a clause asks, when and how: two that say the same of it are one. */
const askedBy = (one: Clause): string =>
  one.kind === 'confirm'
    ? `confirm ${one.sign}`
    : [
        [...one.from].sort(),
        one.stage ?? 'any time',
        one.people ? `people ${one.people.map(({ person, as }) => `${person} ${as}`).sort()}` : 'anybody',
        one.sign,
      ].join('|')
const countOf = (one: Clause) => (one.kind === 'confirm' ? 1 : one.count)

test('of several lists all hold: for the same people the larger number, by the first that asks for it', () => {
  fc.assert(
    fc.property(lists, lists, (first, second) => {
      const all = [...first, ...second]
      const wanted = all.some(({ kind }) => kind === 'approvals')
        ? all.filter(({ kind }) => kind === 'approvals')
        : all
      const groups = [...Map.groupBy(wanted, askedBy).values()]
      const expected = groups.map((same) => {
        const most = Math.max(...same.map(countOf))
        const [stays] = same.filter((one) => countOf(one) === most) as [Clause]
        const also = new Set(same.flatMap((one) => (one.kind === 'approvals' ? (one.also ?? []) : [])))
        return also.size === 0 ? stays : { ...stays, also: [...also].sort() }
      })
      const result = combine(first, second)
      const sorted = (one: Clause) =>
        'also' in one && one.also ? { ...one, also: one.also.toSorted() } : one
      expect(result.map(sorted)).toEqual(expected)
      const before = new Set(first.map((one) => `${countOf(one)} ${askedBy(one)}`))
      const added = result.filter((one) => !before.has(`${countOf(one)} ${askedBy(one)}`))
      expect(addedTo(first, second)).toEqual(added)
      expect(asksMore(first, second)).toBe(added.length > 0)
    }),
    { numRuns: 1_000 },
  )
})

test.each<[Clause, string]>([
  [{ kind: 'confirm' }, 'a confirmation by the requester'],
  [{ kind: 'confirm', sign: 'passkey' }, 'a confirmation by the requester signed with a passkey'],
  [approvals(1, []), '1 approval'],
  [
    { ...approvals(2), stage: 2, sign: 'passkey' } as Clause,
    '2 approvals from finance signed with a passkey in stage 2',
  ],
  [{ ...approvals(1, []), also: ['cfo'] } as Clause, '1 approval'],
  [{ ...approvals(1, ['a', 'b']), also: ['b', 'c'] } as Clause, '1 approval from a or b or c'],
  [managed(1, [], 'manager'), '1 approval from Cat as manager'],
  [managed(1, ['cfo'], 'asked'), '1 approval from Cat or cfo'],
  [{ ...approvals(1, []), people: [] } as Clause, '1 approval from a manager, and there is none'],
])('%j is told as "%s"', (one, words) => {
  expect(needsOf(one)).toBe(words)
})

function managed(count: number, from: string[], as: 'manager' | 'asked'): Clause {
  return { ...approvals(count, from), people: [{ person: 'cat', name: 'Cat', as }] } as Clause
}

test('what a rule needs becomes clauses that say why, with the manager of whoever asks', () => {
  const need = { kind: 'approvals' as const, count: 1, from: ['manager', 'finance'] }
  const cat = { person: 'cat', name: 'Cat', as: 'manager' as const }
  const escalate = { afterMs: 5, to: ['cfo'] }
  expect(clausesOf([need, { kind: 'confirm' }], 'why')).toEqual([
    { ...need, because: 'why' },
    { kind: 'confirm' },
  ])
  expect(clausesOf([need], 'why', escalate, [cat])).toEqual([
    { ...need, from: ['finance'], because: 'why', people: [cat], escalate: [escalate] },
  ])
  expect(clausesOf([{ ...need, from: ['finance'] }], 'why', undefined, [cat])).toEqual([
    { ...need, from: ['finance'], because: 'why' },
  ])
})

test('who confirms alone, and who has no manager', () => {
  const none = { ...approvals(1, []), people: [] } as Clause
  const some = [none, approvals(1, []), { ...none, from: ['cfo'] } as Clause, managed(1, [], 'manager')]
  expect([...some, { kind: 'confirm' as const }].map(isManagerless)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
  expect(
    [[], [{ kind: 'confirm' as const }], [approvals(1), { kind: 'confirm' as const }]].map(isConfirmOnly),
  ).toEqual([false, true, false])
  expect(leastClause(undefined)).toEqual({ kind: 'confirm' })
  expect(leastClause('hers')).toEqual({ kind: 'approvals', count: 1, from: [], because: 'an agent asked' })
})

test('a vote is read with the roles of whom it is for, and what it was given by', () => {
  const by = party('bob', { roles: ['finance'] })
  const vote = { by, at: 1, digest: 'd' }
  const away = party('cat', { roles: ['cfo'] })
  const change = changeIn('pending', {
    clauses: [
      { ...approvals(1), stage: 1 } as Clause,
      { ...approvals(1, ['cfo']), stage: 2 } as Clause,
      approvals(2, []),
    ],
    votes: [
      { ...vote, stage: 1 },
      { ...vote, for: away, granted: true, signed: {} as never },
    ],
    changedBy: [party('dan')],
  })
  expect(ballotOf(change)).toEqual({
    requester: 'ann',
    changedBy: ['dan'],
    votes: [
      { person: 'bob', for: undefined, mayApprove: true, roles: ['finance'], stage: 1, isSigned: false },
      { person: 'bob', for: 'cat', mayApprove: false, roles: ['cfo'], stage: undefined, isSigned: true },
    ],
  })
  expect(ballotOf(changeIn('pending')).changedBy).toEqual([])
  expect(partiesOf(change.votes).map(({ person }) => person)).toEqual(['bob', 'bob', 'cat'])
  expect([openStageOf(change), openClausesOf(change)]).toEqual([2, change.clauses.slice(1)])
  const done = changeIn('pending', { votes: [vote] })
  expect([openStageOf(done), openClausesOf(done)]).toEqual([undefined, []])
})
