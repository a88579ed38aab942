import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { policyTextOf } from '../../src/cli/init/policy-text.ts'
import { differencesFrom } from '../../src/cli/policy/differences.ts'
import { testsIn } from '../../src/cli/policy/tests.ts'
import { loadPolicy } from '../../src/kernel/policy/file/load.ts'
import { policyOf } from '../harness/app.ts'
import { newFolder, startBot, stopProcess } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { platforms } from '../harness/platforms.ts'
import { runTool } from '../harness/tool.ts'
import { openHarness } from '../pipeline/harness.ts'

const init = (args: string[], typed?: string) => runTool('init', args, typed === undefined ? {} : { typed })

it('npm run init -- --yes writes a file that starts, and never over one that is there', async () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  expect(await init(['--yes', '--file', file])).toMatchObject({ code: 0 })
  const text = readFileSync(file, 'utf8')
  expect(text.match(/^ *# /gm)?.length).toBeGreaterThan(8)
  const bot = await startBot({ BELLHOP_CONFIG: file, DATA_DIR: join(folder, 'data') })
  expect(bot.out()).toContain(`Policy     ${file}`)
  await stopProcess(bot)

  writeFileSync(file, '# mine\n')
  const again = await init(['--yes', '--file', file])
  expect(again.code).toBe(2)
  expect(again.err).toContain('is there already, and nothing is written over it')
  expect(readFileSync(file, 'utf8')).toBe('# mine\n')
})

it('npm run init asks, takes what is usual for an empty answer, and says when nobody answers', async () => {
  const file = join(newFolder(), 'bellhop.yml')
  const answers = ['Ida Berg slack=U01IDA', '', '', '30', '', '', 'slack=C01CARDS', '']
  expect(await init(['--file', file], answers.join('\n'))).toMatchObject({ code: 0 })
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    people: [{ id: 'ida-berg', name: 'Ida Berg', slack: 'U01IDA' }, { name: 'Fay Finance' }, {}],
    approvals: { slack: 'C01CARDS' },
    links: { customer: 'billing_id', customersWrite: ['customer'] },
    policies: [{ amount: { upTo: 30 } }, { amount: { upTo: 500 } }, {}, {}, {}],
  })
  const ours = await init(
    ['--file', `${file}.ours`],
    [...answers.slice(0, 7), 'company_id', 'no', ''].join('\n'),
  )
  expect(ours.code).toBe(0)
  expect(parse(readFileSync(`${file}.ours`, 'utf8')).links).toEqual({
    customer: 'company_id',
    customersWrite: [],
  })
  const alone = await init(['--file', `${file}.other`])
  expect(alone.code).toBe(2)
  expect(alone.err).toContain('npm run init -- --yes asks nothing')
})

it('what is answered stands in the file, whose tests pass', async () => {
  const { app, registry } = await openHarness()
  const answers = {
    requester: { name: 'Zoë Lind', accounts: { slack: 'U01ZOE' } },
    approver: { name: '李雷', accounts: {} },
    secondApprover: { name: 'Zoe Lind', accounts: { discord: '410000000000000001' } },
    channels: { discord: '310000000000000001' },
    small: 12,
    daily: 80,
    large: 300,
    customerField: 'their_id',
    isCustomersWrite: true,
  }
  const text = policyTextOf(answers)
  const loaded = loadPolicy(text, { file: 'it', commands: commandsWith().all, platforms })
  expect(loaded.ok && loaded.warnings()).toEqual([])
  expect(loaded).toMatchObject({
    ok: true,
    policy: {
      people: [
        { id: 'zoe-lind', name: 'Zoë Lind', accounts: { slack: 'U01ZOE' }, roles: ['support'] },
        { id: 'person-2', name: '李雷', roles: ['finance'] },
        { id: 'person-3', accounts: { discord: '410000000000000001' }, roles: ['finance'] },
      ],
      agents: [],
      links: { customer: 'their_id' },
      customersWrite: ['customer'],
      approvals: [{ platform: 'discord', channel: '310000000000000001' }],
    },
  })
  const core = { ...app.core, policy: policyOf(text, registry) }
  const read = testsIn(text, { file: 'it', isPolicy: true })
  const tests = read.ok ? read.tests : []
  // Nobody was asked for an address where passkeys could be used.
  expect(tests).toHaveLength(parse(demoPolicy).tests.length - 1)
  expect(text).not.toContain('passkey')
  expect(tests.map(({ line }) => line)).toContain('refund pay_1 12')
  for (const test of tests) expect(await differencesFrom(core, test)).toEqual([])
})
