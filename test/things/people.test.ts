import { describe, expect, test } from 'vitest'
import '../harness/own-services.ts'
import { onePerPerson, type PersonRow } from '../../src/kernel/things/people.ts'
import { linkEnd, numberKind } from '../../src/lib/things/link.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'

type Written = { address?: string; number?: string; customer?: string; name?: string }

const row = (kind: 'subscriber' | 'contact' | 'customer', id: string, known: Written): PersonRow => ({
  kind,
  id,
  ...(known.name === undefined ? {} : { name: known.name }),
  ends: [
    kind === 'subscriber' ? linkEnd('email', id) : linkEnd(kind, id),
    linkEnd('email', known.address),
    linkEnd(numberKind, known.number),
    linkEnd('customer', known.customer),
  ].flatMap((end) => end ?? []),
})
const ada = { name: 'Ada Lindqvist' }
const subscriber = (address: string, known: Written = {}) => row('subscriber', address, known)
const contact = (id: string, known: Written = {}) => row('contact', id, known)
const customer = (id: string, known: Written = {}) => row('customer', id, known)

describe('of the rows of several services', () => {
  test.each<[string, PersonRow[], string[]]>([
    [
      'a subscriber and a contact with one number are one',
      [subscriber('ada@x.com', { ...ada, number: '15550001' }), contact('c1', { number: '15550001' })],
      ['ada@x.com'],
    ],
    [
      'a subscriber and a contact with one name, of whom nothing else is known, are one',
      [contact('c1', { ...ada, number: '15550001' }), subscriber('ada@x.com', ada)],
      ['ada@x.com'],
    ],
    [
      'three that a link and a number join are one',
      [
        customer('cus_1', { address: 'ada@x.com' }),
        contact('c1', { ...ada, number: '15550001' }),
        subscriber('ada@x.com', { number: '15550001' }),
      ],
      ['ada@x.com'],
    ],
    [
      'two with one name and two numbers are two',
      [
        subscriber('ada@x.com', { ...ada, number: '15550001' }),
        contact('c1', { ...ada, number: '15550002' }),
      ],
      ['ada@x.com', 'c1'],
    ],
    [
      'two addresses with one number are two',
      [subscriber('ada@x.com', { number: '15550001' }), subscriber('bo@x.com', { number: '15550001' })],
      ['ada@x.com', 'bo@x.com'],
    ],
    [
      'a contact whose name two subscribers have is neither of them',
      [subscriber('ada@x.com', ada), subscriber('ada@y.com', ada), contact('c1', ada)],
      ['ada@x.com', 'ada@y.com', 'c1'],
    ],
    [
      'a contact whose number one of two with its name has is that one',
      [
        subscriber('ada@x.com', ada),
        subscriber('ada@y.com', { ...ada, number: '15550001' }),
        contact('c1', { ...ada, number: '15550001' }),
      ],
      ['ada@x.com', 'ada@y.com'],
    ],
    [
      'names in other letters are one name',
      [contact('c1', { name: 'ADA  '.trim() }), subscriber('a@x.com', { name: 'Ada' })],
      ['a@x.com'],
    ],
    [
      'who has no name is nobody else',
      [contact('c1'), contact('c2'), customer('cus_1')],
      ['c1', 'c2', 'cus_1'],
    ],
  ])('%s', (_, rows, ids) => {
    expect(onePerPerson(rows).map(({ id }) => id)).toEqual(ids)
    expect(
      onePerPerson(rows.toReversed())
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.toSorted())
  })
})

describe('one human', async () => {
  const bot = await openTestApp({ tasks: false })
  const offered = async (typed: string) => {
    const param = bot.registry.get('person get')?.params[0]
    if (param === undefined) throw new Error('no parameter')
    return (await bot.app.bot.suggest(fromOf('p-finance'), param, typed)).map(({ label }) => label)
  }

  test('is one row of the palette and of completion, by a name, an address and a number, links known or not', async () => {
    for (const typed of ['ada', 'lindqvist', 'Ada Lindqvist', 'ada@example.com'])
      expect([typed, await offered(typed)]).toEqual([typed, ['Ada Lindqvist (ada@example.com)']])
    expect(textOf(await bot.say('person get ada@example.com', 'p-finance'))).toContain('Ada Lindqvist')
    await bot.say('transaction find cus_1001', 'p-finance')
    for (const typed of ['ada', 'ada@example.com'])
      expect([typed, await offered(typed)]).toEqual([typed, ['Ada Lindqvist (ada@example.com)']])
  })

  test('is found at once by the start of a word, whoever has it in the middle of theirs', async () => {
    expect(textOf(await bot.say('person get ada', 'p-finance'))).toContain('Ada Lindqvist (ada@example.com)')
    expect((await offered('amad')).length).toBeGreaterThan(5)
  })

  test('is chosen by pressing where two have one number', async () => {
    const { subscribers } = bot.sandbox.state.email
    const [first, second] = subscribers.slice(1)
    if (first === undefined || second === undefined) throw new Error('nobody')
    for (const one of [first, second]) {
      one.mobile = '15559990001'
      await bot.say(`subscriber get ${one.email}`, 'p-finance')
    }
    const reply = await bot.say('person get +15559990001', 'p-finance')
    expect(reply).toMatchObject({
      kind: 'answer',
      isChoice: true,
      view: { menu: { asks: 'Choose the person' } },
    })
    if (reply.kind !== 'answer') throw new Error(reply.kind)
    expect(reply.view.menu?.items.map(({ thing }) => thing.id).toSorted()).toEqual(
      [first.email, second.email].toSorted(),
    )
    const menu = reply.view.menu
    const pressed = await bot.press('act', `${menu?.id}.${menu?.items[1]?.at}.person get`, 'p-finance')
    expect(textOf(pressed)).toContain(menu?.items[1]?.thing.id)
    expect(pressed).not.toMatchObject({ isChoice: true })
  })
})
