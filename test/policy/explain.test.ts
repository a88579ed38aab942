import { expect, test } from 'vitest'
import type { Clause } from '../../src/kernel/model/change.ts'
import { evaluate } from '../../src/kernel/policy/evaluate.ts'
import { explainDecision, rangeWords } from '../../src/kernel/policy/explain.ts'
import { explanationView, lookUpView } from '../../src/kernel/policy/explain-view.ts'
import type { Policy } from '../../src/kernel/policy/policy.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { approvals, party } from '../approvals/sample.ts'
import { policyOf } from './example.ts'

const fileText = `version: 1
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
`
const policy = policyOf(fileText)

const explained = (amount: number | null, spent: { name: string; sum: number }[] = []) => {
  const names = ['refund']
  const ask = {
    names,
    approveNames: names,
    amount,
    currency: 'EUR',
    requester: party('ann'),
    rolesOf: ({ roles }: { roles: readonly string[] }) => roles,
  }
  const decision = evaluate(policy, {
    names,
    area: 'billing',
    movesMoney: true,
    amount,
    currency: 'EUR',
    spent: ({ name }: { name: string }) => [
      { currency: 'EUR', sum: spent.find((one) => one.name === name)?.sum ?? 0 },
    ],
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
  expect(rules.filter(({ isAboutIt }) => !isAboutIt).map(({ name }) => name)).toEqual(['other'])
  expect(clauses.map(({ people }) => people)).toEqual(able)
})

test('each budget says what it holds itself', () => {
  const { budgets } = explained(70, [
    { name: 'a week', sum: 880 },
    { name: 'a day', sum: 20 },
  ])
  expect(budgets.map(({ budget, used, isOver }) => [budget.name, used, isOver])).toEqual([
    ['a day', 20, false],
    ['a week', 880, true],
  ])
})

const staffed = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: ann, name: Ann, slack: U0A, roles: [support], manager: dan }
  - { id: bob, name: Bob, slack: U0B, roles: [finance] }
  - { id: cat, name: Cat, slack: [U0C, T2/U0C], roles: [cfo] }
  - { id: dan, name: Dan, slack: U0D, roles: [support] }
  - { id: eve, name: Eve, slack: T2/U0E, roles: [finance] }
groups:
  slack: { S0F: [finance], S0S: [support], T2/S0F: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: [refund] }
  cfo: { run: ["*"], approve: ["*"] }
