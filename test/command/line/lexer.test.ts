import { expect, it } from 'vitest'
import { lex, type Token } from '../../../src/kernel/command/line/lexer.ts'

const read = (line: string): string[] => {
  const lexed = lex(line)
  if (!lexed.ok) throw new Error(lexed.refusal.message)
  return lexed.value.map(shown)
}

const shown = (token: Token): string => {
  if (token.kind === 'word') return token.text
  if (token.value === undefined) return `--${token.name}`
  return `--${token.name}=${token.value === null ? '(nothing)' : token.value.text}`
}

it.each([
  ['words', 'subscriber get ada@example.com', ['subscriber', 'get', 'ada@example.com']],
  ['any white space', 'a\u00a0b\tc\nd\u2003e', ['a', 'b', 'c', 'd', 'e']],
  ['straight quotes', 'x "two words" \'and more\'', ['x', 'two words', 'and more']],
  ['curly quotes', 'x “two words” ‘and more’', ['x', 'two words', 'and more']],
  [
    'quotes that a phone mixed up',
    'x ”two words“ "and more” ’so on’',
    ['x', 'two words', 'and more', 'so on'],
  ],
  ['low opening quotes', 'x „zwei Wörter“', ['x', 'zwei Wörter']],
  ['an apostrophe in a word', "it's o’clock", ["it's", 'o’clock']],
  ['an apostrophe inside single quotes', "'it's fine' b", ["it's fine", 'b']],
  ['an escaped quote', 'x "say \\"hi\\" now"', ['x', 'say "hi" now']],
  ['nothing in quotes', 'x ""', ['x', '']],
  ['a flag and its value', 'x --flag value', ['x', '--flag', 'value']],
  ['a flag with =', 'x --flag=value', ['x', '--flag=value']],
  ['a flag with = and quotes', 'x --flag="two words" y', ['x', '--flag=two words', 'y']],
  ['a flag with = and curly quotes', 'x --flag=“two words”', ['x', '--flag=two words']],
  ['a flag whose = has nothing behind it', 'x --flag= value', ['x', '--flag=(nothing)', 'value']],
  ['a value with = in it', 'x --flag=a=b', ['x', '--flag=a=b']],
  ['an em dash for two dashes', 'x —flag value', ['x', '--flag', 'value']],
  ['an en dash for two dashes', 'x –flag=value', ['x', '--flag=value']],
  ['an em dash for each dash', 'x ——flag value', ['x', '--flag', 'value']],
  ['a dash and an em dash', 'x -—flag value', ['x', '--flag', 'value']],
  ['numbers with signs', 'x -5 +5 −5 –5 --n -2.5', ['x', '-5', '+5', '−5', '–5', '--n', '-2.5']],
  ['two dashes alone, which end the flags', 'x -- --not-a-flag', ['x', '--not-a-flag']],
  ['colons in values', 'x a:1,b:2 12:30', ['x', 'a:1,b:2', '12:30']],
  ['a mail link', 'x <mailto:a@b.c|a@b.c>', ['x', 'a@b.c']],
  ['a mail link without a label', 'x <mailto:a@b.c>', ['x', 'a@b.c']],
  ['mail links in a list', 'x <mailto:a@b.c|a@b.c>,<mailto:d@e.f|d@e.f>', ['x', 'a@b.c,d@e.f']],
  ['a mail link as the value of a flag', 'x --to=<mailto:a@b.c|a@b.c>', ['x', '--to=a@b.c']],
  ['a mail link in quotes', 'x "write <mailto:a@b.c|a@b.c> now"', ['x', 'write a@b.c now']],
  ['a web link with its label', 'x <https://x.io/a?b=1|x.io>', ['x', 'https://x.io/a?b=1']],
  ['a web link whose label has spaces', 'x <http://x.io|the page> y', ['x', 'http://x.io', 'y']],
  ['a phone link', 'x <tel:+4670123|+46 70 123>', ['x', '+4670123']],
  ['a Slack mention', 'x <@U123> <@U123|ada>', ['x', 'U123', 'U123']],
  ['Discord mentions', 'x <@42> <@!42> <@&7> <#9>', ['x', '42', '42', '7', '9']],
  ['a channel and a user group', 'x <#C1|general> <!subteam^S1|@fin>', ['x', 'C1', 'S1']],
  ['angle brackets that are no link', 'x a<b <!channel> <nobody', ['x', 'a<b', '<!channel>', '<nobody']],
  ['nothing', ' \n ', []],
])('reads %s', (_, line, tokens) => {
  expect(read(line)).toEqual(tokens)
})

it.each(['x "never closed', 'x --flag="never closed', 'x “never closed', "x 'tis", 'x "ends in \\"'])(
  'refuses a quote that is never closed, and shows it: %s',
  (line) => {
    const lexed = lex(line)
    expect(lexed.ok ? undefined : lexed.refusal).toMatchObject({ code: 'open_quote' })
    const start = line.slice(line.search(/["“']/u))
    expect(lexed.ok ? '' : lexed.refusal.message).toContain(start)
  },
)
