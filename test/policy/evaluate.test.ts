import { describe, expect, it } from 'vitest'
import { combine } from '../../src/kernel/law/clauses.ts'
import type { Clause } from '../../src/kernel/model/change.ts'
import { freezeOn } from '../../src/kernel/model/freeze.ts'
import { budgetsFor, countsByRoles, evaluate, type PolicyInput } from '../../src/kernel/policy/evaluate.ts'
import { exampleFile, policyOf } from './example.ts'

const policy = policyOf(exampleFile)
const minute = 60_000
const hour = 60 * minute

const ask = ({ area = 'billing', ...given }: Partial<PolicyInput>): PolicyInput => ({
  names: ['refund'],
  area,
  movesMoney: area === 'billing',
  amount: 10,
  currency: null,
  spent: () => [{ currency: null, sum: 0 }],
  duplicates: 0,
  ...given,
})
const approvals = (count: number, ...from: string[]): Clause & { kind: 'approvals' } => ({
  kind: 'approvals',
  count,
  from,
  because: expect.any(String),
})
const confirm: Clause = { kind: 'confirm' }

describe('the first rule that matches decides', () => {
  it.each<[string, Partial<PolicyInput>, string, Clause, number]>([
    ['a small refund', { amount: 49 }, 'small refund', { kind: 'confirm' }, hour],
    ['a refund at the end of the range', { amount: 50 }, 'small refund', { kind: 'confirm' }, hour],
    ['a refund just past it', { amount: 50.01 }, 'refund', approvals(1, 'finance'), 30 * minute],
    ['a large refund', { amount: 501 }, 'large refund', approvals(2, 'finance'), 24 * hour],
    ['an unknown amount', { amount: null }, 'large refund', approvals(2, 'finance'), 24 * hour],
    ['a negative amount, which is none', { amount: -5 }, 'large refund', approvals(2, 'finance'), 24 * hour],
    ['no number, which is none', { amount: Number.NaN }, 'large refund', approvals(2, 'finance'), 24 * hour],
    [
      'a plan change',
      { names: ['downgrade'], amount: null },
      'plan change',
      approvals(1, 'finance'),
      24 * hour,
    ],
    ['the same by another way', { names: ['api call', 'refund'] }, 'small refund', { kind: 'confirm' }, hour],
    [
      'a message',
      { names: ['message media'], area: 'chat', amount: null },
      'mail',
      { kind: 'confirm' },
      hour,
    ],
    [
      'other changes',
      { names: ['list create'], area: 'email' },
      'default for changes',
      { kind: 'confirm' },
      hour,
    ],
    ['other money', { names: ['addon delete'] }, 'default for billing changes', approvals(1), 24 * hour],
  ])('%s', (_, given, rule, clause, expiresInMs) => {
    const over = given.amount === null || !((given.amount ?? 0) >= 0) || (given.amount ?? 0) > 200
    const decision = evaluate(policy, ask(given))
    expect(decision).toMatchObject({ rule, clauses: [clause], expiresInMs })
    expect(decision.warnings).toHaveLength(over && ask(given).names.includes('refund') ? 1 : 0)
  })
})

describe('a budget', () => {
  it('asks for more past it, and says why in figures', () => {
    expect(evaluate(policy, ask({ amount: 50, spent: () => [{ currency: null, sum: 180 }] }))).toEqual({
      policy: policy.digest,
      rule: 'small refund',
      matched: [{ name: 'refund', rule: expect.objectContaining({ name: 'small refund' }) }],
      clauses: [{ ...approvals(2, 'finance'), because: 'budget "refunds a day"' }],
      expiresInMs: 24 * hour,
      warnings: [
        {
          words: 'Refunds a day: 180 of 200 (currency unknown) used in the last 24 h; this would make 230.',
          holds: ['pending', 'approved'],
        },
      ],
      beyond: ['past a budget'],
      escalatedBy: ['budget'],
    })
    expect(
      evaluate(policy, ask({ amount: 0.5, spent: () => [{ currency: null, sum: 199.75 }] })).warnings.map(
        ({ words }) => words,
      ),
    ).toEqual([
      'Refunds a day: 199.75 of 200 (currency unknown) used in the last 24 h; this would make 200.25.',
    ])
  })

  it('counts an unknown amount as too much', () => {
    const decision = evaluate(policy, ask({ amount: null, spent: () => [{ currency: null, sum: 0 }] }))
    expect(decision.warnings.map(({ words }) => words)).toEqual([
      'Refunds a day: 0 of 200 (currency unknown) used in the last 24 h; the amount of this one is not known.',
    ])
    expect(decision).toMatchObject({
      rule: 'large refund',
      clauses: [approvals(2, 'finance')],
      escalatedBy: [],
    })
  })

  it('is spent when its sum cannot be told', () => {
    expect(evaluate(policy, ask({ spent: () => [{ currency: null, sum: Number.NaN }] })).clauses).toEqual([
      approvals(2, 'finance'),
    ])
  })

  it('is asked about only when one of the names is its own', () => {
    expect(budgetsFor(policy, ['upgrade'])).toEqual([])
    expect(budgetsFor(policy, ['api call', 'refund']).map(({ name }) => name)).toEqual(['refunds a day'])
  })
})

