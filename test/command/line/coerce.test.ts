import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { amountParam } from '../../../src/kernel/command/amount.ts'
import { coerce, type Raw } from '../../../src/kernel/command/line/coerce.ts'
import { valueTextOf } from '../../../src/kernel/command/line/print.ts'
import { type Param, paramsOf } from '../../../src/kernel/command/params.ts'

const params = paramsOf(
  z.object({
    text: z.string().describe('Text'),
    integer: z.int().describe('Integer'),
    number: z.number().describe('Number'),
    boolean: z.boolean().describe('Boolean'),
    choice: z
      .enum(['end_of_term', 'now'])
      .describe('Choice')
      .meta({ aliases: { eot: 'end_of_term', 'at once': 'now' } }),
    list: z.array(z.string()).describe('List'),
    json: z.json().describe('Json').meta({ json: true }),
    date: z.iso.date().describe('Date'),
    amount: amountParam.describe('Amount'),
  }),
)
const param = (type: Param['type']): Param => {
  const found = params.find((one) => one.type === type)
  if (found === undefined) throw new Error(`no parameter of type ${type}`)
  return found
}

it.each<[Param['type'], Raw, unknown]>([
  ['text', 'as it is ', 'as it is '],
  ['text', 5, '5'],
  ['integer', ' 5 ', 5],
  ['integer', '-5', -5],
  ['integer', '−5', -5],
  ['integer', '–5', -5],
  ['integer', '+5', 5],
  ['integer', '1 200', 1200],
  ['integer', '1,200,000', 1_200_000],
  ['number', '2.50', 2.5],
  ['number', '.5', 0.5],
  ['number', '12,50', 12.5],
  ['number', '0,500', 0.5],
  ['number', '1234.567', 1234.567],
  ['number', 1.234, 1.234],
  ['number', 7, 7],
  ['boolean', 'Yes', true],
  ['boolean', 'off', false],
  ['boolean', false, false],
  ['choice', 'End of Term', 'end_of_term'],
  ['choice', 'END-OF-TERM', 'end_of_term'],
  ['choice', 'EOT', 'end_of_term'],
  ['choice', 'at_once', 'now'],
  ['list', 'a, b', ['a', 'b']],
  ['list', ['a,b', 'c'], ['a,b', 'c']],
  ['json', '{"a": [1]}', { a: [1] }],
  ['json', '{“a”: 1}', { a: 1 }],
  ['date', ' 2026-01-31 ', '2026-01-31'],
])('%s takes %j as %j', (type, raw, value) => {
  expect(coerce(param(type), raw)).toEqual({ ok: true, value })
})

it.each<[Param['type'], Raw, string]>([
  ['integer', '1.5', 'a whole number'],
  ['integer', '9007199254740993', 'a whole number'],
  ['integer', '', 'a whole number'],
  ['integer', '1e3', 'a whole number'],
  ['number', '$5', 'a number'],
  ['number', '0.1234567890123456', 'a number'],
  ['number', '0x10', 'a number'],
  ['boolean', 'perhaps', 'yes or no'],
  ['boolean', 'constructor', 'yes or no'],
  ['choice', 'later', 'one of end_of_term, now'],
  ['choice', 'toString', 'one of end_of_term, now'],
  ['json', '{a: 1}', 'JSON'],
])('%s refuses %j and says that it takes %s', (type, raw, expected) => {
  const refused = coerce(param(type), raw)
  expect(refused.ok ? undefined : refused.refusal).toMatchObject({
    code: 'bad_value',
    message: `${raw === '' ? `The ${type} cannot be used` : `“${raw}” cannot be the ${type}`}: it takes ${expected}.`,
    field: type,
  })
})

it.each<[Param['type'], Raw, string]>([
  ['integer', '1,000', '1000 and as 1'],
  ['number', '-1.250', '-1250 and as -1.25'],
  ['amount', '12,345 USD', '12345 and as 12.345'],
])('%s refuses %j, which is two numbers, and names both', (type, raw, both) => {
  expect(coerce(param(type), raw)).toMatchObject({
    ok: false,
    refusal: {
      code: 'bad_value',
      message: expect.stringContaining(`can be read as ${both}.`),
      would: both.split(' and as '),
    },
  })
})

it('reads a number as it prints it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e13, max: 1e13 }), (units) => {
      const value = units / 1_000
      expect(coerce(param('number'), valueTextOf(param('number'), value))).toEqual({ ok: true, value })
    }),
  )
})

it.each<[Param['type'], Raw, string]>([
  ['text', 'pay_\u200b1', '[U+200B]'],
  ['text', 'pay_1\u200b ', '[U+200B]'],
  ['text', 'pay_\u202e1', '[U+202E]'],
  ['text', 'pay\u00ad_1', '[U+00AD]'],
  ['text', 'pay_1\ufe0f', '[U+FE0F]'],
  ['text', 'pay\u200d_1', '[U+200D]'],
  ['text', 'pay_1\u3164', '[U+3164]'],
  ['text', 'pay_1\u{e0041}', '[U+E0041]'],
  ['text', 'pay_\u00071', '[U+0007]'],
  ['date', '2026-01-31\u2060', '[U+2060]'],
  ['list', 'vip, be\u200bta', '[U+200B]'],
  ['list', ['vip', '\ufeffbeta'], '[U+FEFF]'],
])('%s refuses %j, which looks like another value', (type, raw, code) => {
  expect(coerce(param(type), raw)).toMatchObject({
    ok: false,
    refusal: {
      code: 'bad_value',
      message: expect.stringContaining(code),
      next: expect.stringMatching(/\.$/),
    },
  })
})

it.each(['👨‍👩‍👧', '❤️', '1️⃣', '👍🏽', 'نامه‌ای', 'क्‍ष'])(
  'text takes %s, which cannot be written otherwise',
  (raw) => {
    expect(coerce(param('text'), raw)).toEqual({ ok: true, value: raw })
  },
)
