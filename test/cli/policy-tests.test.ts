import { describe, expect, it } from 'vitest'
import { differencesFrom } from '../../src/cli/policy/differences.ts'
import { testsIn } from '../../src/cli/policy/tests.ts'
import { policyOf } from '../harness/app.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { openHarness } from '../pipeline/harness.ts'

const now = Date.UTC(2026, 4, 4)
const { app, registry } = await openHarness({ now: () => now, tasks: false })
const differences = async (policy: string, test: string) => {
  const core = { ...app.core, policy: policyOf(policy, registry) }
  const read = testsIn(`tests:\n  - { name: it, ${test} }\n`, { file: 'a.tests.yml', isPolicy: false })
  if (!read.ok) return read.problems
  return (await Promise.all(read.tests.map((one) => differencesFrom(core, one)))).flat()
}

describe('a test of the policy', () => {
  it.each<[string, string, string[]]>([
    [
      'passes when the rule decides and asks for just that',
      'as: p-support, line: refund pay_1 120, expect: { rule: refund, require: { approvals: 1, from: [finance] } }',
      [],
    ],
    [
      'says which rule was expected, why it does not decide, and which does',
      'as: Sam Support, line: refund pay_1 120, expect: { rule: small refund }',
      ['rule: expected small refund, found refund', '  It is for amounts up to 50, and this is 120.'],
    ],
    [
      'says which requirement was expected, and what is over which budget',
      'as: p-support, line: refund pay_1 600, expect: { rule: large refund, require: confirm }',
      [
        'require: expected confirm, found 2 approvals from finance',
        '  Refunds a day: 0 of 200 (currency unknown) used in the last 24 h; this would make 600.',
      ],
    ],
    [
      'knows a rule that is spelled another way',
      'as: p-support, line: refund pay_1 20, expect: { rule: smal refund }',
      ['rule: expected smal refund, found small refund', '  Did you mean "small refund"?'],
    ],
    [
      'counts what the same person was given before within the window of a budget',
      'as: p-support, before: [{ line: refund pay_2 100, ago: 23h }, { line: refund pay_3 81 }], line: refund pay_1 20, expect: { require: { approvals: 2, from: [finance] } }',
      [],
    ],
    [
      'counts neither what is older nor what somebody else was given',
      'as: p-support, before: [{ line: refund pay_2 190, ago: 25h }, { line: refund pay_3 190, as: p-finance }], line: refund pay_1 20, expect: { require: confirm }',
      [],
    ],
    [
      'counts what was given under another name as well',
      `as: p-finance, before: [{ line: "api call billing POST /transaction/refund/pay_2 --body '{\\"amount\\":190}'" }], line: refund pay_1 20, expect: { require: { approvals: 2, from: [finance] } }`,
      [],
    ],
    [
      'takes the sum of a budget as it is said',
      'as: p-support, spent: { refunds a day: 190 }, line: refund pay_1 20, expect: { require: { approvals: 2, from: [finance] } }',
      [],
    ],
    [
      'knows when the same was asked before',
      'as: p-support, before: [{ line: refund pay_1 20, ago: 10m }], line: refund pay_1 20, expect: { require: { approvals: 1 } }',
      [],
    ],
    [
      'may be about an agent, which confirms nothing',
      'as: helper, line: refund pay_1 20, expect: { rule: small refund, require: { approvals: 1 } }',
      [],
    ],
    [
      'may be about somebody who may not ask',
      'as: p-support, line: addon delete add_1, expect: { refused: true }',
      [],
    ],
    [
      'says when somebody may ask after all',
      'as: p-finance, line: addon delete add_1, expect: { refused: true }',
      ['It was expected to be refused, and is not.'],
    ],
    [
      'says why a line asks for nothing',
      'as: p-support, line: refund pay_1 -4, expect: { rule: refund }',
      [expect.stringContaining('It is refused: ') as unknown as string],
    ],
    [
      'says that nobody goes by a name',
      'as: nobody, line: refund pay_1 4, expect: { rule: refund }',
      [expect.stringContaining('nobody in the policy file goes by "nobody"') as unknown as string],
    ],
    [
      'says that there is no such budget',
      'as: p-support, spent: { refunds: 4 }, line: refund pay_1 4, expect: { rule: refund }',
      ['spent: there is no budget "refunds". Name one of: refunds a day.'],
    ],
    [
      'must expect something',
      'as: p-support, line: refund pay_1 4, expect: {}',
      [expect.stringContaining('Expected rule, require, or refused: true') as unknown as string],
    ],
  ])('%s', async (_, test, expected) => {
    expect(await differences(demoPolicy, test)).toEqual(expected)
  })
})

