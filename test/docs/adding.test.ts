import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startProcess, stopProcess } from '../harness/bot-process.ts'
import { listen } from '../harness/listen.ts'
import { serverOf } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { differencesIn, fileIn } from './page-blocks.ts'
import { copyProject } from './project-copy.ts'

const commandPage = readFileSync('docs/adding-a-command.md', 'utf8')
const commandFiles = ['commands/subscriber/reward.ts', 'test/commands/reward.test.ts'] as const
const servicePage = readFileSync('docs/adding-a-service.md', 'utf8')
const serviceFiles = ['endpoints', 'commands', 'sandbox', 'index'].map((name) => `packs/hours/${name}.ts`)
const featurePage = readFileSync('docs/adding-a-feature.md', 'utf8')
const messengerPage = readFileSync('docs/adding-a-messenger.md', 'utf8')
const messengerFiles = ['config', 'definition', 'acmechat'].map((name) => `adapters/acmechat/${name}.ts`)

type Button = { verb: string; id: string; label: string }
type Message = { channel: string; onlyFor: string | null; text: string; buttons: Button[] }

/** One copy with what both pages add: one compilation, one style check. */
let project: ReturnType<typeof copyProject>
beforeAll(() => {
  project = copyProject()
  for (const file of commandFiles) project.write(file, fileIn(commandPage, file))
  project.apply('commands/own-packs.ts', differencesIn(commandPage))
  for (const file of serviceFiles) project.write(file, fileIn(servicePage, file))
  project.write('ledger/index.ts', fileIn(featurePage, 'ledger/index.ts'))
  for (const file of messengerFiles) project.write(file, fileIn(messengerPage, file))
  project.apply(join('adapters', 'index.ts'), differencesIn(messengerPage))
})
afterAll(() => project.remove())

test('the command and the messenger of the pages compile, are formatted, and pass the checks of the project', () => {
  const files = [...commandFiles, ...serviceFiles, ...messengerFiles]
  // In one thread it takes half of the processor's time.
  const compiled = project.run('typescript/bin/tsc', '--noEmit', '--singleThreaded', '-p', '.')
  const isOurs = (line: string) => line.startsWith('adapters/') || files.some((file) => line.startsWith(file))
  expect(compiled.out.split('\n').filter(isOurs)).toEqual([])
  const checked = project.run('../src/cli/run.js', 'tools/check.ts', 'imports', 'names', 'platforms')
  expect(checked.out).toContain('checks: 3 passed')
  expect(project.run('@biomejs/biome/bin/biome', 'check', '--colors=off', ...files)).toMatchObject({
    code: 0,
  })
})

test('the command of the page passes the test of the page', async () => {
  const postgres = inject('postgres')
  onTestFinished(() => {
    delete process.env.TEST_DATABASE_URL
  })
  if (postgres) process.env.TEST_DATABASE_URL = await serverOf(postgres)
  const tested = project.run('vitest/vitest.mjs', 'run', commandFiles[1])
  expect(tested.out).toMatch(/Tests +2 passed/)
  expect(tested.code).toBe(0)
})

test('the service of the page is pinned, answers in the terminal, and has what moves money approved', () => {
  const [, policy = ''] = /`bellhop.yml`\n\n```yaml\n([\s\S]+?)```\n/.exec(servicePage) ?? []
  project.write('hours.yml', policy)
  const run = (tool: string, ...args: string[]) =>
    project.run('../src/cli/run.js', `src/cli/${tool}.ts`, ...args)
  onTestFinished(() => {
    delete process.env.BELLHOP_CONFIG
  })
  process.env.BELLHOP_CONFIG = 'hours.yml'
  expect(run('say', 'timesheet get ts_1').out).toContain('The pack ./packs/hours is not pinned.')
  expect(run('packs', 'pin').out).toContain('  ./packs/hours')
  const shown = run('say', 'show me timesheet ts_1').out
  expect(shown).toContain('Ada Lindqvist')
  expect(shown).not.toContain('not pinned')
  expect(run('say', '--as', 'sam', 'timesheet pay ts_1').out).toContain('Fay Lindgren can approve it')
  expect(run('doctor').out).toContain('HOURS_BASE_URL turns the real one on')
  project.write('packs/hours/more.ts', 'export const more = 1\n')
  expect(run('say', 'timesheet get ts_1').out).toContain('has changed since it was pinned')
})

