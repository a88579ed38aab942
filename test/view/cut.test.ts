import { describe, expect, it } from 'vitest'
import { cutBlocks, cutMiddle, cutName, cutText, sharesOf, weightOf } from '../../src/lib/view/cut.ts'
import { type Block, diff, facts, list, note, table } from '../../src/lib/view/view.ts'

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))
const x = (length: number) => 'x'.repeat(length)

describe('a text', () => {
  it('weighs what some platform escapes twice', () => {
    expect(weightOf('abc')).toBe(3)
    for (const sign of '\\`*_~|[]<>#&"@\n') expect(weightOf(`a${sign}`), sign).toBe(3)
    expect(weightOf('a://b')).toBe(6)
  })

  it('at its limit is whole, and one more is cut and counted', () => {
    expect(cutText(x(100), 100)).toBe(x(100))
    for (const length of [101, 120, 1_500]) {
      const cut = cutText(x(length), 100)
      const [, kept = '', left = ''] = /^(x+)… \(([\d,]+) more characters?\)$/.exec(cut) ?? []
      expect(kept.length + Number(left.replace(',', ''))).toBe(length)
      expect(cut.length).toBeLessThanOrEqual(100)
      expect(cut.length).toBeGreaterThan(97)
    }
    expect(cutText('<'.repeat(50), 100)).toBe('<'.repeat(50))
    const signs = cutText('<'.repeat(51), 100)
    expect(weightOf(signs)).toBeLessThanOrEqual(100)
    expect(weightOf(signs)).toBeGreaterThan(80)
    expect(cutText(x(100), 5)).toBe('… (100 more characters)')
  })

  it('is never cut inside a character', () => {
    for (const odd of ['', 'x']) {
      const cut = cutText(odd + '😀'.repeat(100), 100)
      expect(cut).toMatch(/^x?😀+… \(\d+ more characters\)$/u)
      expect(cutText(odd + '😀'.repeat(100), 101)).toMatch(/^x?😀+… \(\d+ more characters\)$/u)
    }
  })

  it('that warns keeps its last sentence, and loses its middle', () => {
    const remedy = 'Write the time with its zone, such as 9:00 Europe/Berlin.'
    for (const length of [10, 100, 5_000]) {
      const words = `Nobody knows which nine is meant${x(length)}. ${remedy}`
      const cut = cutMiddle(words, 150)
      expect(weightOf(cut)).toBeLessThanOrEqual(150)
      expect(cut.endsWith(remedy), cut).toBe(true)
      expect(cut.startsWith('Nobody knows')).toBe(true)
      expect(cut === words || /… \([\d,]+ more characters?\) … /.test(cut)).toBe(true)
    }
    for (const odd of ['', 'x']) expect(cutMiddle(odd + '😀'.repeat(200), 101).isWellFormed()).toBe(true)
  })

  it('shares its room: the short ones have all they need, the long ones the rest in equal parts', () => {
    expect(sharesOf([10, 500, 500], 210)).toEqual([10, 100, 100])
    expect(sharesOf([10, 20], 100)).toEqual([10, 20])
    expect(sharesOf([], 100)).toEqual([])
  })

  it('that is a name keeps its beginning and its end', () => {
    expect(cutName('x'.repeat(10), 10)).toBe('x'.repeat(10))
    expect(cutName('abcdefghijk', 10)).toBe('abcd…ghijk')
  })
})

