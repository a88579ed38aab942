import { describe, expect, test } from 'vitest'
import { cardOf, endOf, wholeCardOf } from '../../src/kernel/cards/card.ts'
import type { Command } from '../../src/kernel/command/define.ts'
import type { Raw } from '../../src/kernel/command/line/coerce.ts'
import { valuesOfLine } from '../../src/kernel/command/line/parse.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { type Change, states } from '../../src/kernel/model/change.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { View } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { createFront } from '../harness/front.ts'
import { evil, forgedIn, isOutside } from './outside-words.ts'

const front = createFront()
const bot = await openTestApp({ front: front.open, tasks: false })
const lines = bot.registry.all.flatMap(({ examples }) => examples)

/** A record with other words in every text of it that these names fit. */
const poisoned = (data: unknown, isFree: (key: string) => boolean, key = ''): unknown => {
  if (typeof data === 'string') return data !== '' && isFree(key) && !/^[\d.:TZ+-]+$/.test(data) ? evil : data
  if (Array.isArray(data)) return data.map((one) => poisoned(one, isFree, key))
  if (data === null || typeof data !== 'object') return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, poisoned(value, isFree, name)]),
  )
}

/** By which records are found and told apart. */
const isKey = (key: string): boolean =>
  /(?:^|[_a-z])(?:id|ids|email|emails|mobile|phone)$|Ids?$|^to$|[Ee]mail$/.test(key)
/** The service's own words for how something stands. */
const isState = (key: string): boolean =>
  /status|state|type|method|currency|code|period|cycle|optin|valid/i.test(key)

/** The replies to every example, and every card that came of one. */
const viewsOf = async (some = lines): Promise<[line: string, view: View][]> => {
  const views: [string, View][] = []
  for (const line of some) {
    bot.sandbox.reset()
    const reply = await bot.say(line, 'p-finance')
    views.push(...shownIn(line, reply))
  }
  return views
}

/** Every card as it waits, and in one of the other states: each state is that of many cards. */
let cards = 0
const someStates = (): (typeof states)[number][] => ['pending', states[cards++ % states.length] ?? 'pending']

const shownIn = (line: string, reply: Reply): [string, View][] => {
  const own: [string, View][] = 'view' in reply ? [[line, reply.view]] : []
  if (reply.kind !== 'change') return own
  return [
    ...own,
    ...someStates().flatMap((state) => {
      const by = reply.change.requester
      const moved: Change = { ...reply.change, state, ended: { by, at: 1, reason: evil } }
      return [cardOf(moved, 0).view, endOf(moved), wholeCardOf(moved, 0)].map((view): [string, View] => [
        line,
        view,
      ])
    }),
  ]
}

const forged = (views: readonly (readonly [string, View])[]): string[] => [
  ...new Set(views.flatMap(([line, view]) => forgedIn(view).map((fault) => `${line}: ${fault}`))),
]
const outside = (views: readonly (readonly [string, View])[]): number =>
  new Set(views.flatMap(([line, view]) => (isOutside(view) ? line : []))).size

describe('in no renderer does anything pass for ours that', () => {
  test('somebody wrote into a field of a service', async () => {
    front.replace = (_, data) => poisoned(data, (key) => !isKey(key) && !isState(key))
    const views = await viewsOf()
    expect(outside(views)).toBeGreaterThan(60)
    expect(forged(views)).toEqual([])
  })

  test('a service says of how something stands', async () => {
    front.replace = (_, data) => poisoned(data, (key) => isState(key))
    const views = await viewsOf()
    expect(outside(views)).toBeGreaterThan(10)
    expect(forged(views)).toEqual([])
  })

  test('a service gives as an id or an address', async () => {
    front.replace = (_, data) => poisoned(data, isKey)
    const views = await viewsOf()
    expect(outside(views)).toBeGreaterThan(10)
    expect(forged(views)).toEqual([])
  })

  test.each([404, 422, 500])('a service says with an error %i', async (status) => {
    front.replace = () => undefined
    front.instead = () => ({
      status,
      body: { status: 'error', message: evil, errors: [{ field: evil, message: evil }] },
    })
    const views = await viewsOf()
    front.instead = () => undefined
    expect(forged(views)).toEqual([])
  })

  test('somebody types into a parameter of any command', async () => {
    const views: [string, View][] = []
    for (const command of bot.registry.all) {
      for (const { name } of command.params) {
        bot.sandbox.reset()
        const reply = await bot.handle({
          from: fromOf('p-finance'),
          intent: { kind: 'form', command: command.name, values: { ...valuesOf(command), [name]: evil } },
        })
        views.push(...shownIn(`${command.name} ${name}`, reply))
      }
    }
    expect(outside(views)).toBeGreaterThan(40)
    expect(forged(views)).toEqual([])
  })

  test('somebody says who is on no list', async () => {
    const views: [string, View][] = []
    for (const line of lines) {
      const from = { ...fromOf('U0EVE', 'slack'), name: evil }
      views.push(...shownIn(line, await bot.handle({ from, intent: { kind: 'line', line } })))
      views.push(...shownIn(line, await bot.handle({ from, intent: { kind: 'line', line: evil } })))
    }
    expect(forged(views)).toEqual([])
  })
})

/** What the first example gives, as a form of it has. */
const valuesOf = (command: Command): Record<string, Raw> => {
  const read = valuesOfLine(bot.registry, command.examples[0] ?? '')
  return read.ok ? read.value.values : {}
}

test('a text file of a card holds it as one line too', () => {
  const view: View = {
    title: evil,
    tone: 'plain',
    blocks: [{ kind: 'facts', facts: [{ label: 'Company', value: evil }] }],
  }
  expect(textOfView(view).split('\n')).toHaveLength(3)
})
