import { readFileSync } from 'node:fs'
import { commandLineOf } from '../../src/kernel/command/line/print.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { createReader } from '../../src/kernel/sayings/reader.ts'
import type { Surroundings, Understanding } from '../../src/kernel/sayings/understanding.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { corpus, surroundings } from './corpus.ts'
import { sayingsIn } from './sayings.ts'

/** The last answer, which some of the sayings speak of. */
const recent = ['a@x.io', 'b@x.io'].flatMap((id) => thing('subscriber', id) ?? [])

const payment = (id: string, name: string, at: number) => {
  const one = thing('payment', id, { name, of: { kind: 'customer', id: 'cus_1' } })
  return one === undefined ? [] : [{ ...one, at }]
}
/** Rows with names and times, and names of several things or of many words. */
const rows: Surroundings = {
  ...surroundings,
  recent: [
    ...payment('pay_1', '120 USD · INV-513', 5),
    ...payment('pay_2', '49 USD · INV-514', 9),
    ...payment('pay_3', '49 USD', 1),
  ],
  named: (words) => {
    const found = {
      welcome: [thing('campaign', 'cmp_w', { name: 'Welcome' }), thing('list', 'lst_w', { name: 'Welcome' })],
      'one two three four five': [thing('list', 'lst_5', { name: 'One two three four five' })],
      'one two three four five six': [thing('list', 'lst_6', { name: 'One two three four five six' })],
    }[words.toLowerCase()]
    return (found ?? []).flatMap((one) => one ?? [])
  },
}
const sayingsOfRows = [
  ...[
    'refund the 120 one',
    'refund the 49 one',
    'refund the 120 ones',
    'refund INV-513',
    'refund inv-514 20',
  ],
  ...['refund 120', 'show the last one', 'show the first one', 'show the third one', 'show it', 'refund it'],
  ...[
    'refund the last payment',
    'refund the latest payment',
    'who paid the last payment',
    'show their payments',
  ],
  ...[
    'tomorrow refund pay_1001',
    'monday revenue',
    'last week audit',
    'every monday revenue',
    'at 9 refund pay_1',
  ],
  ...[
    'show "Welcome"',
    'show the list "Welcome"',
    'show Big Black Friday',
    'show Black Friday',
    'show a-payment',
  ],
  ...['show welcome', 'show the list welcome', 'show the welcome campaign', 'is ada@example.com on welcome'],
  ...[
    'create a list called Big 5',
    'create a list calld Big',
    'create a list called Big',
    'create a list called',
  ],
  ...[
    'create a list Black Friday',
    'create a list black friday',
    'create a list Black friday',
    'create list Friday',
    'create a list Zorg friday',
    'create a list Zorg Friday',
  ],
  ...['show one two three four five', 'show one two three four five six', 'refund the payment of monday'],
  ...['subscribr ada@example.com', 'refudn pay_1', 'shwo ada@example.com', 'refund pay_1 in 2 hours'],
]

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

export const recordFile = new URL('understood.txt', import.meta.url)

/** What is made of each saying of the corpora, also with a word too many: a line each. */
export const recordOf = (registry: Registry): string[] => {
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
    ...[
      'support',
      'finance',
      'abroad',
      'everyday',
      'workday',
      'counter',
      'desk',
      'shift',
      'rush',
      'phones',
      'monthend',
    ].flatMap((set) => sayingsIn(set).flatMap(({ saying }) => (saying.includes('\n') ? [] : [saying]))),
  ]
  const disturbed = plain.flatMap((saying, at) => {
    const words = saying.split(' ')
    return at % 3 === 0
      ? [words.toSpliced(at % (words.length + 1), 0, extra[at % extra.length] as string).join(' ')]
      : []
  })
  const reader = createReader(registry, registry.language)
  return [
    ...[...new Set([...plain, ...disturbed])].map(
      (saying) => `${saying} => ${toldOf(reader.read(saying, { ...surroundings, recent }))}`,
    ),
    ...sayingsOfRows.map((saying) => `${saying} => ${toldOf(reader.read(saying, rows))}`),
  ]
}

/** The sayings that are read otherwise than a record says, each with how it was and is read; what only one of the two has, too. */
export const changedIn = (record: string, lines: readonly string[]): string[] => {
  const before = record.split('\n').filter((line) => line !== '')
  const [was, is] = [new Set(before), new Set(lines)]
  return [
    ...before.filter((line) => !is.has(line)).map((line) => `- ${line}`),
    ...lines.filter((line) => !was.has(line)).map((line) => `+ ${line}`),
  ].toSorted((one, other) => sayingIn(one).localeCompare(sayingIn(other)))
}

const sayingIn = (line: string): string => line.slice(2).split(' => ')[0] as string

export const readRecord = (): string => readFileSync(recordFile, 'utf8')
