import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clause } from '../../src/model/change.ts'
import { type Ballot, isSatisfied, progressOf, stageIn } from '../../src/policy/clauses.ts'

const everybody = ['ann', 'bob', 'cat', 'dan']
const roles = ['finance', 'cfo']
const someone = fc.constantFrom(...everybody)
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 })

const clause: fc.Arbitrary<Clause> = fc
  .record({
    kind: fc.constantFrom('approvals', 'approvals', 'approvals', 'confirm'),
    count: fc.constantFrom(1, 2),
    from: fc.subarray(roles),
    also: maybe(fc.constantFrom<string[]>(['cfo'])),
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

test('what counts for a clause, and whose turn it is, is as the rules say it', () => {
  const seen = new Set<string>()
  fc.assert(
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
    { numRuns: 2_000 },
  )
  expect([...seen].sort()).toEqual(
    [...Object.keys(against), 'it counts', 'somebody stands behind two votes'].sort(),
  )
})
