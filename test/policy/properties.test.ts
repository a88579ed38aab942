import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clausesOf, combine, isSatisfied } from '../../src/kernel/law/clauses.ts'
import type { Clause } from '../../src/kernel/model/change.ts'
import { evaluate, type PolicyInput } from '../../src/kernel/policy/evaluate.ts'
import { formatProblems, loadPolicy } from '../../src/kernel/policy/file/load.ts'
import type { AmountRange, Budget, Need, Policy, Rule } from '../../src/kernel/policy/policy.ts'
import { anyText } from '../harness/any-text.ts'
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
/** Few enough that sums meet limits and amounts meet the ends of ranges. */
const cents = fc.constantFrom(0, 0.1, 0.2, 0.3, 10, 19.99, 20, 20.01, 30, 40)
const range: fc.Arbitrary<AmountRange> = fc.oneof(
  cents.map((upTo) => ({ upTo })),
  cents.map((over) => ({ over })),
  fc.tuple(cents, cents).map(([a, b]) => ({ from: Math.min(a, b), upTo: Math.max(a, b) })),
)
const commands = fc.subarray(patterns, { minLength: 1 })
const times = fc.constantFrom(1_000, 2_000, 3_000)
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    name: fc.uuid(),
    commands,
    require: needs,
    amount: range,
    expiresInMs: times,
    holdMs: times,
    canary: fc.constantFrom(0.1, 0.5),
    notify: fc.constantFrom('channel' as const, 'mention' as const, 'direct' as const),
    remindMs: fc.uniqueArray(times, { minLength: 1 }),
    evidence: fc.constant('required' as const),
    reason: fc.constant('required' as const),
    escalate: fc.record({ afterMs: times, to: fc.subarray(roles, { minLength: 1 }) }),
  },
  { requiredKeys: ['name', 'commands', 'require'] },
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
    movesMoney: fc.boolean(),
    amount: fc.option(cents),
    sum: cents,
    duplicates: fc.integer({ min: 0, max: 2 }),
    guarded: fc.boolean(),
    agent: fc.option(fc.constant('hers'), { nil: undefined }),
  })
  .map(({ sum, ...rest }) => ({ ...rest, currency: null, spent: () => [{ currency: null, sum }] }))
const voters = fc.constantFrom('sam', 'fay', 'finn', 'ona')
const votes = fc.array(
  fc.record({
    person: voters,
    for: fc.option(voters, { nil: undefined }),
    mayApprove: fc.boolean(),
    roles: fc.subarray(roles),
  }),
  { maxLength: 5 },
)

/** What is asked for, whoever asks for it and in whatever order: how many people of which roles. */
const sumOf = (list: readonly (Need | Clause)[]): string[] => {
  const most: Record<string, number> = {}
  for (const one of list) {
    const who = one.kind === 'confirm' ? 'requester' : one.from.toSorted().join()
    most[who] = Math.max(most[who] ?? 0, one.kind === 'confirm' ? 1 : one.count)
  }
  const asked = Object.entries(most).map(([who, count]) => `${count} ${who}`)
  const byOthers = asked.filter((one) => one !== '1 requester')
  return (byOthers.length > 0 ? byOthers : asked).sort()
}

