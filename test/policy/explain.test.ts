import { expect, test } from 'vitest'
import { isDelegated } from '../../src/policy/delegation.ts'
import { evaluate } from '../../src/policy/evaluate.ts'
import { explainDecision } from '../../src/policy/explain.ts'
import { party } from '../approvals/sample.ts'
import { policyOf } from './example.ts'

const policy = policyOf(`version: 1
people:
  - { id: ann, name: Ann, slack: U-ann, roles: [support] }
  - { id: bob, name: Bob, slack: U-bob, roles: [finance] }
  - { id: cat, name: Cat, slack: U-cat, roles: [cfo] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
  cfo: { run: ["*"], approve: ["*"] }
policies:
  - { name: below, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: from to, commands: [refund], amount: { from: 51, upTo: 60 }, require: confirm }
  - { name: above, commands: [refund], amount: { over: 500 }, require: { approvals: 1, from: [cfo] } }
  - { name: other, commands: [upgrade, downgrade], require: confirm }
  - { name: any, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: late, commands: ["*"], require: confirm }
budgets:
  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 200, then: { approvals: 1, from: [cfo] } }
  - { name: a week, commands: [refund], per: requester, window: 7d, limit: 900, then: { approvals: 1, from: [cfo] } }
`)

const explained = (amount: number | null, spent: { name: string; sum: number }[] = []) => {
  const names = ['refund']
  const ask = {
    names,
    approveNames: names,
    amount,
    requester: party('ann'),
    rolesOf: ({ roles }: { roles: readonly string[] }) => roles,
  }
  const decision = evaluate(policy, {
    names,
    area: 'billing',
    movesMoney: true,
    amount,
    spent: ({ name }: { name: string }) => spent.find((one) => one.name === name)?.sum ?? 0,
    duplicates: 0,
  })
  return explainDecision(policy, ask, decision, spent.map((one) => ({ ...one, limit: 0 })) as never)
}

test.each<[amount: number | null, able: string[][], whys: string[]]>([
  [
    70,
    [['Bob']],
    [
      'It is for amounts up to 50, and this is 70.',
      'It is for amounts from 51 and up to 60, and this is 70.',
      'It is for amounts over 500, and this is 70.',
      'It is for upgrade, downgrade.',
      'It is the first for refund.',
      '"any" stands before it.',
    ],
  ],
  [
    // What nobody knows could be past a budget.
    null,
    [['Bob'], ['Cat']],
    [
      'It is for amounts up to 50, and this amount is not known.',
      'It is for amounts from 51 and up to 60, and this amount is not known.',
      'It is for amounts over 500, and this amount is not known.',
      'It is for upgrade, downgrade.',
      'It is the first for refund.',
      '"any" stands before it.',
    ],
  ],
])('of a refund of %s every rule says whether it decides, and why', (amount, able, whys) => {
  const { rules, clauses } = explained(amount)
  expect(rules.map(({ why }) => why)).toEqual(whys)
  expect(rules.filter(({ decides }) => decides).map(({ name }) => name)).toEqual(['any'])
  expect(clauses.map(({ people }) => people)).toEqual(able)
})

test('each budget says what it holds itself', () => {
  const { budgets } = explained(70, [
    { name: 'a week', sum: 880 },
    { name: 'a day', sum: 20 },
  ])
  expect(budgets.map(({ budget, spent, isOver }) => [budget.name, spent, isOver])).toEqual([
    ['a day', 20, false],
    ['a week', 880, true],
  ])
})

test('one absence among several is enough to vote for somebody, and only that of both', () => {
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map((name) => party(name)) as [
    ReturnType<typeof party>,
    ReturnType<typeof party>,
    ReturnType<typeof party>,
  ]
  const away = (by: typeof ann, to: string) => ({ by, to, at: 0, endsAt: 9e9 })
  const absences = [away(ann, 'cat'), away(bob, 'cat'), away(cat, 'ann')]
  const pairs = [ann, bob, cat].flatMap((one) =>
    [ann, bob, cat].map((other) => [one, other, isDelegated(policy, absences, one, other)] as const),
  )
  expect(pairs.filter(([, , is]) => is).map(([one, other]) => `${one.person} to ${other.person}`)).toEqual([
    'ann to cat',
    'bob to cat',
    'cat to ann',
  ])
})
