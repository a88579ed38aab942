import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../harness/bot-process.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { runTool } from '../harness/tool.ts'

const policyTool = (cwd: string, ...args: string[]) =>
  runTool('policy', ['test', ...args], { env: { BELLHOP_CONFIG: join(cwd, 'bellhop.yml') } })

it('npm run policy -- test runs those of the file and of the files beside it, and its exit code tells', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), demoPolicy)
  writeFileSync(
    join(folder, 'more.tests.yml'),
    'tests:\n  - { name: beside, as: p-support, line: refund pay_1 600 --customer cus_1001, expect: { rule: refund } }\n',
  )
  writeFileSync(join(folder, 'bare.yml'), demoPolicy.slice(0, demoPolicy.indexOf('\ntests:')))
  writeFileSync(join(folder, 'broken.yml'), demoPolicy.replace('expect: {', 'expects: {'))
  const both = await policyTool(folder)
  expect(both.code).toBe(1)
  expect(both.out).toContain('ok    many small refunds make a large one\n')
  expect(both.out).toContain(
    `FAIL  beside   (${join(folder, 'more.tests.yml')}:2)\n      refund pay_1 600 --customer cus_1001, asked by p-support\n      rule: expected refund, found large refund\n      It is for amounts up to 500, and this is 600.\n`.replace(
      '      It is',
      '        It is',
    ),
  )
  expect(both.out).toMatch(/\n\d tests, 1 failed\.\n$/)
  const broken = await policyTool(folder, join(folder, 'broken.yml'))
  expect(broken.code).toBe(2)
  expect(broken.err).toMatch(
    /broken\.yml:\d+:\d+: unknown key "expects" in tests\[0\]\. Did you mean "expect"\?/,
  )
  writeFileSync(join(folder, 'more.tests.yml'), 'tests: []\n')
  expect(await policyTool(folder)).toMatchObject({ code: 0 })
  const bare = await policyTool(folder, join(folder, 'bare.yml'))
  expect(bare.code).toBe(2)
  expect(bare.err).toContain('There are no tests for')
})
