import { expect, it } from 'vitest'
import type { Intent } from '../../../src/kernel/messenger/inbound.ts'
import { isUrgentLine, nameOf } from '../../../src/kernel/request/urgent.ts'
import { fromOf } from '../../harness/app.ts'
import { commandsWith } from '../../harness/commands.ts'

const registry = commandsWith()
const line = (words: string): Intent => ({ kind: 'line', line: words })

it.each<[Intent, string]>([
  [line('refund pay_1 20'), 'refund'],
  [line('/Subscriber GET ada@example.com'), 'subscriber get'],
  [line('give ada her money back'), 'other'],
  [line(''), 'other'],
  [{ kind: 'form', command: 'refund', values: {} }, 'refund'],
  [{ kind: 'form', command: 'no such command', values: {} }, 'other'],
  [{ kind: 'press', verb: 'approve', id: 'x' }, 'press approve'],
  [{ kind: 'reply', to: 'm1', text: 'secret' }, 'reply'],
])('%j is told in the log by its name alone: %s', (intent, name) => {
  const from = fromOf('sam')
  expect(nameOf(registry, { from, intent })).toBe(`${from.platform}: ${name}`)
})

it.each([
  ['freeze all', true],
  ['/freeze', true],
  ['  unfreeze billing', true],
  ['subscriber get ada@example.com', false],
  ['', false],
])('%j goes before others: %s', (words, isFirst) => {
  expect(isUrgentLine(registry, words)).toBe(isFirst)
})