const strict = `version: 1
people:
  - { id: sam, name: Sam, roles: [support], manager: mo }
  - { id: sue, name: Sue, roles: [support] }
  - { id: mo, name: Mo }
  - { id: fay, name: Fay, roles: [finance, owner] }
  - { id: ona, name: Ona, roles: [owner, finance] }
roles:
  support: { run: [refund, "list *", upgrade, "subscriber get"] }
  finance: { approve: ["*"] }
  owner: { approve: ["*"] }
policies:
  - { name: small, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: middle, commands: [refund], amount: { upTo: 100 }, require: { approvals: 1, from: [manager] } }
  - { name: large, commands: [refund], require: [{ approvals: 1, from: [owner] }, { approvals: 2, from: [finance, owner] }] }
budgets:
  - { name: of each, commands: [refund], per: requester, window: 2h, limit: 40, then: { approvals: 1, from: [owner] } }
  - { name: of all, commands: [refund], per: everyone, window: 1h, limit: 100, then: { approvals: 1, from: [finance] } }
duplicates: { window: 30m }
`
const confirm = 'expect: { require: confirm }'
const byOwner = 'expect: { require: { approvals: 1, from: [owner] } }'
const byFinance = 'expect: { require: { approvals: 1, from: [finance] } }'
const again = 'expect: { require: { approvals: 1 } }'

describe('what a test says was there before', () => {
  const refund = 'as: sam, line: refund pay_1 20,'
  it.each<[string, string]>([
    ['nothing', `${refund} ${confirm}`],
    ['as much as a budget holds', `${refund} before: [{ line: refund pay_2 20 }], ${confirm}`],
    ['one more than is left', `${refund} before: [{ line: refund pay_2 21 }], ${byOwner}`],
    ['the last moment of its window', `${refund} before: [{ line: refund pay_2 30, ago: 2h }], ${byOwner}`],
    ['the moment before its window', `${refund} before: [{ line: refund pay_2 30, ago: 7201s }], ${confirm}`],
    ['what is said is spent', `${refund} spent: { of each: 21 }, ${byOwner}`],
    [
      'what is said, and a request',
      `${refund} spent: { of each: 11 }, before: [{ line: refund pay_2 10 }], ${byOwner}`,
    ],
    ['what is said of another budget', `${refund} spent: { of all: 81 }, ${byFinance}`],
    ['what somebody else was given', `${refund} before: [{ line: refund pay_2 50, as: sue }], ${confirm}`],
    [
      'what all were given',
      `${refund} before: [{ line: refund pay_2 50, as: sue }, { line: refund pay_3 31, as: sue }], ${byFinance}`,
    ],
    [
      'another command',
      `${refund} before: [{ line: "upgrade sub_1 plan_2 --payment-mode offline --price 90 --quantity 1" }], ${confirm}`,
    ],
    [
      'what has no amount',
      `${refund} before: [{ line: list create A }, { line: refund pay_2 20 }], ${confirm}`,
    ],
    [
      'what is not known to have one',
      `${refund} before: [{ line: refund pay_2 }, { line: refund pay_3 20 }], ${confirm}`,
    ],
    ['a look-up', `${refund} before: [{ line: subscriber get ada@example.com }], ${confirm}`],
    ['the same', `${refund} before: [{ line: refund pay_1 20, ago: 30m }], ${again}`],
    ['the same, too long ago', `${refund} before: [{ line: refund pay_1 20, ago: 1801s }], ${confirm}`],
    ['the same of somebody else', `${refund} before: [{ line: refund pay_1 20, as: sue }], ${again}`],
    ['the same for another sum', `${refund} before: [{ line: refund pay_1 10 }], ${confirm}`],
  ])('%s', async (_, test) => {
    expect(await differences(strict, test)).toEqual([])
  })

  it('counts for a budget only under the names that it is about', async () => {
    const calls = strict
      .replace('run: [refund, ', 'run: [refund, "api *", ')
      .replace(
        /budgets:\n.*\n.*\n/,
        'budgets:\n  - { name: calls, commands: ["api *"], per: everyone, window: 1h, limit: 40, then: { approvals: 1, from: [owner] } }\n',
      )
    const call = (payment: string, amount: number) =>
      `"api call billing POST /transaction/refund/${payment} --body '{\\"amount\\":${amount}}'"`
    const asked = (before: string) =>
      `as: sam, line: ${call('pay_1', 20)}, before: [{ line: ${before} }], ${confirm}`
    expect(await differences(calls, asked('refund pay_2 30'))).toEqual([])
    expect(await differences(calls, asked(call('pay_2', 30)))).toEqual([
      'require: expected confirm, found 1 approval from owner',
      '  Calls: 30 of 40 (currency unknown) used in the last 1 h; this would make 50.',
    ])
  })

  it('is refused with where it stands when nobody could have asked for it', async () => {
    expect(await differences(strict, `${refund} before: [{ line: refund }], ${confirm}`)).toEqual([
      expect.stringMatching(/^before: /),
    ])
    const bare = strict.replace(/budgets:\n.*\n.*\n/, '')
    expect(await differences(bare, `${refund} spent: { of each: 1 }, ${confirm}`)).toEqual([
      'spent: there is no budget "of each". Leave it out.',
    ])
    expect(await differences(strict, `${refund} spent: { one: 1, two: 2 }, ${confirm}`)).toEqual([
      'spent: there is no budget "one". Name one of: of each, of all.',
    ])
  })
})

