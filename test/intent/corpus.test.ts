import { describe, expect, it } from 'vitest'
import { commandsWith } from '../harness/commands.ts'
import { corpus, meaningOf, reader, surroundings } from './corpus.ts'

const english = commandsWith().language

describe('sayings of support, growth and finance', () => {
  const read = corpus.map(([saying, heading]) => {
    const [, isAvoided, meaning = '', other] =
      /^(no change, but )?(.*?)(?:, misread as (.*))?$/.exec(heading) ?? []
    const { readings, ...more } = reader.read(saying, surroundings)
    return { saying, isAvoided, meaning, other, got: meaningOf({ readings, ...more }), readings }
  })

  it('are many, with those that mean nothing and those that could be taken for a change', () => {
    expect(read.length).toBeGreaterThanOrEqual(400)
    expect(read.filter(({ meaning }) => meaning === 'nothing').length).toBeGreaterThanOrEqual(60)
    expect(read.filter(({ isAvoided }) => isAvoided).length).toBeGreaterThanOrEqual(60)
  })

  it('are read as their headings say, each of them', () => {
    expect(read.filter(({ meaning, other, got }) => got !== (other ?? meaning))).toEqual([])
  })

  it('are misread in at most 1 of 100', () => {
    expect(read.filter(({ other }) => other !== undefined).length / read.length).toBeLessThanOrEqual(0.01)
  })

  it('never lead to an offer of another change than the one that was meant', () => {
    expect(
      read.filter(({ isAvoided, meaning, got }) => got.startsWith('offer') && (isAvoided || got !== meaning)),
    ).toEqual([])
  })

  it('with a word too many are never run as a change: the word is taken as a value, or named', () => {
    for (const { saying, meaning } of read.filter(({ meaning }) => meaning.startsWith('offer'))) {
      const words = saying.split(' ')
      for (const extra of ['zorblax', '12.5%', 'cus_zz9']) {
        for (const at of words.keys()) {
          const said = words.toSpliced(at, 0, extra).join(' ')
          const [first] = reader.read(said, surroundings).readings
          if (first === undefined || first.command.kind === 'query') continue
          const heard = [...first.unread, ...Object.values(first.values).flat().map(String)].join(' ')
          expect(heard.toLowerCase(), `${meaning}: ${said}`).toContain(extra)
        }
      }
    }
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
  const decisions = commandsWith().all.filter(({ kind }) => kind === 'decision')
  const declared = decisions.filter(({ name }) => name in english.commands)
  expect(declared.map(({ name }) => name)).toEqual(['approval remind'])
})

it('words that every object has are words like others', () => {
  for (const word of ['constructor', '__proto__', 'constructor_1', 'hasOwnProperty', 'toString_x']) {
    expect(meaningOf(reader.read(`what is ${word}`, surroundings))).not.toMatch(/^offer/)
  }
})

it('names only commands and parameters that there are', () => {
  const registry = commandsWith()
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
  const registry = commandsWith()
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
