import { expect, it } from 'vitest'
import { commandLineOf } from '../../src/command/line/print.ts'
import type { Understanding } from '../../src/intent/reader.ts'
import { thing } from '../../src/view/thing.ts'
import { corpus, reader, surroundings } from './corpus.ts'
import { sayingsIn } from './sayings.ts'

/** The last answer, which some of the sayings speak of. */
const recent = ['a@x.io', 'b@x.io'].flatMap((id) => thing('subscriber', id) ?? [])

/** What people are offered and told, the likeliest first: each reading, what is asked for, what was not read, what it is near to. */
const toldOf = ({ readings, ...more }: Understanding): string => {
  const lines = readings.map(({ command, values, missing, unread, newest = [], named = [] }) =>
    [
      commandLineOf(command.name, command.params, values),
      ...missing.map(({ name }) => `${name}?`),
      ...unread.map((words) => `(${words})`),
      ...newest.map((name) => `newest of ${name}`),
      ...named.map((name) => `${name} by name`),
    ].join(' '),
  )
  const marks = [
    ...(more.isClear ? ['clear'] : []),
    ...(more.isSentence ? ['sentence'] : []),
    ...(more.refersBack ? ['back'] : []),
    ...(more.isOrder ? ['order'] : []),
    ...(more.social ? [more.social] : []),
    ...(more.move ? [more.move] : []),
    ...more.things.map(({ kinds, value }) => `${value} as ${kinds.join('/')}`),
    ...more.unknown.map((words) => `unknown ${words}`),
    `near ${more.near
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')}`,
  ]
  return [...lines, marks.join('; ')].join(' | ')
}

it('what is made of each saying, also with a word too many, is what it was', async () => {
  const extra = [
    'zorblax',
    '20',
    '12.5%',
    'tomorrow',
    'since monday',
    'ada@example.com',
    'pay_77',
    'not',
    '"x y"',
    'it',
  ]
  const plain = [
    ...corpus.map(([saying]) => saying),
    ...['support', 'finance', 'abroad', 'everyday'].flatMap((set) =>
      sayingsIn(set).map(({ saying }) => saying),
    ),
  ]
  const disturbed = plain.flatMap((saying, at) => {
    const words = saying.split(' ')
    return at % 3 === 0
      ? [words.toSpliced(at % (words.length + 1), 0, extra[at % extra.length] as string).join(' ')]
      : []
  })
  const told = [...new Set([...plain, ...disturbed])].map(
    (saying) => `${saying} => ${toldOf(reader.read(saying, { ...surroundings, recent }))}`,
  )
  await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('understood.txt')
})
