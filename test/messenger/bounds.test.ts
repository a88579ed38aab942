import { expect, it } from 'vitest'
import { bounds, refuseTooLarge } from '../../src/kernel/messenger/bounds.ts'
import type { Inbound, Intent } from '../../src/kernel/messenger/inbound.ts'

const inboundOf = (intent: Intent): Inbound => ({
  delivery: 'd',
  from: { platform: 'slack', account: 'U1', name: 'Una', groups: [] },
  place: { channel: null, handle: null, direct: true },
  forms: false,
  intent,
})

const values = (given: Record<string, string | string[]>): Intent => ({
  kind: 'options',
  command: 'refund',
  values: given,
})

it.each<[string, Intent, string]>([
  ['a line', { kind: 'line', line: 'x'.repeat(bounds.line + 1) }, '4,000'],
  ['a value', values({ amount: `1${' '.repeat(40_000)}.` }), '20,000'],
  ['a list by its items', values({ emails: Array.from({ length: 300_000 }, () => '') }), '1,000'],
  ['an item', values({ emails: ['x'.repeat(bounds.text + 1)] }), '20,000'],
  [
    'all values together',
    values(Object.fromEntries([...'abcdef'].map((name) => [name, name.repeat(19_000)]))),
    '100,000',
  ],
  [
    'the number of values',
    values(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, '']))),
    '100',
  ],
  ['a reason', { kind: 'press', verb: 'reject', id: 'a', reason: 'x'.repeat(2_001) }, '2,000'],
])('%s has a limit, which the refusal says', (_, intent, limit) => {
  const refused = refuseTooLarge(inboundOf(intent))
  expect(refused?.message).toContain(limit)
  expect(refused?.next).not.toBe('')
})

it.each<[string, Intent]>([
  ['a line', { kind: 'line', line: 'x'.repeat(bounds.line) }],
  ['a value', values({ amount: 'x'.repeat(bounds.text) })],
  ['a list', values({ emails: Array.from({ length: bounds.items }, () => 'ada@example.com') })],
])('%s at its limit passes', (_, intent) => {
  expect(refuseTooLarge(inboundOf(intent))).toBeUndefined()
})