test('the feature of the page is the example', () => {
  expect(fileIn(featurePage, 'ledger/index.ts')).toBe(readFileSync('examples/ledger/index.ts', 'utf8'))
})

test('the messenger of the page is started, answers whoever speaks to it, and has a change approved once, which the feature of the page writes down', async () => {
  const chat = await startAcmeChat()
  const [, policy = ''] = /```yaml\n([\s\S]+?)```\n/.exec(messengerPage) ?? []
  const [, featured = ''] = /`bellhop.yml`\n\n```yaml\n([\s\S]+?)```\n/.exec(featurePage) ?? []
  project.write('bellhop.yml', policy + featured)
  expect(project.run('../src/cli/run.js', 'src/cli/packs.ts', 'pin').out).toContain('  ./ledger')
  const bot = startProcess({
    cwd: project.root,
    env: { SANDBOX: 'on', PORT: '0', ACMECHAT_URL: chat.url, ACMECHAT_SECRET: 'secret' },
  })
  const [, base = ''] = await bot.printed(/Acme Chat +on\n[\s\S]*Server +(http:\S+)\n/)
  const deliver = async (
    user: string,
    what: object,
    { id = String(Math.random()), secret = 'secret' } = {},
  ) => {
    const response = await fetch(`${base}/acmechat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ id, channel: 'room-1', user: { id: user, name: user }, ...what }),
    })
    return response.status
  }

  expect(await deliver('sam', { text: 'subscriber get ada@example.com' }, { secret: 'wrong' })).toBe(401)
  expect(await deliver('sam', { text: 7 })).toBe(400)
  expect(await deliver('sam', { text: 'subscriber get ada@example.com' })).toBe(202)
  expect((await chat.finds('Ada Lindqvist')).onlyFor).toBe('sam')

  const twice = { id: 'delivered-twice' }
  expect(await deliver('sam', { text: 'refund pay_1003 120' }, twice)).toBe(202)
  expect(await deliver('sam', { text: 'refund pay_1003 120' }, twice)).toBe(202)
  const card = await chat.finds('pay_1003')
  expect(card).toMatchObject({ channel: 'room-1', onlyFor: null })
  const approve = card.buttons.find(({ label }) => label === 'Approve')
  expect(await deliver('sam', { button: approve })).toBe(202)
  expect((await chat.finds('You asked for this yourself')).onlyFor).toBe('sam')
  expect(await deliver('fay', { button: approve })).toBe(202)
  await until(() => {
    expect(card.text).toContain('Refunded 120 USD to')
    expect(card.buttons.map(({ label }) => label)).toEqual(['Receipt', 'Details'])
  })
  expect((await chat.finds('Refunded', '@sam')).onlyFor).toBe('sam')
  expect(chat.messages().filter(({ channel, text }) => channel === 'room-1' && /^Refund/.test(text))).toEqual(
    [card],
  )
  const book = () => readFileSync(join(project.root, 'changes.csv'), 'utf8').split('\n')
  await until(() => expect(book()).toHaveLength(3))
  expect(book()[1]).toMatch(/^\w+,".*","refund","120","USD","Sam Support","Fay Finance"$/)
  expect((await stopProcess(bot)).code).toBe(0)
})

/** The made-up platform of the page. */
const startAcmeChat = async () => {
  const messages = new Map<string, Message>()
  const server = createServer(async (request, response) => {
    const sent = (await json(request)) as Message
    const id = request.url?.split('/')[2] ?? String(messages.size + 1)
    const message = messages.get(id)
    if (request.headers.authorization !== 'Bearer secret') response.writeHead(401).end('{}')
    else if (request.method === 'PUT' && message === undefined) response.writeHead(404).end('{}')
    else {
      if (message === undefined) messages.set(id, sent)
      else Object.assign(message, sent)
      response.end(JSON.stringify({ id }))
    }
  })
  const { origin, close } = await listen(server)
  onTestFinished(close)
  return {
    url: origin,
    messages: () => [...messages.values()],
    finds: (words: string, channel = 'room-1') =>
      until(() => {
        const found = [...messages.values()].find(
          (one) => one.channel === channel && one.text.includes(words),
        )
        if (found === undefined) throw new Error(`no "${words}" in ${JSON.stringify([...messages.values()])}`)
        return found
      }),
  }
}
