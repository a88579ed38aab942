import { describe, expect, it } from 'vitest'
import { createCommands } from '../../commands/index.ts'
import { english } from '../../commands/words/english.ts'
import { corpus, meaningOf, reader, surroundings } from './corpus.ts'

const isRight = (meaning: string, got: string): boolean => {
  if (meaning === 'no change') return !got.startsWith('offer')
  if (meaning === 'nothing') return ['nothing', 'greeting', 'thanks'].includes(got)
  return got === meaning
}

describe('sayings of support, growth and finance', () => {
  const read = corpus.map(([saying, meaning]) => ({
    saying,
    meaning,
    got: meaningOf(reader.read(saying, surroundings)),
  }))

  it('are many, with those that mean nothing and those that could be taken for a change', () => {
    const count = (meaning: string) => read.filter((one) => one.meaning === meaning).length
    expect(read.length).toBeGreaterThanOrEqual(400)
    expect(count('nothing')).toBeGreaterThanOrEqual(60)
    expect(count('no change')).toBeGreaterThanOrEqual(60)
  })

  it('are read right in at least 95 of 100', () => {
    const wrong = read.filter(({ meaning, got }) => !isRight(meaning, got))
    expect(wrong.length / read.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.05)
  })

  it('never lead to an offer of another change than the one that was meant', () => {
    expect(read.filter(({ meaning, got }) => got.startsWith('offer') && got !== meaning)).toEqual([])
  })

  it('lead only to what somebody may run', () => {
    const mayRun = ({ name }: { name: string }) =>
      !name.startsWith('refund') && !name.startsWith('subscriber')
    for (const { saying } of read) {
      const { readings } = reader.read(saying, { ...surroundings, mayRun })
      expect(readings.filter(({ command }) => !mayRun(command))).toEqual([])
    }
  })
})

it('has no words for a decision, except for reminding people of one', () => {
  const decisions = createCommands().all.filter(({ kind }) => kind === 'decision')
  const declared = decisions.filter(({ name }) => name in english.commands)
  expect(declared.map(({ name }) => name)).toEqual(['approval remind'])
})

it('words that every object has are words like others', () => {
  for (const word of ['constructor', '__proto__', 'constructor_1', 'hasOwnProperty', 'toString_x']) {
    expect(meaningOf(reader.read(`what is ${word}`, surroundings))).not.toMatch(/^offer/)
  }
})

it('names only commands and parameters that there are', () => {
  const registry = createCommands()
  for (const [name, { say, free }] of Object.entries(english.commands)) {
    const params = registry.get(name)?.params.map((param) => param.name)
    expect(params, name).toBeDefined()
    const named = say.flatMap((way) =>
      typeof way === 'string' ? [] : [...Object.keys(way.set), way.free ?? []].flat(),
    )
    for (const param of [...named, ...(free === undefined ? [] : [free])])
      expect(params, name).toContain(param)
  }
})

it('knows every meaning that a way of saying is made of', () => {
  const registry = createCommands()
  const known = new Set([
    ...Object.keys(english.concepts),
    ...registry.all.flatMap(({ name }) => name.split(' ')),
  ])
  for (const [name, { say, beside = '' }] of Object.entries(english.commands)) {
    const meanings = [...say.map((way) => (typeof way === 'string' ? way : way.say)), beside].flatMap(
      (words) => words.split(' ').filter(Boolean),
    )
    for (const meaning of meanings) expect(known, `${name}: ${meaning}`).toContain(meaning)
  }
})

it('reads its own examples', () => {
  for (const [name, { examples = [] }] of Object.entries(english.commands)) {
    for (const saying of examples) {
      expect(reader.read(saying, surroundings).readings[0]?.command.name, saying).toBe(name)
    }
  }
})
