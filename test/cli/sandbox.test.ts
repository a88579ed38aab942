import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { runTool } from '../harness/tool.ts'

const script = fileURLToPath(new URL('../../src/cli/sandbox.ts', import.meta.url))
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

const start = (...args: string[]) => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  return child
}

async function introductionOf(child: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += chunk
    if (said.includes('POST /reset')) break
  }
  return said
}

test('it prints exports and curl lines that work as they stand, and Ctrl-C ends it cleanly', async () => {
  const child = start('--port', '0')
  const said = await introductionOf(child)
  const exported = Object.fromEntries(
    [...said.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  expect(Object.keys(exported)).toEqual([
    'EMAIL_BASE_URL',
    'EMAIL_API_KEY',
    'CHAT_BASE_URL',
    'CHAT_API_KEY',
    'BILLING_BASE_URL',
    'BILLING_API_KEY',
    'BILLING_SECRET_KEY',
  ])
  const response = await fetch(`${exported.CHAT_BASE_URL}/contacts/lists`, {
    headers: { authorization: `Bearer ${exported.CHAT_API_KEY}` },
  })
  expect(response.status).toBe(200)
  const curls = said.match(/^curl .*$/gm) ?? []
  expect(curls).toHaveLength(2)
  for (const line of curls) expect(await askAs(line)).toMatchObject({ status: 'success' })
  child.kill('SIGINT')
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.each([
  [
    'a port that is in use',
    async () => new URL((await taken()).email.baseUrl).port,
    /^That port is in use.*\n$/,
  ],
  ['a port that is none', async () => 'harbour', /^A port is a number.*\n$/],
])('%s is one sentence', async (_what, port, sentence) => {
  const { code, err } = await runTool('sandbox', ['--port', await port()])
  expect(err).toMatch(sentence)
  expect(code).toBe(1)
})

const open = new Set<{ close(): Promise<void> }>()
afterEach(async () => {
  for (const sandbox of open) await sandbox.close()
  open.clear()
})

async function taken() {
  const sandbox = await startSandbox()
  open.add(sandbox)
  return sandbox
}

/** Does what curl would do with the line, so that the test needs no curl. */
async function askAs(line: string): Promise<unknown> {
  const [, header] = line.match(/-H 'Authorization: (.*?)'/) ?? []
  const [, user] = line.match(/-u (\S+)/) ?? []
  const authorization = header ?? `Basic ${Buffer.from(user ?? '').toString('base64')}`
  return (await fetch(line.slice(line.lastIndexOf(' ') + 1), { headers: { authorization } })).json()
}