describe('several clauses', () => {
  const words = (clauses: readonly Clause[]) =>
    clauses.map((clause) =>
      clause.kind === 'confirm' ? 'confirm' : `${clause.count} ${clause.from.join('/')} ${clause.because}`,
    )

  it('of a rule and a budget all hold, and none takes the place of another', () => {
    const cfo = policyOf(
      exampleFile
        .replace('roles:\n', 'roles:\n  cfo: { approve: [refund] }\n')
        .replace(
          'upTo: 500 }, require: { approvals: 1, from: [finance] }',
          'upTo: 500 }, require: { approvals: 1, from: [cfo] }',
        ),
    )
    const decision = evaluate(cfo, ask({ amount: 100, spent: () => [{ currency: null, sum: 180 }] }))
    expect(words(decision.clauses)).toEqual(['1 cfo rule "refund"', '2 finance budget "refunds a day"'])
    expect(decision.escalatedBy).toEqual(['budget'])
  })

  it('of one rule are written as a list', () => {
    const listed = policyOf(
      exampleFile
        .replace('roles:\n', 'roles:\n  cfo: { approve: [refund] }\n')
        .replace('require: confirm', 'require: [confirm, { approvals: 2 }, { approvals: 1, from: [cfo] }]'),
    )
    expect(words(evaluate(listed, ask({})).clauses)).toEqual([
      '2  rule "small refund"',
      '1 cfo rule "small refund"',
    ])
  })

  it('of every name hold together: a rule that stands first hides none for another name', () => {
    const first = policyOf(
      exampleFile.replace(
        'policies:\n',
        'policies:\n  - { name: raw, commands: ["api *"], require: confirm }\n',
      ),
    )
    const decision = evaluate(first, ask({ names: ['api call', 'refund'], amount: 100 }))
    expect(decision.matched.map(({ name, rule }) => [name, rule.name])).toEqual([
      ['api call', 'raw'],
      ['refund', 'refund'],
    ])
    expect(decision).toMatchObject({ rule: 'raw and refund', expiresInMs: 30 * minute })
    expect(words(decision.clauses)).toEqual(['1 finance rule "refund"'])
  })

  it('for the same roles are one, for the larger number, and an approval needs no confirmation beside it', () => {
    const one = { kind: 'approvals', count: 1, from: ['a', 'b'], because: 'one' } as const
    const clauses = [
      { ...one, from: [...one.from] },
      { ...one, from: ['b', 'a'], count: 2, because: 'two' },
      { ...one, from: ['b', 'a'], count: 2, because: 'three' },
      { ...one, from: ['a'] },
    ]
    expect(words(combine([confirm], clauses, [confirm]))).toEqual(['2 b/a two', '1 a one'])
    expect(combine([confirm], [confirm])).toEqual([confirm])
    expect(combine([], [])).toEqual([])
  })

  it('that become one keep everybody who may satisfy either, now and later', () => {
    const plain = (count: number) => ({ ...approvals(count, 'a'), because: 'a rule' })
    const cfo = { afterMs: hour, to: ['cfo'] }
    const board = { afterMs: 2 * hour, to: ['board'] }
    const one: Clause = { ...plain(1), also: ['x', 'y'], escalate: [cfo] }
    const two: Clause = { ...plain(2), also: ['y', 'z'], escalate: [{ ...cfo }, board] }
    expect(combine([one], [two])).toEqual([{ ...two, also: ['y', 'z', 'x'], escalate: [cfo, board] }])
    expect(combine([two], [one])).toEqual([{ ...two, also: ['y', 'z', 'x'], escalate: [cfo, board] }])
    expect(combine([plain(1)], [one])).toEqual([one])
    expect(combine([one], [plain(1)])).toEqual([one])
    expect(Object.keys(combine([plain(1)], [plain(1)])[0] ?? {})).not.toContain('also')
  })
})

describe('votes', () => {
  it('may be given by whom the command and one of the clauses allow', () => {
    expect(countsByRoles(policy, { roles: ['finance'] }, [approvals(1, 'finance')], ['refund'])).toBe(true)
    expect(countsByRoles(policy, { roles: ['finance'] }, [approvals(1)], ['refund'])).toBe(true)
    expect(countsByRoles(policy, { roles: ['finance'] }, [approvals(1, 'owner')], ['refund'])).toBe(false)
    expect(
      countsByRoles(policy, { roles: ['finance'] }, [approvals(1, 'owner'), approvals(1)], ['refund']),
    ).toBe(true)
    expect(countsByRoles(policy, { roles: ['support'] }, [approvals(1, 'support')], ['refund'])).toBe(false)
    expect(countsByRoles(policy, { roles: [] }, [approvals(1)], ['refund'])).toBe(false)
  })
})

it('a freeze of all stops the three services and never the bot itself', () => {
  const isFrozen = (frozen: string[], area: string, agent?: string) =>
    freezeOn(
      frozen.map((one) => ({ area: one })),
      area,
      { agent },
    ) !== undefined
  expect(isFrozen([], 'billing')).toBe(false)
  expect(isFrozen(['billing'], 'billing')).toBe(true)
  expect(isFrozen(['billing'], 'email')).toBe(false)
  expect(['email', 'chat', 'billing', 'bellhop'].map((area) => isFrozen(['all'], area))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(isFrozen(['bellhop'], 'bellhop')).toBe(false)
  expect([isFrozen(['agents'], 'billing'), isFrozen(['agents'], 'billing', 'bot')]).toEqual([false, true])
})

it('what needs nothing of a person is done by no agent alone', () => {
  const decided = (agent?: string) =>
    evaluate(policy, ask({ byNature: 'nothing', ...(agent && { agent }) })).clauses
  expect(decided()).toEqual([])
  expect(decided('bot')).not.toEqual([])
})
