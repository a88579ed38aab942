import { expect, it } from 'vitest'
import { type SayingToken, tokensOf } from '../../src/kernel/sayings/tokens.ts'

const brief = (token: SayingToken): string => {
  if (token.kind === 'thing') return `${token.kinds.slice(0, 2).join('/')} ${token.text}`
  if (token.kind === 'number') return `number ${token.value}${token.currency ?? ''}`
  if (token.kind === 'since') return `since ${token.since}`
  return `${token.kind} ${token.kind === 'word' ? token.word : token.text}`
}

it.each([
  // Amounts, and what is nearly one.
  ['$20', 'number 20$'],
  ['20€', 'number 20€'],
  ['20usd', 'number 20usd'],
  ['20 usd', 'number 20', 'word usd'],
  ['1234567', 'number 1234567'],
  ['12345678', 'contact 12345678'],
  ['$12345678', 'number 12345678$'],
  ['5²', 'doubt 5²'],
  ['٢٠', 'doubt ٢٠'],
  ['½', 'doubt ½'],
  ['1.000', 'doubt 1.000'],
  ['12.5%', 'percent 12.5%'],
  ['1234%', 'word 1234%'],
  ['1.2345%', 'word 1.2345%'],
  // Times.
  ['2026-11-16T10:00', 'since 2026-11-16'],
  ['12h', 'since 12h'],
  ['30D', 'since 30d'],
  ['10w', 'since 70d'],
  ['1234w', 'word 1234w'],
  // Numbers of telephones, one however they are written.
  ['+46(70)123-45', 'contact +467012345'],
  ['+1 555 011 0000', 'contact +15550110000'],
  ['+1 555 $5', 'contact +1555', 'number 5$'],
  ['+123456789012 5', 'contact +123456789012', 'number 5'],
  ['x +1 5', 'word x', 'contact +15'],
  ['seat 5', 'word seat', 'number 5'],
  ['+1 abc', 'word +1', 'word abc'],
  ['1..2', 'word 1..2'],
  // Ids by their form.
  ['pay_1', 'payment pay_1'],
  ['x_1', 'word x_1'],
  ['abcdefghijklm_1', 'word abcdefghijklm_1'],
  ['64b000000000000000000001', 'subscriber/contact 64b000000000000000000001'],
  ['64b00000000000000000000', 'word 64b00000000000000000000'],
  ['ab23cd45ef', 'change/job ab23cd45ef'],
  ['abcdefghij', 'word abcdefghij'],
  ['ada@example.com.', 'subscriber ada@example.com'],
  ['(ada@example.com)', 'subscriber ada@example.com'],
  ['<mailto:ada@example.com|ada@example.com>', 'subscriber ada@example.com'],
  ['ada@example', 'word ada@example'],
  // Quotes of any language, and one that nobody closed.
  ['"a b" c', 'quoted a b', 'word c'],
  ['“x”y', 'quoted x', 'word y'],
  ['„x“', 'quoted x'],
  ['«x»', 'quoted x'],
  ['a"b', 'word a', 'word "b'],
  ['" x "', 'quoted x'],
  ['" "'],
  ['""a"b"', 'word a', 'quoted b'],
  // Marks.
  ['because:', 'word because', 'mark :'],
  [
    'yes, no; (ok) [hm] {x} <y>',
    'word yes',
    'mark ,',
    'word no',
    'mark ,',
    'word ok',
    'word hm',
    'word x',
    'word y',
  ],
  ['what??', 'word what', 'word ?'],
  ['(?', 'word ?'],
  ['...'],
  [',', 'mark ,'],
  ['it’s', "word it's"],
  ['ＡＢＣ', 'word abc'],
])('%s', (said, ...tokens) => {
  expect(tokensOf(said).map(brief)).toEqual(tokens)
})

it('no more than two hundred pieces are read', () => {
  expect(tokensOf('a '.repeat(200))).toHaveLength(200)
  expect(tokensOf('a '.repeat(201))).toHaveLength(200)
})
