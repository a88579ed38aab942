import { expect, test } from 'vitest'
import {
  escapeMarkdown,
  escapeOneLine,
  isBlank,
  toCodeBlockText,
} from '../../adapters/discord/render/escape.ts'
import { escapeMarkup, unescapeMarkup, visible } from '../../adapters/slack/render/text.ts'
import { escapeItem, toItems } from '../../src/command/line/items.ts'
import { lex } from '../../src/command/line/lexer.ts'
import { unseenIn, visibleLine, visibleText } from '../../src/view/visible.ts'

const readers: Record<string, (words: string) => unknown> = {
  escapeMarkdown,
  escapeOneLine,
  isBlank,
  toCodeBlockText,
  escapeMarkup,
  unescapeMarkup,
  visible,
  escapeItem,
  toItems,
  lex,
  unseenIn,
  visibleLine,
  visibleText,
}

const seeds = [
  ' ',
  '\n',
  '\t',
  'a',
  '1',
  '"',
  '" ',
  ', ',
  '\\',
  '`',
  '<',
  '<@',
  '<mailto:a',
  '<http://a|',
  '- ',
  '\u200d',
  '\u200b',
  '“,',
  '&',
  '😀',
]

/** The shortest of several runs, so that what else the machine does hardly counts. */
const shortestMs = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )

const small = 4_000
const times = 16

test.each(Object.entries(readers))('%s takes time in proportion to its text', (_, read) => {
  for (const seed of seeds) {
    const few = shortestMs(() => read(`x${seed.repeat(small)}x`))
    const many = shortestMs(() => read(`x${seed.repeat(small * times)}x`))
    // Twice the text would be four times the work if it grew with the square: sixteen times the text, 256 times.
    expect(many, JSON.stringify(seed)).toBeLessThan(Math.max(few, 0.5) * times * 5)
  }
})