`)

/** Who could satisfy each clause, in the order of the file. */
const ableFor = (
  clause: Clause,
  { person = 'ann', space, names = ['refund'] }: { person?: string; space?: string; names?: string[] } = {},
) => {
  const decision = { ...evaluate(staffed, { ...asked, names }), clauses: [clause] }
  const requester = { person, name: person, ...(space && { space }) }
  const input = { names, approveNames: names, amount: 5, currency: null, requester, rolesOf: withOwnRoles }
  const [able] = explainDecision(staffed, input, decision, []).clauses
  return [able?.people.join(' '), able?.viaGroups.join(' '), able?.isPossible]
}
const asked = {
  ...{ area: 'billing', movesMoney: true, amount: 5, currency: null, duplicates: 0 },
  spent: () => [{ currency: null, sum: 0 }],
}
const withOwnRoles = ({ roles }: { roles: readonly string[] }) => roles

test.each<[string, Clause, Parameters<typeof ableFor>[1], ReturnType<typeof ableFor>]>([
  ['a confirmation', { kind: 'confirm' }, {}, ['ann', '', true]],
  ['anybody who may approve it', approvals(1, []), {}, ['Bob Cat', 'S0F', true]],
  ['not who asks', approvals(1, []), { person: 'bob' }, ['Cat', 'S0F', true]],
  ['only who may approve it', approvals(1, []), { names: ['upgrade'] }, ['Cat', '', true]],
  ['those of another workspace', approvals(1, []), { space: 'slack:T2' }, ['Cat Eve', 'T2/S0F', true]],
  ['a role', approvals(1, ['cfo']), {}, ['Cat', '', true]],
  ['more than there are', approvals(2, ['cfo']), {}, ['Cat', '', false]],
  ['more than are listed, where a group could hold others', approvals(5), {}, ['Bob', 'S0F', true]],
  ['nobody', approvals(1, ['legal']), {}, ['', '', false]],
  ['a role whose members may not approve', approvals(1, ['support']), {}, ['', '', false]],
  ['a manager, who need not have the right', named('dan', 'manager'), {}, ['Dan', '', true]],
  ['somebody by name, who needs it', named('dan', 'asked'), {}, ['', '', false]],
  ['somebody by name, who has it', named('bob', 'asked'), {}, ['Bob', '', true]],
  ['somebody by name or a role', { ...named('dan', 'manager'), from: ['cfo'] }, {}, ['Cat Dan', '', true]],
])('who could satisfy a clause that takes %s', (_, clause, ask, able) => {
  expect(ableFor(clause, ask)).toEqual(able)
})

function named(person: string, as: 'manager' | 'asked'): Clause & { kind: 'approvals' } {
  return { ...(approvals(1, []) as Clause & { kind: 'approvals' }), people: [{ person, name: person, as }] }
}

test('a rule of another name of the same request says which rule came first for that name', () => {
  const names = ['api call', 'refund']
  const longer = policyOf(
    fileText.replace(
      'budgets:\n',
      '  - { name: later, commands: [refund], require: confirm }\n  - { name: last, commands: ["*"], require: confirm }\nbudgets:\n',
    ),
  )
  const decision = evaluate(longer, { ...asked, names, amount: 70 })
  const input = {
    names,
    approveNames: names,
    amount: 70,
    currency: null,
    requester: party('ann'),
    rolesOf: withOwnRoles,
  }
  const { rules } = explainDecision(longer, input, decision, [])
  expect(rules.filter(({ isAboutIt }) => !isAboutIt).map(({ name }) => name)).toEqual(['other'])
  expect(rules.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    'below: It is for amounts up to 50, and this is 70.',
    'from to: It is for amounts from 51 and up to 60, and this is 70.',
    'above: It is for amounts over 500, and this is 70.',
    'other: It is for upgrade, downgrade.',
    'any: It is the first for refund.',
    'late: It is the first for api call.',
    'later: "any" stands before it.',
    'last: "late" stands before it.',
  ])
  expect(rangeWords()).toBe('any amount')
  expect(rangeWords({})).toBe('any amount')
})

/** As people read it, in chat and in the terminal. */
test('an explanation is told with its rules, clauses and budgets, and rules for other commands only up to ten', () => {
  const many = policyOf(
    `${fileText}`.replace(
      'policies:\n',
      `policies:\n${Array.from({ length: 13 }, (_, at) => `  - { name: n${at}, commands: [list create], require: confirm }\n`).join('')}`,
    ),
  )
  const told = (
    from: Policy,
    amount: number | null,
    spent: { name: string; sum: number }[] = [],
    over = {},
  ) => {
    const decision = {
      ...evaluate(from, {
        ...{ ...asked, names: ['refund'], amount, currency: 'EUR' },
        spent: ({ name }) => [{ currency: 'EUR', sum: spent.find((one) => one.name === name)?.sum ?? 0 }],
      }),
      policy: '0123456789abcdef',
      ...over,
    }
    const requester = { ...party('ann', { roles: ['support'] }) }
    const input = {
      names: ['refund'],
      approveNames: ['refund'],
      amount,
      currency: 'EUR',
      requester,
      rolesOf: withOwnRoles,
    }
    return textOfView(
      explanationView({
        ...{
          line: 'refund pay_1',
          requester,
          amount,
          currency: 'EUR',
          decision,
          notes: ['Nobody could look.'],
        },
        explanation: explainDecision(from, input, decision, spent as never),
      }),
      { details: true },
    )
  }
  expect(
    [
      told(policy, 70),
      told(policy, null, [{ name: 'a day', sum: 10 }]),
      told(policy, 40, [{ name: 'a day', sum: 180 }], { holdMs: 60_000 }),
      told(many, 70),
      told({ ...policy, policies: [], budgets: [] }, 70),
      told({ ...policy, people: policy.people.slice(0, 1) }, 700),
      told({ ...policy, people: policy.people.slice(0, 2) }, 700, [], { clauses: [approvals(2, [])] }),
      told(policy, 5, [], { clauses: [] }),
      told({ ...policy, groups: { slack: { S1: ['finance'], S2: ['cfo'] } } }, 700, [], {
        clauses: [approvals(1, [])],
      }),
    ].join('\n\n---\n\n'),
  ).toMatchInlineSnapshot(`
    "refund pay_1

    Asked by       Ann (support)
    Amount         70 EUR
    Decides        any
    Needs          1 approval from finance
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    no       It is for amounts up to 50, and this is 70.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 70.
      3  above    no       It is for amounts over 500, and this is 70.
      4  other    no       It is for upgrade, downgrade.
      5  any      yes      It is the first for refund.
      6  late     no       "any" stands before it.

    - 1 approval from finance (rule "any"); today: Bob.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         not known
    Decides        any
    Needs          1 approval from finance and 1 approval from cfo
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    no       It is for amounts up to 50, and this amount is not known.
      2  from to  no       It is for amounts from 51 and up to 60, and this amount is not known.
      3  above    no       It is for amounts over 500, and this amount is not known.
      4  other    no       It is for upgrade, downgrade.
      5  any      yes      It is the first for refund.
      6  late     no       "any" stands before it.

    - 1 approval from finance (rule "any"); today: Bob.
    - 1 approval from cfo (budget "a day"); today: Cat.

    Budget  For        Used                                 With this one
    a day   requester  10 of 200 EUR used in the last 24 h  the amount of this one is not known, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d  the amount of this one is not known, over it: 1 approval from cfo as well

    ! A day: 10 of 200 EUR used in the last 24 h; the amount of this one is not known.

    ! A week: 0 of 900 EUR used in the last 7 d; the amount of this one is not known.

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         40 EUR
    Decides        below
    Needs          1 approval from cfo
    Waits at most  24 h
    hold           1 m
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    yes      It is the first for refund.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 40.
      3  above    no       It is for amounts over 500, and this is 40.
      4  other    no       It is for upgrade, downgrade.
      5  any      no       "below" stands before it.
      6  late     no       "below" stands before it.

    - 1 approval from cfo (budget "a day"); today: Cat.

    Budget  For        Used                                  With this one
    a day   requester  180 of 200 EUR used in the last 24 h  this would make 220 EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! A day: 180 of 200 EUR used in the last 24 h; this would make 220 EUR.

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         70 EUR
    Decides        any
    Needs          1 approval from finance
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  n0       no       It is for list create.
      2  n1       no       It is for list create.
      3  n2       no       It is for list create.
      4  n3       no       It is for list create.
      5  n4       no       It is for list create.
      6  n5       no       It is for list create.
      7  n6       no       It is for list create.
      8  n7       no       It is for list create.
      9  n8       no       It is for list create.
     10  n9       no       It is for list create.
     14  below    no       It is for amounts up to 50, and this is 70.
     15  from to  no       It is for amounts from 51 and up to 60, and this is 70.
     16  above    no       It is for amounts over 500, and this is 70.
     18  any      yes      It is the first for refund.
     19  late     no       "any" stands before it.

    4 more rules, for other commands.

    - 1 approval from finance (rule "any"); today: Bob.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         70 EUR
    Decides        default for billing changes
    Needs          1 approval
    Waits at most  24 h
    Policy         0123456789ab

    No rule matches, so the default for billing changes holds.

    - 1 approval (default for billing changes); today: Bob, Cat.

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         700 EUR
    Decides        above
    Needs          1 approval from cfo
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    no       It is for amounts up to 50, and this is 700.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 700.
      3  above    yes      It is the first for refund.
      4  other    no       It is for upgrade, downgrade.
      5  any      no       "above" stands before it.
      6  late     no       "above" stands before it.

    - 1 approval from cfo (rule "above"); today nobody can satisfy it: it needs 1, and there are none.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! A day: 0 of 200 EUR used in the last 24 h; this would make 700 EUR.

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         700 EUR
    Decides        above
    Needs          2 approvals
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    no       It is for amounts up to 50, and this is 700.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 700.
      3  above    yes      It is the first for refund.
      4  other    no       It is for upgrade, downgrade.
      5  any      no       "above" stands before it.
      6  late     no       "above" stands before it.

    - 2 approvals (rule "refund"); today nobody can satisfy it: it needs 2, and there is Bob.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! A day: 0 of 200 EUR used in the last 24 h; this would make 700 EUR.

    ! Nobody could look.

    ---

    refund pay_1

    Asked by  Ann (support)
    Amount    5 EUR
    Decides   below
    Needs     nothing: it runs at once
    Policy    0123456789ab

    No.  Rule     Decides  Why
      1  below    yes      It is the first for refund.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 5.
      3  above    no       It is for amounts over 500, and this is 5.
      4  other    no       It is for upgrade, downgrade.
      5  any      no       "below" stands before it.
      6  late     no       "below" stands before it.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! Nobody could look.

    ---

    refund pay_1

    Asked by       Ann (support)
    Amount         700 EUR
    Decides        above
    Needs          1 approval
    Waits at most  24 h
    Policy         0123456789ab

    No.  Rule     Decides  Why
      1  below    no       It is for amounts up to 50, and this is 700.
      2  from to  no       It is for amounts from 51 and up to 60, and this is 700.
      3  above    yes      It is the first for refund.
      4  other    no       It is for upgrade, downgrade.
      5  any      no       "above" stands before it.
      6  late     no       "above" stands before it.

    - 1 approval (rule "refund"); today: Bob, Cat, and whoever is listed and in S1 or S2.

    Budget  For        Used                                  With this one
    a day   requester  NaN of 200 EUR used in the last 24 h  this would make NaN EUR, over it: 1 approval from cfo as well
    a week  requester  NaN of 900 EUR used in the last 7 d   this would make NaN EUR, over it: 1 approval from cfo as well

    ! A day: 0 of 200 EUR used in the last 24 h; this would make 700 EUR.

    ! Nobody could look."
  `)
  const bare = explanationView({
    ...{
      line: 'list create',
      requester: party('ann', { roles: [] }),
      amount: null,
      currency: null,
      notes: [],
    },
    decision: { ...evaluate(policy, { ...asked, names: ['list create'] }), clauses: [] },
    explanation: { rules: [], clauses: [], budgets: [] },
  })
  expect(bare.blocks.map(({ kind }) => kind)).toEqual(['facts'])
  expect(textOfView(bare)).toContain('Ann (no role)')
  const nobody = { ...party('zed', { roles: [] }) }
  expect(textOfView(lookUpView({ line: 'subscriber get a@b.c', requester: nobody }))).toMatchInlineSnapshot(`
    "subscriber get a@b.c

    Zed may say it. It asks for no change, so no rule of the policy is about it."
  `)
})
