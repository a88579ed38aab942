import { describe, expect, test } from 'vitest'
import { maxLineLength } from '../../src/kernel/command/line/parse.ts'
import { ok } from '../../src/lib/result.ts'
import { fromOf } from '../harness/app.ts'
import { openHarness, refusalOf } from './harness.ts'

const { say, handle } = await openHarness()

describe('a line', () => {
  const lineOf = (length: number) => `subscriber get ${'a'.repeat(length)}`.slice(0, length)

  test('of more than 4,000 characters is refused with a sentence', async () => {
    expect(refusalOf(await say(lineOf(maxLineLength + 1)))).toMatchObject({
      code: 'line_too_long',
      message: 'This line has 4,001 characters; a line has at most 4,000.',
    })
  })

  test('of 4,000 characters is read', async () => {
    expect(refusalOf(await say(lineOf(maxLineLength))).code).not.toBe('line_too_long')
  })
})

describe('the right to run a command', () => {
  test.each([
    ['a flag that there is not', 'refund pay_1 --nonsense 1'],
    ['a quote that is never closed', 'refund "pay_1'],
    ['values that are missing', 'refund'],
    ['a value that is not valid', 'refund pay_1 --amount none'],
  ])('is checked before its arguments are read: %s', async (_, line) => {
    expect(refusalOf(await say(line, 'kim')).code).toBe('may_not_run')
    expect(refusalOf(await say(line, 'nobody')).code).toBe('stranger')
  })

  test.each(['line', 'form'] as const)('is checked before a file of a %s is fetched', async (kind) => {
    let fetched = 0
    const attached = {
      file: async () => {
        fetched++
        return ok({
          name: 'people.csv',
          bytes: Buffer.from('email,company\nada@example.com,Northwind Two\n'),
        })
      },
    }
    const intent =
      kind === 'line'
        ? { kind, line: 'subscriber import' }
        : { kind, command: 'subscriber import', values: {} }
    const from = (account: string) => ({ platform: 'console' as const, account, name: account, groups: [] })
    expect(refusalOf(await handle({ from: from('kim'), intent, attached })).code).toBe('may_not_run')
    expect(fetched).toBe(0)
    expect(await handle({ from: from('sam'), intent, attached })).toMatchObject({ kind: 'change' })
    expect(fetched).toBe(1)
  })
})

test.each([
  ['line', undefined],
  ['form', undefined],
  ['line', 'first'],
  ['form', 'first'],
] as const)('a file that a look-up by a %s has no room for is not passed over', async (kind, stored) => {
  const intent =
    kind === 'line'
      ? { kind, line: 'subscriber get ada@example.com' }
      : { kind, command: 'subscriber get', values: { who: 'ada@example.com' } }
  const storing = stored && Promise.resolve(stored)
  const sent = { from: fromOf('sam'), intent, storing }
  const attached = { file: async () => ok({ name: 'people.csv', bytes: Buffer.from('email\n') }) }
  expect((await handle(sent)).kind).toBe('answer')
  expect((await handle({ ...sent, attached })).kind).toBe('refused')
})

test('nobody has more than 2,000 requests waiting, and a freeze is asked for all the same', async () => {
  const { ask, store, say: tell, payment } = await openHarness({ tasks: false })
  const first = await ask(`refund ${payment()} 60`, 'finn')
  const others = Array.from({ length: 1_998 }, (_, at) => ({ ...first, id: `waits${at}` }))
  await Promise.all(others.map((one) => store.changes.insert(one)))
  expect((await ask(`refund ${payment()} 60`, 'finn')).state).toBe('pending')
  expect(refusalOf(await tell(`refund ${payment()} 60`, 'finn')).message).toContain('2,000 requests waiting')
  expect((await tell('freeze billing', 'finn')).kind).toBe('change')
})
