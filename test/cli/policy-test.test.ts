import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { differencesFrom } from '../../src/pipeline/explaining/policy-tests.ts'
import { testsIn } from '../../src/policy/file/tests.ts'
import { policyOf } from '../harness/app.ts'
import { entry, newFolder, startProcess } from '../harness/bot-process.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { openHarness } from '../pipeline/harness.ts'

describe('a test of the policy', async () => {
  const { app, registry } = await openHarness()
  const core = { ...app.core, policy: policyOf(demoPolicy, registry) }
  const differences = async (test: string) => {
    const read = testsIn(`tests:\n  - { name: it, ${test} }\n`, { file: 'a.tests.yml', isPolicy: false })
    if (!read.ok) return read.problems
    return (await Promise.all(read.tests.map((one) => differencesFrom(core, one)))).flat()
  }

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
        '  Refunds a day: 0 of 200 used in the last 24 h; this would make 600.',
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
    expect(await differences(test)).toEqual(expected)
  })
})

const policyTool = (cwd: string, ...args: string[]) =>
  startProcess({
    args: entry('src/cli/policy.ts', 'test', ...args),
    env: { BELLHOP_CONFIG: join(cwd, 'bellhop.yml') },
  })

it('npm run policy -- test runs those of the file and of the files beside it, and its exit code tells', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), demoPolicy)
  writeFileSync(
    join(folder, 'more.tests.yml'),
    'tests:\n  - { name: beside, as: p-support, line: refund pay_1 600 --customer cus_1001, expect: { rule: refund } }\n',
  )
  writeFileSync(join(folder, 'bare.yml'), demoPolicy.slice(0, demoPolicy.indexOf('\ntests:')))
  writeFileSync(join(folder, 'broken.yml'), demoPolicy.replace('expect: {', 'expects: {'))
  const [both, broken] = [policyTool(folder), policyTool(folder, join(folder, 'broken.yml'))]
  expect((await both.ended).code).toBe(1)
  expect(both.out()).toContain('ok    many small refunds make a large one\n')
  expect(both.out()).toContain(
    `FAIL  beside   (${join(folder, 'more.tests.yml')}:2)\n      refund pay_1 600 --customer cus_1001, asked by p-support\n      rule: expected refund, found large refund\n      It is for amounts up to 500, and this is 600.\n`.replace(
      '      It is',
      '        It is',
    ),
  )
  expect(both.out()).toMatch(/\n\d tests, 1 failed\.\n$/)
  expect((await broken.ended).code).toBe(2)
  expect(broken.err()).toMatch(
    /broken\.yml:\d+:\d+: unknown key "expects" in tests\[0\]\. Did you mean "expect"\?/,
  )
  writeFileSync(join(folder, 'more.tests.yml'), 'tests: []\n')
  const [passed, bare] = [policyTool(folder), policyTool(folder, join(folder, 'bare.yml'))]
  expect((await passed.ended).code).toBe(0)
  expect((await bare.ended).code).toBe(2)
  expect(bare.err()).toContain('There are no tests for')
})