describe('what a test expects', () => {
  const large = 'as: sam, line: refund pay_1 900,'
  it.each<[string, string, string[]]>([
    [
      'clauses and roles in any order',
      `${large} expect: { require: [{ approvals: 2, from: [owner, finance] }, { approvals: 1, from: [owner] }, { approvals: 1, from: [finance] }] }`,
      [],
    ],
    [
      'all clauses',
      `${large} expect: { rule: large, require: { approvals: 1, from: [owner] } }`,
      [
        'require: expected 1 approval from owner, found 1 approval from finance and 1 approval from owner and 2 approvals from finance or owner',
        '  Of each: 0 of 40 (currency unknown) used in the last 2 h; this would make 900.',
        '  Of all: 0 of 100 (currency unknown) used in the last 1 h; this would make 900.',
      ],
    ],
    [
      'the manager of whoever asks',
      'as: sam, line: refund pay_1 60, expect: { require: [{ approvals: 1, from: [manager] }, { approvals: 1, from: [owner] }] }',
      [],
    ],
    [
      'one thing twice, and less beside more',
      `${large} expect: { require: [confirm, { approvals: 1, from: [owner] }, { approvals: 1, from: [owner] }, { approvals: 1, from: [finance, owner] }, { approvals: 2, from: [finance, owner] }, { approvals: 1, from: [finance] }] }`,
      [],
    ],
    [
      'nothing to be needed',
      'as: sam, line: refund pay_1 60, expect: { require: none }',
      [
        expect.stringMatching(/^require: expected none, found 1 approval from .*Mo/) as unknown as string,
        expect.anything() as unknown as string,
      ],
    ],
    ['a confirmation', 'as: sam, line: list create A, expect: { require: confirm }', []],
    ['that nobody is there to decide', 'as: sue, line: refund pay_1 60, expect: { refused: true }', []],
    [
      'another rule, where nobody is there to decide',
      'as: sue, line: refund pay_1 60, expect: { rule: large }',
      ['rule: expected large, found middle', '  "middle" stands before it.'],
    ],
    [
      'that nobody is there to decide, where somebody is',
      'as: sam, line: refund pay_1 60, expect: { refused: true, rule: middle }',
      ['It was expected to be refused, and is not.'],
    ],
    [
      'a refusal, of what nobody could read',
      'as: sam, line: refund pay_1 -4, expect: { refused: true }',
      [expect.stringMatching(/^It is refused: /) as unknown as string],
    ],
    [
      'a rule, of who may not ask',
      'as: mo, line: refund pay_1 4, expect: { rule: small }',
      [expect.stringMatching(/^It is refused: /) as unknown as string],
    ],
    [
      'a rule that is nothing like any',
      'as: sam, line: refund pay_1 20, expect: { rule: something else }',
      ['rule: expected something else, found small', '  There is no such rule.'],
    ],
    [
      'a rule, of a look-up',
      'as: sam, line: subscriber get ada@example.com, expect: { rule: small }',
      ['It asks for no change, so no rule is about it.'],
    ],
    [
      'a refusal, of a look-up',
      'as: sam, line: subscriber get ada@example.com, expect: { refused: true }',
      ['It was expected to be refused, and is not.'],
    ],
  ])('%s', async (_, test, expected) => {
    expect(await differences(strict, test)).toEqual(expected)
  })
})
