import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Clause } from '../../src/model/change.ts'
import { clausesOf, combine, isSatisfied } from '../../src/policy/clauses.ts'
import { evaluate, type PolicyInput } from '../../src/policy/evaluate.ts'
import { formatProblems, loadPolicy } from '../../src/policy/file/load.ts'
import type { AmountRange, Budget, Need, Policy, Rule } from '../../src/policy/policy.ts'
import { platforms } from '../harness/platforms.ts'
import { exampleFile, policyOf } from './example.ts'
import { knownCommands } from './known-commands.ts'

const roles = ['support', 'finance', 'owner']
const patterns = ['*', 'refund', 'refund *', 'campaign *', 'campaign send', 'list create', 'upgrade']
const needs: fc.Arbitrary<Need[]> = fc.array(
  fc.oneof(
    fc.constant({ kind: 'confirm' as const }),
    fc.record({
      kind: fc.constant('approvals' as const),
      count: fc.integer({ min: 1, max: 4 }),
      from: fc.subarray(roles),
    }),
  ),
  { maxLength: 3 },
)
const clauses: fc.Arbitrary<Clause[]> = needs.map((some) => clausesOf(some, 'a rule'))
const cents = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 100)
const range: fc.Arbitrary<AmountRange> = fc.oneof(
  cents.map((upTo) => ({ upTo })),
  cents.map((over) => ({ over })),
  fc.tuple(cents, cents).map(([a, b]) => ({ from: Math.min(a, b), upTo: Math.max(a, b) })),
)
const commands = fc.subarray(patterns, { minLength: 1 })
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ name: fc.uuid(), commands, require: needs }),
  fc.record({ name: fc.uuid(), commands, require: needs, amount: range }),
)
const budget: fc.Arbitrary<Budget> = fc.record({
  // biome-ignore lint/suspicious/noThenProperty: it is the file's word
  then: needs,
  name: fc.uuid(),
  commands,
  per: fc.constantFrom('requester' as const, 'everyone' as const),
  windowMs: fc.constant(3_600_000),
  limit: cents,
})
const base = policyOf(exampleFile)
const policy: fc.Arbitrary<Policy> = fc
  .record({
    policies: fc.array(rule, { maxLength: 6 }),
    budgets: fc.array(budget, { maxLength: 3 }),
    duplicates: fc.constantFrom(null, { windowMs: 1000 }),
  })
  .map((some) => ({ ...base, ...some }))
const ask: fc.Arbitrary<PolicyInput> = fc
  .record({
    names: fc.constantFrom(
      ['refund'],
      ['api call', 'refund'],
      ['campaign send'],
      ['list create'],
      ['freeze'],
    ),
    area: fc.constantFrom('email' as const, 'chat' as const, 'billing' as const, 'bellhop' as const),
    amount: fc.option(cents),
    sum: cents,
    duplicates: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ sum, ...rest }) => ({ ...rest, spent: () => sum }))
const votes = fc.array(
  fc.record({
    person: fc.constantFrom('sam', 'fay', 'finn', 'ona', 'olu', 'ida'),
    mayApprove: fc.boolean(),
    roles: fc.subarray(roles),
  }),
)

it('what stands after the rule that decides changes nothing', () => {
  fc.assert(
    fc.property(policy, ask, fc.array(rule, { maxLength: 3 }), (some, given, later) => {
      const decided = evaluate(some, given)
      fc.pre(given.names.length === 1 && some.policies.some(({ name }) => name === decided.rule))
      const upTo = some.policies.findIndex(({ name }) => name === decided.rule) + 1
      expect(evaluate({ ...some, policies: [...some.policies.slice(0, upTo), ...later] }, given)).toEqual(
        decided,
      )
    }),
  )
})

it('what stands before the rule that decides does not match on its own', () => {
  fc.assert(
    fc.property(policy, ask, (some, given) => {
      fc.pre(given.names.length === 1)
      const at = some.policies.findIndex(({ name }) => name === evaluate(some, given).rule)
      for (const before of some.policies.slice(0, Math.max(at, 0))) {
        expect(evaluate({ ...some, policies: [before] }, given).rule).not.toBe(before.name)
      }
    }),
  )
})

it('an unknown amount never matches a rule about amounts', () => {
  fc.assert(
    fc.property(
      policy,
      ask,
      fc.constantFrom(null, Number.NaN, -1, Number.POSITIVE_INFINITY),
      (some, given, amount) => {
        const decided = evaluate(some, { ...given, amount })
        expect(some.policies.find(({ name }) => name === decided.rule)?.amount).toBeUndefined()
      },
    ),
  )
})

it('money never moves unasked', () => {
  fc.assert(
    fc.property(policy, ask, (some, given) => {
      expect(evaluate(some, { ...given, area: 'billing' }).clauses).not.toEqual([])
    }),
  )
})

it('votes that are enough with budgets, repetitions and further rules are enough without any of them', () => {
  fc.assert(
    fc.property(policy, ask, votes, (some, given, cast) => {
      const ballot = { requester: 'sam', votes: cast }
      const full = evaluate(some, given)
      const byPeople = full.clauses.some(({ kind }) => kind === 'approvals')
      fc.pre(isSatisfied(full.clauses, ballot))
      const parts = [
        evaluate({ ...some, budgets: [], duplicates: null }, given).clauses,
        ...full.matched.map(({ rule: { require } }) => clausesOf(require, 'a rule')),
      ]
      for (const part of parts) {
        // An approval says more than a confirmation.
        const asked = byPeople ? part.filter(({ kind }) => kind === 'approvals') : part
        expect(isSatisfied(asked, ballot)).toBe(true)
      }
    }),
  )
})

it('votes that meet two lists together meet each of them, and nothing is asked for that neither asks', () => {
  fc.assert(
    fc.property(clauses, clauses, votes, (first, second, cast) => {
      const ballot = { requester: 'sam', votes: cast }
      const both = combine(first, second)
      const approvalsOf = (list: Clause[]) => list.filter(({ kind }) => kind === 'approvals')
      const each = isSatisfied(approvalsOf(first), ballot) && isSatisfied(approvalsOf(second), ballot)
      expect(isSatisfied(approvalsOf(both), ballot)).toBe(each)
      expect(combine(both, second)).toEqual(both)
    }),
  )
})

it('no text makes the loader throw, and every mistake has a place in it', () => {
  const lines = exampleFile.split('\n')
  const broken = fc
    .tuple(fc.nat(lines.length - 1), fc.nat(60), fc.string({ maxLength: 6, unit: 'binary' }), fc.nat(6))
    .map(([at, column, piece, cut]) =>
      lines
        .map((line, index) =>
          index === at ? line.slice(0, column) + piece + line.slice(column + cut) : line,
        )
        .join('\n'),
    )
  fc.assert(
    fc.property(fc.oneof(broken, fc.string({ unit: 'binary' })), (text) => {
      const loaded = loadPolicy(text, { file: 'f', commands: knownCommands, platforms })
      if (loaded.ok) return
      expect(loaded.problems.length).toBeGreaterThan(0)
      for (const line of formatProblems('f', loaded.problems))
        expect(line).toMatch(/^f:[1-9]\d*:[1-9]\d*: \S/)
    }),
    { numRuns: 150 },
  )
})
