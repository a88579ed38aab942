import type { Row } from 'bellhop/pack'
import { expect, test } from 'vitest'
import { pack } from './index.ts'

const { handlers } = await pack.sandbox()
const rows: [string, Row][] = Object.entries(pack.rows)

test.each(rows)('the sandbox answers %s with what its schema reads', (name, { answer }) => {
  const call = { state: {} as never, params: ['example'], query: new URLSearchParams(), body: {}, now: 0 }
  const { body } = handlers[name]?.(call) ?? { body: undefined }
  const payload = Object(body).structuredContent ?? {}
  expect(answer.safeParse(payload).error).toBeUndefined()
})

test('whatever writes is sent once', () => {
  const writing = rows.filter(([, { effect }]) => effect !== 'read').map(([name, { effect }]) => [name, effect])
  expect(writing).toEqual([['sendBroadcast', 'once'], ['createContact', 'once'], ['removeContact', 'once'], ['sendEmail', 'once']])
})

test('every example begins with the name of its command', () => {
  for (const { name, examples } of pack.commands) for (const line of examples) expect(line.startsWith(name)).toBe(true)
})
