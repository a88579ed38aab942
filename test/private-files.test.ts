import { chmodSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { messengers } from '../adapters/index.ts'
import { readConfig } from '../src/cli/start/config.ts'
import { startProcess } from './harness/bot-process.ts'
import { commandsWith } from './harness/commands.ts'
import { until } from './harness/until.ts'

const modesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${(statSync(join(folder, name)).mode & 0o777).toString(8)} ${name}`)
const own = (folder: string) => expect(modesIn(folder).filter((one) => !one.startsWith('600 '))).toEqual([])

/** In a shell that takes nothing from what a program asks for. */
const openly = (args: string[], env: Record<string, string>) =>
  startProcess({
    command: 'sh',
    args: ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, ...args],
    env,
  })

test('what stands beside the data is readable for nobody else, whatever folder it stands in and however it came there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-private-'))
  chmodSync(folder, 0o777)
  for (const name of ['bellhop.sqlite', 'bellhop.sqlite-journal', 'sent.jsonl', 'helper.token']) {
    writeFileSync(join(folder, name), name === 'helper.token' ? 'x'.repeat(64) : '')
    chmodSync(join(folder, name), 0o666)
  }
  const env = { DATA_DIR: folder, PORT: '0', CONSOLE: 'on', MCP: 'on' }
  const bot = openly(['src/cli/run.js', 'src/main.ts'], env)
  await bot.printed(/Stop with Ctrl-C/)
  expect(modesIn(folder).join()).toMatch(/bellhop\.sqlite-wal/)
  expect(modesIn(folder).join()).toMatch(/audit-key\.pem.*bellhop\.sqlite/)
  own(folder)
  await until(() => expect(bot.err()).toContain('is open to other accounts of this machine, with mode 777'))
  const backup = openly(
    ['src/cli/run.js', 'src/cli/backup.ts', join(folder, 'one.backup'), '--without-key'],
    env,
  )
  expect((await backup.ended).code).toBe(0)
  own(folder)
  bot.send('SIGTERM')
  await bot.ended
  own(folder)
})

test('a folder that Bellhop makes is its own, and one that others may look into is a finding of doctor and start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-private-'))
  const commands = commandsWith().all
  const told = (DATA_DIR: string) =>
    readConfig({ DATA_DIR }, commands, messengers)
      .warnings()
      .filter((one) => one.includes('DATA_DIR'))
  for (const [mode, isTold] of [
    [0o700, false],
    [0o750, true],
    [0o705, true],
    [0o711, true],
  ] as const) {
    const data = join(folder, mode.toString(8))
    mkdirSync(data)
    chmodSync(data, mode)
    expect([mode, told(data).length]).toEqual([mode, isTold ? 1 : 0])
  }
  expect(told(join(folder, 'nowhere'))).toEqual([])
})

test('two hooks with one secret are a finding of doctor and start, by one variable or by two', () => {
  const [one, other] = [1, 2].map((n) => `whsec_${Buffer.alloc(32, n).toString('base64')}`) as [
    string,
    string,
  ]
  const told = (secrets: [string, string], env: Record<string, string>) => {
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-hooks-'))
    const hooks = secrets.map(
      (name, at) => `{ url: "https://h${at}.example.com/x", secret: { env: ${name} } }`,
    )
    const file = join(folder, 'bellhop.yml')
    writeFileSync(
      file,
      `version: 1\npeople:\n  - { id: sam, name: Sam, roles: [all] }\nroles:\n  all: { run: ["*"], approve: ["*"] }\nwebhooks: [${hooks.join(', ')}]\n`,
    )
    return readConfig({ DATA_DIR: folder, BELLHOP_CONFIG: file, ...env }, commandsWith().all, messengers)
      .warnings()
      .filter((words) => words.includes('have one secret'))
  }
  const sentence =
    'The webhooks https://h0.example.com, https://h1.example.com have one secret, so whoever receives one can write to the others in our name: give each a variable and a secret of its own.'
  expect(told(['A_SECRET', 'A_SECRET'], { A_SECRET: one })).toEqual([sentence])
  expect(told(['A_SECRET', 'B_SECRET'], { A_SECRET: one, B_SECRET: one })).toEqual([sentence])
  expect(told(['A_SECRET', 'B_SECRET'], { A_SECRET: one, B_SECRET: one.slice('whsec_'.length) })).toEqual([
    sentence,
  ])
  expect(told(['A_SECRET', 'B_SECRET'], { A_SECRET: one, B_SECRET: other })).toEqual([])
})
