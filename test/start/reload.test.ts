import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { textDigestOf } from '../../src/lib/codecs/canonical-json.ts'
import { newFolder, startBot } from '../harness/bot-process.ts'
import { demoPolicy } from '../harness/demo-policy.ts'

test('a process that gets SIGHUP takes the changed file in, refuses a broken one with its lines, and goes on', async () => {
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  const first = demoPolicy.replace(/^agents:\n(?: .*\n)+/m, '')
  writeFileSync(file, first)
  const bot = await startBot({ BELLHOP_CONFIG: file, DATA_DIR: join(folder, 'data'), MCP: 'off' })
  const words = (text: string) => new RegExp(`The policy ${textDigestOf(text).slice(0, 12)} is in force`)

  const second = first.replace('limit: 200', 'limit: 100')
  writeFileSync(file, second)
  bot.send('SIGHUP')
  await bot.printed(words(second))

  const broken = second.replace('require: confirm', 'require: maybe')
  writeFileSync(file, broken)
  bot.send('SIGHUP')
  const line = broken.split('\n').findIndex((one) => one.includes('maybe')) + 1
  await vi.waitFor(() => expect(bot.err()).toContain('the old one stays in force'), 60_000)
  expect(bot.err()).toContain(`${file}:${line}:`)
  expect((await fetch(`${bot.base}/healthz`)).status).toBe(200)

  writeFileSync(file, first)
  bot.send('SIGHUP')
  await bot.printed(words(first))
})
