import { expect, it } from 'vitest'
import { createUnwrap, withoutMarks } from '../../src/kernel/sayings/wrapping.ts'
import { commandsWith } from '../harness/commands.ts'

const unwrap = createUnwrap(commandsWith().language)

it.each([
  ['Hello team, could you refund pay_1? Best regards, Sam', 'could you refund pay_1?'],
  ['Hi all! Please refund pay_1. Kind regards', 'Please refund pay_1'],
  ['Guten Morgen, bitte pay_1 erstatten, viele Grüße', 'bitte pay_1 erstatten'],
  ['> refund pay_1\n> thanks\n> Sam Support', 'refund pay_1'],
  ['refund pay_1', 'refund pay_1'],
  ['thanks', 'thanks'],
  ['hello, thanks', 'thanks'],
  ['refund pay_1, thanks, ada@example.com', 'refund pay_1, thanks, ada@example.com'],
  [
    'refund pay_1. Thanks for looking at the other one too.',
    'refund pay_1. Thanks for looking at the other one too',
  ],
])('of "%s" what is wanted is "%s"', (said, wanted) => {
  expect(unwrap(said)).toBe(wanted)
})

it.each([
  ['late, ', 'late'],
  ['late – ', 'late'],
  ['', ''],
  [',;', ''],
  ['is it late?', 'is it late?'],
])('"%s" without the marks behind it is "%s"', (text, wanted) => {
  expect(withoutMarks(text)).toBe(wanted)
})