/** The file, read once more as a person would. */
const readingOf = (
  some: Policy,
  { names, movesMoney: isMoney, amount, spent, duplicates, guarded, agent }: PolicyInput,
) => {
  const isAbout = (given: readonly string[], name: string) =>
    given.some(
      (one) =>
        one === '*' ||
        one === name ||
        `${name} `.startsWith(one.replace(/\*$/, one.endsWith(' *') ? '' : '*')),
    )
  const isIn = ({ from = 0, over = -1, upTo = 1e9 }: AmountRange) =>
    amount !== null && from <= amount && over < amount && amount <= upTo
  const firsts = names.flatMap(
    (name) =>
      some.policies.find((one) => isAbout(one.commands, name) && (!one.amount || isIn(one.amount))) ?? [],
  )
  const rules = [...new Set(firsts)]
  const somebody: Need = { kind: 'approvals', count: 1, from: [] }
  const asked = rules.flatMap(({ require }) => require)
  const none: Need[] =
    isMoney || (guarded && rules.length === 0) ? [somebody] : rules.length === 0 ? [{ kind: 'confirm' }] : []
  const byRules = asked.length > 0 ? asked : none
  const over = some.budgets.filter(
    (one) =>
      names.some((name) => isAbout(one.commands, name)) &&
      (amount === null ||
        Math.round((spent(one)[0]?.sum ?? Number.NaN) * 100) + Math.round(amount * 100) >
          Math.round(one.limit * 100)),
  )
  const byBudgets = sumOf([...byRules, ...over.flatMap(({ then }) => then)])
  const isAgain = some.duplicates !== null && duplicates > 0
  const isOwn = (list: string[]) => list.join() === '1 requester'
  const byPast =
    isAgain && byBudgets.length === 0 ? ['1 requester'] : isAgain && isOwn(byBudgets) ? ['1 '] : byBudgets
  const clauses = isOwn(byPast) && agent !== undefined ? ['1 '] : byPast
  const isByOthers = clauses.length > 0 && !isOwn(clauses)
  const said = <K extends keyof Rule>(key: K) =>
    rules.flatMap((one) => (one[key] === undefined ? [] : [one[key]]))
  const least = (list: (number | undefined)[]) => (list as number[]).toSorted((x, y) => x - y)
  const expires = least(said('expiresInMs'))
  const reminders = least([...new Set(said('remindMs').flat())])
  const ways = said('notify')
  return {
    clauses,
    rules: rules.map(({ name }) => name),
    expiresInMs: expires[0] ?? (isByOthers ? 24 : 1) * 3_600_000,
    holdMs: least(said('holdMs')).at(-1),
    canary: least(said('canary'))[0],
    notify: (['direct', 'mention', 'channel'] as const).find((way) => ways.includes(way)),
    remindMs: reminders.length > 0 ? reminders : undefined,
    evidence: said('evidence')[0],
    reason: said('reason')[0],
    over: over.length,
    beyond: [...(over.length > 0 ? ['past a budget'] : []), ...(isAgain ? ['a repetition'] : [])],
    escalatedBy: [
      ...(byBudgets.join(';') === sumOf(byRules).join(';') ? [] : ['budget']),
      ...(byPast.join(';') === byBudgets.join(';') ? [] : ['duplicate']),
    ],
  }
}

it('every file decides about every request as it reads', () => {
  fc.assert(
    fc.property(policy, ask, (some, given) => {
      const {
        matched,
        clauses: asked,
        warnings,
        rule: _name,
        policy: _digest,
        ...rest
      } = evaluate(some, given)
      expect({
        clauses: sumOf(asked),
        rules: [...new Set(matched.map((one) => one.rule.name))],
        over: warnings.length,
        ...rest,
      }).toEqual(readingOf(some, given))
    }),
    { numRuns: 1_500 },
  )
})

it('an amount that is no number of money is an unknown one', () => {
  fc.assert(
    fc.property(
      policy,
      ask,
      fc.constantFrom(Number.NaN, -0.01, Number.POSITIVE_INFINITY),
      (some, given, amount) => {
        expect(evaluate(some, { ...given, amount })).toEqual(evaluate(some, { ...given, amount: null }))
      },
    ),
  )
})

it('money never moves unasked', () => {
  fc.assert(
    fc.property(policy, ask, (some, given) => {
      expect(evaluate(some, { ...given, movesMoney: true }).clauses).not.toEqual([])
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
    .tuple(fc.nat(lines.length - 1), fc.nat(60), anyText({ maxLength: 6 }), fc.nat(6))
    .map(([at, column, piece, cut]) =>
      lines
        .map((line, index) =>
          index === at ? line.slice(0, column) + piece + line.slice(column + cut) : line,
        )
        .join('\n'),
    )
  fc.assert(
    fc.property(fc.oneof(broken, anyText()), (text) => {
      const loaded = loadPolicy(text, { file: 'f', commands: knownCommands, platforms })
      if (loaded.ok) return
      expect(loaded.problems.length).toBeGreaterThan(0)
      for (const line of formatProblems('f', loaded.problems))
        expect(line).toMatch(/^f:[1-9]\d*:[1-9]\d*: \S/)
    }),
    { numRuns: 150 },
  )
})
