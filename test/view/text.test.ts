import { expect, it, onTestFinished, vi } from 'vitest'
import { progressBar, textOfView } from '../../src/lib/view/text.ts'
import {
  type Block,
  chart,
  code,
  diff,
  facts,
  list,
  note,
  table,
  text,
  type View,
} from '../../src/lib/view/view.ts'

const view = (...blocks: Block[]): View => ({ title: 'Title', tone: 'plain', blocks })
const shown = (...blocks: Block[]) => textOfView(view(...blocks)).replace('Title\n\n', '')

it('shows every kind of block as text', () => {
  const whole = view(
    text('Some words.'),
    note('warn', 'Careful.'),
    facts({ Name: 'Ada', 'Lead score': 90, Empty: '' }),
    diff({ Tags: ['vip', 'vip, new'], Gone: ['x', null], New: [null, 'y'], Same: ['z', 'z'] }),
    table(
      ['Who', 'Score#'],
      [
        ['Ada', '90'],
        ['Barnabas', '7'],
      ],
    ),
    list(['one', 'two']),
    code('refund <payment-id>'),
    chart('Subscribers', 'bar', { active: 30, gone: 15 }),
    { kind: 'progress', label: 'Sending', done: 1, total: 4 },
  )
  expect(textOfView({ ...whole, footer: 'The end.' })).toMatchSnapshot()
})

it('colours only when it is asked to, where the terminal has colours', () => {
  vi.stubEnv('FORCE_COLOR', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const warned = view(note('warn', 'Careful.'))
  expect(textOfView(warned)).not.toContain('\u001b')
  expect(textOfView(warned, { colour: true })).toContain('\u001b[')
})

it.each([
  ['an escape that colours', '\u001b[31mred\u001b[0m', '[U+001B][31mred[U+001B][0m'],
  ['an escape that moves the cursor', 'a\u001b[2Jb', 'a[U+001B][2Jb'],
  ['a carriage return', 'a\rb', 'a[U+000D]b'],
  ['a bell', 'a\u0007b', 'a[U+0007]b'],
  ['an override of the direction', 'a\u202egnp.exe', 'a[U+202E]gnp.exe'],
])('writes the code of %s instead of doing what it says', (_, value, clean) => {
  expect(shown(text(value))).toBe(clean)
})

it('keeps a value with new lines from passing for another fact or row', () => {
  expect(shown(facts({ Note: 'one\nAmount  5' }))).toBe('Note  one ⏎ Amount  5')
  expect(shown(table(['Note'], [['one\ntwo']]))).toBe('Note\none ⏎ two')
  expect(shown(list(['one\n- two']))).toBe('- one ⏎ - two')
  expect(shown(note('warn', 'one\nAmount  5'))).toBe('! one ⏎ Amount  5')
  expect(shown(diff({ 'A\nAmount': ['1\n2', '3\nVotes  1 of 1'] }))).toBe(
    'A ⏎ Amount: 1 ⏎ 2 -> 3 ⏎ Votes  1 of 1',
  )
})

it.each([
  [0, 0, '[....] 0%'],
  [1, 4, '[#...] 25%'],
  [9, 4, '[####] 100%'],
])('%d of %d is %s', (done, total, bar) => {
  expect(progressBar(done, total, 4)).toBe(bar)
})
