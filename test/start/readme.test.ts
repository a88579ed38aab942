import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openTestApp, textOf } from '../harness/app.ts'
import { newFolder, startProcess, stopProcess } from '../harness/bot-process.ts'

const readme = readFileSync('README.md', 'utf8')

test('npm start, as the README says it, answers a command in the console, and Ctrl-C ends it', async () => {
  expect(readme).toMatch(/^ {4}npm ci && npm start$/m)
  const folder = newFolder()
  const bot = startProcess({ command: 'npm', args: ['start'], env: { PORT: '0', DATA_DIR: folder } })
  const [, address = ''] = await bot.printed(/Open (http:\S+) and try: refund/)
  const answered = await fetch(`${address}/api/say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(address).origin },
    body: JSON.stringify({
      as: 'p-support',
      delivery: crypto.randomUUID(),
      line: 'subscriber get ada@example.com',
    }),
  })
  const { message } = (await answered.json()) as { message: string }
  const seen = await fetch(`${address}/api/as-seen?as=p-support&message=${message}`)
  expect(await seen.text()).toContain('Ada Lindqvist')
  await stopProcess(bot, 'SIGINT')
  expect(bot.err()).not.toMatch(/^ +at /m)
  // The files beside it go when the database is closed and not just dropped.
  expect(readdirSync(folder)).toEqual([
    'audit-checkpoint.txt',
    'audit-key.pem',
    'bellhop.sqlite',
    'helper.token',
  ])
})

test('every line of the tour in the console is one that somebody of the demo may say', async () => {
  const [, tour = ''] =
    /### In the console\n([\s\S]+?)\n###/.exec(readFileSync('docs/first-refund.md', 'utf8')) ?? []
  const lines = [...tour.matchAll(/`([^`]+)`/g)].map(([, line = '']) => line)
  expect(lines.length).toBeGreaterThan(5)
  const { say, press } = await openTestApp()
  for (const line of lines) {
    const asked = await say(line, 'p-support')
    const who = asked.kind === 'refused' ? 'p-finance' : 'p-support'
    const reply = asked.kind === 'refused' ? await say(line, who) : asked
    expect([line, textOf(reply), reply.kind]).not.toContain('refused')
    if (reply.kind !== 'change' || reply.change.state !== 'pending') continue
    const { id, clauses } = reply.change
    const pressed =
      clauses[0]?.kind === 'confirm'
        ? await press('confirm', id, who)
        : await press('approve', id, 'p-finance')
    expect([line, textOf(pressed), pressed.kind]).not.toContain('refused')
  }
})