describe('blocks', () => {
  const at = (block: Block, room: number) => cutBlocks([block], room)
  const whole = (block: Block) => ({ blocks: [block], isCut: false })

  it.each<[string, Extract<Block, { kind: 'text' | 'note' | 'code' }>]>([
    ['text', { kind: 'text', text: x(88) }],
    ['note', { kind: 'note', tone: 'warn', text: x(88) }],
    ['code', { kind: 'code', text: x(88) }],
  ])('%s fits to the last character', (_, block) => {
    expect(at(block, 100)).toEqual(whole(block))
    const { blocks, isCut } = at(block, 99)
    expect(isCut).toBe(true)
    expect(JSON.stringify(blocks)).toContain('more characters)')
    expect(at(block, 52).blocks).toHaveLength(1)
    expect(at(block, 51)).toEqual({ blocks: [], isCut: true })
    expect(at({ ...block, text: '' }, 51)).toEqual({ blocks: [], isCut: false })
  })

  it.each<[string, Block, number, string]>([
    ['facts', facts({ a: x(10), b: x(10) }), 2 * (24 + 11), '"b"'],
    ['changes', diff({ a: [x(5), 'yyyyy'], b: [x(5), 'yyyyy'] }), 2 * (24 + 11), '"b"'],
    ['items', list(['a'.repeat(11), 'b'.repeat(11)]), 2 * (24 + 11), 'bbb'],
  ])('%s are kept line by line', (_, block, room, second) => {
    expect(at(block, room)).toEqual(whole(block))
    const { blocks, isCut } = at(block, room - 1)
    expect(isCut).toBe(true)
    expect(JSON.stringify(blocks)).not.toContain(second)
    expect(blocks).toHaveLength(1)
    expect(at(block, room / 2).blocks).toHaveLength(1)
    expect(at(block, room / 2 - 1)).toEqual({ blocks: [], isCut: true })
  })

  it('of a list say how many items are missing', () => {
    expect(at(list(['a', 'b', 'c']), 25).blocks).toEqual([list(['a', 'and 2 more'])])
  })

  it('of text keep their lines, and a note is one line', () => {
    expect(at(note('plain', 'a\nb'), 100).blocks).toEqual([note('plain', 'a ⏎ b')])
    expect(at({ kind: 'code', text: 'a\nb' }, 100).blocks).toEqual([{ kind: 'code', text: 'a\nb' }])
  })

  it('of a table count the names of its columns', () => {
    const one = table(['A', 'B'], [['x', 'y']])
    expect(at(one, 2 * 26 + 2)).toEqual(whole(one))
    expect(at(one, 2 * 26 + 1)).toEqual({ blocks: [], isCut: true })
    expect(cutBlocks([one, note('plain', x(88))], 154).isCut).toBe(false)
    expect(cutBlocks([one, note('plain', x(88))], 153).isCut).toBe(true)
    const wide = at(table(many(9, String), [many(9, String)]), 10_000)
    expect(wide.isCut).toBe(true)
    expect(JSON.stringify(wide.blocks)).not.toContain('"8"')
    expect(at(table(many(8, String), [many(8, String)]), 10_000).isCut).toBe(false)
  })

  it.each<[string, number, (text: string) => Block]>([
    ['a label', 50, (text) => facts({ [text]: 'v' })],
    ['a value', 400, (text) => facts({ l: text })],
    ['an item', 400, (text) => list([text])],
    ['one side of a change', 400, (text) => diff({ l: [text, 'v'] })],
    ['a cell', 100, (text) => table(['A'], [[text]])],
  ])('%s is cut at its own bound', (_, most, make) => {
    expect(at(make(x(most)), 10_000)).toEqual(whole(make(x(most))))
    expect(at(make(x(most + 1)), 10_000).isCut).toBe(true)
    expect(JSON.stringify(at(make(x(most + 1)), 10_000).blocks)).toContain('more characters)')
  })

  it('are so many at most, of so many lines', () => {
    const notes = (count: number) =>
      cutBlocks(
        many(count, () => note('plain', 'n')),
        10_000,
      )
    expect([notes(14).blocks.length, notes(14).isCut]).toEqual([14, false])
    expect([notes(15).blocks.length, notes(15).isCut]).toEqual([14, true])
    const lines = (count: number) => at(list(many(count, () => 'i')), 10_000)
    expect(lines(30).isCut).toBe(false)
    expect(lines(31)).toEqual({ blocks: [list([...many(30, () => 'i'), 'and 1 more'])], isCut: true })
    // What one takes, the next does not have.
    expect(cutBlocks([note('plain', x(88)), note('plain', x(88))], 199).isCut).toBe(true)
    expect(cutBlocks([note('plain', x(88)), note('plain', x(88))], 200).isCut).toBe(false)
  })

  it('that are drawn are shown whole or not at all', () => {
    const bar: Block = { kind: 'progress', label: 'l', done: 1, total: 2 }
    const weight = weightOf(JSON.stringify(bar)) + 12
    expect(at(bar, weight)).toEqual(whole(bar))
    expect(at(bar, weight - 1)).toEqual({ blocks: [], isCut: true })
  })

  it('keep a time that is whole, and what was never there', () => {
    const time = { at: 5, text: 'then' }
    expect(at(facts({ l: time }), 1_000)).toEqual(whole(facts({ l: time })))
    expect(at(diff({ l: [null, 'v'], m: ['v', null] }), 1_000)).toEqual(
      whole(diff({ l: [null, 'v'], m: ['v', null] })),
    )
    expect(at(facts({ l: { at: 5, text: x(500) } }), 1_000).blocks[0]).not.toHaveProperty('facts.0.time')
  })
})
