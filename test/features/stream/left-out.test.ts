import { expect, test } from 'vitest'
import { ocsfLine } from '../../../src/features/stream/ocsf.ts'
import type { Command } from '../../../src/kernel/command/define.ts'
import type { Raw } from '../../../src/kernel/command/line/coerce.ts'
import { valuesOfLine } from '../../../src/kernel/command/line/parse.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { shownUrl } from '../../../src/lib/view/shown-url.ts'
import { fromOf, openTestApp } from '../../harness/app.ts'
import { demoPolicy } from '../../harness/demo-policy.ts'
import { createFront } from '../../harness/front.ts'
import { textsIn } from '../../storage/rows.ts'

/** One person in the forms in which somebody is written. */
const canaries = [
  'kanari@example.com',
  'kanari (at) example.com',
  'Kanari Vogel',
  '+49 151 1234-5678',
  '4915112345678',
  'cus_kanari',
]
const traces = /kanari|vogel|4915112345678|1234-5678/i

const front = createFront()
const bot = await openTestApp({
  front: front.open,
  tasks: false,
  policy: `${demoPolicy}\nwebhooks: [{ url: "https://example.com/hook", secret: { env: HOOK_SECRET } }]\n`,
})

/** What the first example gives, as a form of it has. */
const valuesOf = (command: Command): Record<string, Raw> => {
  const read = valuesOfLine(bot.registry, command.examples[0] ?? '')
  return read.ok ? read.value.values : {}
}

const named = (data: unknown, words: string): unknown => {
  if (typeof data === 'string') return /^[\w.@-]*$/.test(data) ? data : words
  if (Array.isArray(data)) return data.map((one) => named(one, words))
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(
    Object.entries(data).map(([key, one]) => [
      key,
      /name|company|mobile|reason|description|message/i.test(key) && typeof one === 'string'
        ? words
        : named(one, words),
    ]),
  )
}

const linesOf = async (addresses: boolean): Promise<string[]> => {
  await bot.store.auditTree.sequence(bot.app.core.signer)
  const lines: string[] = []
  for (let from = 0; ; ) {
    const rows = await bot.store.auditTree.rowsAfter(from, 500)
    if (rows.length === 0) return lines
    lines.push(...rows.map((row) => ocsfLine(row, { origin: 'o', product: '1', addresses }).line))
    from += rows.length
  }
}

test('what leaves holds no field of any command in which a customer is named, in whatever form', async () => {
  const changes: Change[] = []
  for (const words of canaries) {
    front.replace = (_, data) => named(data, words)
    for (const command of bot.registry.all) {
      for (const { name } of command.params) {
        const reply = await bot.handle({
          from: fromOf('p-finance'),
          intent: { kind: 'form', command: command.name, values: { ...valuesOf(command), [name]: words } },
        })
        if (reply.kind !== 'change') continue
        changes.push(reply.change)
        await bot.press('reject', reply.change.id, 'p-finance2', words)
      }
    }
    await bot.say(`subscriber find ${words}`, 'p-finance')
    bot.sandbox.reset()
  }
  expect(changes.length).toBeGreaterThan(100)
  const told = await textsIn(bot.store, 'webhook_events', 'body')
  expect(told.length).toBeGreaterThanOrEqual(2 * changes.length)
  expect(told.filter((body) => traces.test(body))).toEqual([])
  expect((await linesOf(true)).filter((line) => traces.test(line)).length).toBeGreaterThan(100)
  const lines = await linesOf(false)
  expect(lines.filter((line) => traces.test(line))).toEqual([])
  // What an auditor needs is there all the same.
  const asked = lines.filter((line) => line.includes('"activity_name":"asked"'))
  expect(asked.length).toBeGreaterThan(100)
  for (const line of asked) expect(line).toMatch(/"digest":"[\da-f]{64}"/)
})

test.each([
  ['https://in.example.com/stream?key=s3cret', 'https://in.example.com/stream'],
  ['https://me:s3cret@in.example.com/', 'https://in.example.com'],
  ['https://hooks.example.com/services/T01/B02/s3cret', 'https://hooks.example.com/services/…'],
  ['https://in.example.com/s3cret', 'https://in.example.com/…'],
  ['https://in.example.com/in#s3cret', 'https://in.example.com/in'],
  ['tls://u:s3cret@logs.example.com:6514', 'tls://logs.example.com:6514'],
  ['file /var/log/bellhop.jsonl', 'file /var/log/bellhop.jsonl'],
])('an address shows people no key: %s', (address, shown) => {
  expect(shownUrl(address)).toBe(shown)
})
