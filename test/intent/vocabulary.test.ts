import { describe, expect, it } from 'vitest'
import { createVocabulary, phrasesIn } from '../../src/kernel/sayings/vocabulary.ts'
import { commandsWith } from '../harness/commands.ts'

/** Nothing but these words; each means itself. */
const knowing = (...words: string[]) => {
  const { language } = commandsWith()
  const vocabulary = createVocabulary(
    {
      ...language,
      ...{ filler: '', polite: '', questions: '', negations: '', reasons: '', naming: '', currencies: '' },
      references: { ...language.references, it: '', whom: '', ordinals: [], last: '', newest: '' },
      ...{ units: {}, periods: {}, concepts: {}, foreign: ['fremd'] },
    },
    words,
    [],
  )
  return (typed: string) => vocabulary.near(typed)?.[0]?.values[0]
}

describe('a word with one slip', () => {
  it.each([
    ['one less', 'refnd', 'refund'],
    ['one more', 'refunds', 'refund'],
    ['another', 'refond', 'refund'],
    ['two swapped', 'refudn', 'refund'],
    ['two slips', 'rfnd', undefined],
    ['two less at the end', 'refu', undefined],
    ['a digit', 'refund1', undefined],
    ['too short to tell', 'ref', undefined],
  ])('is told where it is %s: %s means %s', (_, typed, meant) => {
    expect(knowing('refund')(typed)).toBe(meant)
  })

  it('means the word that was there first, where it could be two', () => {
    expect(knowing('chart', 'chars')('char')).toBe('chart')
    expect(knowing('chars', 'chart')('char')).toBe('chars')
  })

  it('is a word before it is one that lacks a letter', () => {
    // "plans" is a word, and "plants" without a letter.
    expect(knowing('plants', 'plans')('planss')).toBe('plans')
  })

  it.each([
    ['of three letters', 'add', 'dad', 'add'],
    ['of four letters', 'list', 'lsit', 'list'],
    ['of four letters with one less', 'list', 'lst', undefined],
    ['of five letters with one less', 'lists', 'list', 'lists'],
    ['of four letters with another', 'list', 'lost', undefined],
    ['of two letters', 'to', 'ot', undefined],
  ])('%s: of %s, %s means %s', (_, word, typed, meant) => {
    expect(knowing(word)(typed)).toBe(meant)
  })

  it('of a short word is told only where one word is meant', () => {
    expect(knowing('form', 'from')('fomr')).toBe('form')
    expect(knowing('sale', 'seal')('sael')).toBeUndefined()
    expect(knowing('sale', 'slae')('slae')).toBeUndefined()
  })

  it('is never told of a word of another language', () => {
    expect(knowing('fremd')('frend')).toBeUndefined()
  })
})

it('a group of words may have spaces around each, and none between two marks', () => {
  expect(phrasesIn('pay back | refund||')).toEqual(['pay back', 'refund'])
})
