import { beforeEach, describe, expect, test } from 'vitest'
import { cardOf } from '../../src/kernel/cards/card.ts'
import { readContext } from '../../src/kernel/context/command-context.ts'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { type LinkEnd, pairOf } from '../../src/lib/things/link.ts'
import { actionsIn } from '../../src/lib/view/view.ts'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { until } from '../harness/until.ts'

const people = `version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: uma, name: Uma Upright, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
links: { customer: company, customersWrite: [] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] }, evidence: required }
`
/** One person alone may confirm whatever a rule can leave to them, links included. */
const bot = await openTestApp({
  policy: `${people}  - { name: alone, commands: ["subscriber *", "contact *", "person *", "api call"], require: confirm }\n`,
})
const strict = await openTestApp({ policy: people })
const other = await openTestApp({ policy: people })
const customer = 'cus_1001'

const actor = { person: 'uma', name: 'Uma', known: true, roles: [], platform: 'terminal', account: 'uma' }
const payerOf = (start: LinkEnd) => readContext(bot.app.core, actor).links.payerOf(start)

const changeIn = (reply: Reply): Change => {
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  return reply.change
}
/** Sam asks and confirms alone. */
const alone = async (said: Promise<Reply>): Promise<void> => {
  const { id } = changeIn(await said)
  const done = await bot.press('confirm', id, 'sam')
  expect(changeIn(done).state, textOf(done)).toBe('applied')
}

/** Everything in the three services is looked at, so that whatever they now show is learned. */
const lookAround = async () => {
  for (const line of [
    'subscriber find --limit 100',
    'contact find',
    'transaction find cus_1001',
    'transaction find cus_1002',
    'transaction refunds cus_1001',
  ]) {
    await bot.say(line, 'uma')
  }
}

/** Where these lead to, for money. */
const resolutions = async (...addresses: string[]) => {
  const starts: LinkEnd[] = [
    ...[...addresses, 'ada@example.com'].map((id) => ({ kind: 'email' as const, id })),
    { kind: 'customer', id: 'cus_1001' },
    { kind: 'customer', id: 'cus_1002' },
    { kind: 'payment', id: 'pay_1001' },
  ]
  return Promise.all(
    starts.map(async (start) => {
      const { ends } = await payerOf(start)
      return ends
        .filter(({ kind }) => kind === 'customer' || (kind === 'email' && start.kind !== 'email'))
        .map(({ id }) => id)
    }),
  )
}
const customersOf = async (address: string) =>
  endsOfKind(await payerOf({ kind: 'email', id: address }), 'customer').map(({ id }) => id)

type Stranger = { email: string; id: string; fresh: string }
const body = (value: unknown) => `--body '${JSON.stringify(value)}'`
const fields = { customFields: { company: customer } }

/** Every door by which one person can write that a stranger is this customer. */
const doors: Record<string, (one: Stranger) => Promise<Reply> | string> = {
  'person link': ({ email }) => `person link ${email} --customer ${customer}`,
  'person link of the customer': ({ email }) => `person link ${customer} --customer cus_${email.length}9`,
  'subscriber update': ({ email }) => `subscriber update ${email} --company ${customer}`,
  'subscriber create': ({ fresh }) => `subscriber create ${fresh} --company ${customer}`,
  'subscriber import': ({ email }) => {
    const file = { name: 'people.csv', bytes: Buffer.from(`email,company\n${email},${customer}\n`) }
    return bot.handle({ from: fromOf('sam'), intent: { kind: 'line', line: 'subscriber import', file } })
  },
  'a form': ({ email }) =>
    bot.handle({
      from: fromOf('sam'),
      intent: { kind: 'form', command: 'subscriber update', values: { email, company: customer } },
    }),
  'api call by address': ({ email }) => `api call email PUT /subscribers/${email} ${body(fields)}`,
  'api call by id': ({ id }) => `api call email PUT /subscribers/${id} ${body(fields)}`,
  'api call that creates': ({ fresh }) =>
    `api call email POST /subscribers ${body({ email: fresh, ...fields })}`,
}

const subscribers = () => bot.sandbox.state.email.subscribers
const strangerAt = (at: number): Stranger => {
  const one = subscribers()[at]
  if (one === undefined) throw new Error('nobody')
  return { email: one.email, id: one._id, fresh: `new${at}@example.com` }
}

beforeEach(() => {
  bot.sandbox.reset()
  for (const one of [...subscribers(), ...strict.sandbox.state.email.subscribers])
    one.customFields = {} as never
})

describe('what one person wrote alone is no evidence', () => {
  test.each(Object.keys(doors).map((door, at) => [door, at + 1] as const))('by %s', async (door, at) => {
    const one = strangerAt(at)
    await lookAround()
    const before = await resolutions(one.email, one.fresh)
    const said = doors[door]?.(one) ?? ''
    await alone(typeof said === 'string' ? bot.say(said, 'sam') : said)
    await until(() => expect(bot.sandbox.wire.length + Number(door.startsWith('person'))).toBeGreaterThan(0))
    if (door === 'subscriber import')
      await until(() => expect(subscribers()[at]?.customFields).toMatchObject({ company: customer }))
    await lookAround()
    expect(await resolutions(one.email, one.fresh)).toEqual(before)
    for (const address of [one.email, one.fresh]) {
      expect(await bot.say(`refund ${address}`, 'uma')).toMatchObject({ kind: 'refused' })
      expect(await bot.say(`transaction find ${address}`, 'uma')).toMatchObject({ kind: 'refused' })
      expect(textOf(await bot.say(`person get ${address}`, 'uma'))).not.toContain('pay_1001')
    }
    const asked = await bot.say(`refund pay_1001 20 --customer ${customer} --reason x`, 'sam')
    expect(asked.kind, textOf(asked)).toBe('change')
    expect(textOf(asked)).not.toContain(one.email)
    expect(textOf(asked)).not.toContain(one.fresh)
  })

  test('and whoever asks by the address reads whose word it is', async () => {
    const { email } = strangerAt(20)
    await alone(bot.say(`person link ${email} --customer ${customer}`, 'sam'))
    expect(textOf(await bot.say(`refund ${email}`, 'uma'))).toMatch(/is the word of Sam Support alone/)
    expect(textOf(await bot.say(`person get ${email}`, 'uma'))).toMatch(
      /Not looked at: customer cus_1001, said by hand by Sam Support, .*approved by nobody else/,
    )
  })

  test('neither is what one person cut or forgot', async () => {
    const { email } = strangerAt(21)
    Object.assign(subscribers()[21]?.customFields ?? {}, { company: 'cus_7777' })
    await lookAround()
    expect(await customersOf(email)).toEqual(['cus_7777'])
    await alone(bot.say(`person unlink ${email} --customer cus_7777`, 'sam'))
    expect(await customersOf(email)).toEqual(['cus_7777'])
    await alone(bot.say(`subscriber update ${email} --company cus_1001`, 'sam'))
    await alone(bot.say(`person forget ${email}`, 'sam'))
    await lookAround()
    expect(await customersOf(email)).toEqual([])
  })

  test('also of a record that nobody has looked at, named by its id', async () => {
    const [some] = subscribers()
    if (some === undefined) throw new Error('nobody')
    const unseen = { ...some, _id: '64f000000000000000000001', email: 'unseen@example.com', customFields: {} }
    subscribers().push(unseen as never)
    await alone(bot.say(`api call email PUT /subscribers/${unseen._id} ${body(fields)}`, 'sam'))
    await lookAround()
    expect(await customersOf(unseen.email)).toEqual([])
  })

  test.each([
    ['the service refuses', { kind: 'status', status: 403 }, 'does not accept our credentials'],
    ['nobody can read', { kind: 'garbage' }, 'sent an answer that could not be read'],
  ] as const)('and by the id of a record that %s, nothing is written', async (_, fault, words) => {
    const [some] = subscribers()
    if (some === undefined) throw new Error('nobody')
    const unseen = { ...some, _id: '64f000000000000000000002', email: 'unread@example.com', customFields: {} }
    subscribers().push(unseen as never)
    bot.sandbox.fault({ row: 'getSubscriberById', ...fault })
    const asked = await bot.say(`api call email PUT /subscribers/${unseen._id} ${body(fields)}`, 'sam')
    const done = await bot.press('confirm', changeIn(asked).id, 'sam')
    expect(changeIn(done).state).toBe('failed')
    expect(textOf(done)).toContain(`Failed, and nothing was done. The email service ${words}`)
    expect(unseen.customFields).toEqual({})
    await lookAround()
    expect(await customersOf(unseen.email)).toEqual([])
  })

  test('nor an address that a record was moved to', async () => {
    const { id, fresh } = strangerAt(22)
    Object.assign(subscribers()[22]?.customFields ?? {}, { company: 'cus_1002' })
    await lookAround()
    await alone(bot.say(`api call email PUT /subscribers/${id} ${body({ email: fresh })}`, 'sam'))
    // Whether the service takes it is not documented.
    Object.assign(subscribers()[22] ?? {}, { email: fresh })
    await lookAround()
    expect(await customersOf(fresh)).toEqual([])
  })
})

describe('no command that one person runs alone', () => {
  const lines = bot.registry.all.flatMap(({ kind, examples, ...command }) =>
    kind === 'change' && 'area' in command && command.area !== 'billing' ? examples : [],
  )
  test.each(lines)('changes whom money goes to: %s', async (line) => {
    await lookAround()
    const before = await resolutions('bo@example.com')
    const reply = await bot.say(line, 'sam')
    if (reply.kind === 'change') await bot.press('confirm', reply.change.id, 'sam')
    const thawed = await bot.say('unfreeze all', 'fay')
    if (thawed.kind === 'change') await bot.press('confirm', thawed.change.id, 'fay')
    await lookAround()
    expect(await resolutions('bo@example.com')).toEqual(before)
  })
})

describe('what the service shows and nobody here wrote is evidence', () => {
  test('until somebody here writes the same', async () => {
    const { email } = strangerAt(23)
    Object.assign(subscribers()[23]?.customFields ?? {}, { company: 'cus_8888' })
    await lookAround()
    expect(await customersOf(email)).toEqual(['cus_8888'])
    const same = body({ customFields: { company: 'cus_8888' } })
    await alone(bot.say(`api call email PUT /subscribers/${email} ${same}`, 'sam'))
    expect(await customersOf(email)).toEqual([])
  })
})

describe('a link that two people made', () => {
  test('is what a link to a customer takes, where no rule says otherwise; one to a contact is confirmed', async () => {
    const linked = changeIn(await strict.say('person link ada@example.com --customer cus_1001', 'sam'))
    expect(linked).toMatchObject({ area: 'billing', clauses: [{ kind: 'approvals', count: 1 }] })
    for (const verb of ['approve', 'confirm'] as const) {
      expect(await strict.press(verb, linked.id, 'sam')).toMatchObject({ kind: 'refused' })
    }
    const contact = 'person link ada@example.com --contact 64b000000000000000000001'
    expect(changeIn(await strict.say(contact, 'sam')).clauses).toEqual([{ kind: 'confirm' }])
    await strict.press('approve', linked.id, 'fay')
    expect(textOf(await strict.say('refund ada@example.com', 'uma'))).toContain('pay_1001')
    const asked = await strict.say('refund pay_1001 20 --customer cus_1001', 'uma')
    expect(textOf(asked)).toMatch(/^Refund 20 USD to Ada Lindqvist\n/)
    expect(textOf(asked)).toMatch(
      /Address known from +said by hand by Sam Support, .* UTC, approved by Fay Finance, .* UTC/,
    )
    const done = changeIn(await strict.press('approve', changeIn(asked).id, 'fay'))
    expect(actionsIn(cardOf(done, Date.now()).view).map(({ label }) => label)).toContain('Tell Ada')
    const removal = textOf(await strict.say('transaction delete pay_1002', 'uma'))
    expect(removal).toMatch(/^Delete a payment: .* paid by Ada Lindqvist/)
    expect(textOf(await strict.say('transaction find cus_1001', 'uma'))).toMatch(/^.*ada@example\.com/)
  })
})

describe('a customer that contradicts the known owner', () => {
  test('of a payment or of a subscription is refused by name, and the evidence stays', async () => {
    await strict.say('transaction find cus_1002', 'uma')
    const refused = await strict.say('refund pay_1003 20 --customer cus_1001', 'sam')
    expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'bad_value', field: 'customer' } })
    expect(textOf(refused)).toMatch(
      /Payment pay_1003 is of customer cus_1002 \(learned from the billing service/,
    )
    expect(textOf(await strict.say('refund pay_1003 20', 'sam'))).toContain('cus_1002')
    const upgrade = 'upgrade sub_1002 plan_desk_team_m --payment-mode offline'
    await strict.press('approve', changeIn(await strict.say(upgrade, 'sam')).id, 'fay')
    expect(textOf(await strict.say(`${upgrade} --customer-id cus_1009`, 'sam'))).toContain(
      'Subscription sub_1002 is of customer cus_1002',
    )
  })
})

describe('a field that customers can write', () => {
  const written = people.replace(', customersWrite: []', '')
  const mallory = strangerAt(5).email

  test('is their word, unless the file says that they cannot', async () => {
    for (const [policy, found] of [
      [written, []],
      [people.replace('customersWrite: []', 'customersWrite: [customer]'), []],
      [people, ['cus_6666']],
    ] as const) {
      const own = await openTestApp({ policy })
      for (const one of own.sandbox.state.email.subscribers) one.customFields = {} as never
      const stranger = own.sandbox.state.email.subscribers.find(({ email }) => email === mallory)
      Object.assign(stranger?.customFields ?? {}, { company: 'cus_6666' })
      await own.say('subscriber find --limit 100', 'uma')
      const { links } = readContext(own.app.core, actor)
      const start: LinkEnd = { kind: 'email', id: mallory }
      expect(endsOfKind(await links.payerOf(start), 'customer').map(({ id }) => id)).toEqual(found)
      const seen = endsOfKind(await links.personOf(start), 'customer')
      expect(seen.map(({ id }) => id)).toEqual(['cus_6666'])
      expect(seen[0]?.link?.provenance).toMatchObject(
        found.length > 0
          ? { kind: 'seen' }
          : { kind: 'said', how: 'field', by: 'the customer', approved: null },
      )
      if (found.length > 0) continue
      expect(textOf(await own.say(`person get ${mallory}`, 'uma'))).toMatch(
        /Not looked at: customer cus_6666, written into a field of a service by the customer/,
      )
      const link = changeIn(await own.say(`person link ${mallory} --customer cus_6666`, 'sam'))
      expect(endsOfKind(await links.payerOf(start), 'customer')).toEqual([])
      await own.press('approve', link.id, 'fay')
      expect(endsOfKind(await links.payerOf(start), 'customer').map(({ id }) => id)).toEqual(['cus_6666'])
    }
  })

  test('offers nobody the payments of somebody else, whatever the file says', async () => {
    for (const policy of [people, written]) {
      const own = await openTestApp({ policy })
      for (const one of own.sandbox.state.email.subscribers) one.customFields = {} as never
      const stranger = own.sandbox.state.email.subscribers.find(({ email }) => email === mallory)
      Object.assign(stranger?.customFields ?? {}, { company: customer })
      const ada = own.sandbox.state.email.subscribers.find(({ email }) => email === 'ada@example.com')
      Object.assign(ada?.customFields ?? {}, { company: customer })
      for (const line of ['transaction find cus_1001', 'subscriber find --limit 100'])
        await own.say(line, 'uma')
      for (const line of [`refund ${mallory}`, `person get ${mallory}`, `transaction find ${mallory}`])
        expect(textOf(await own.say(line, 'uma')), line).not.toMatch(/pay_1|INV-|49 USD/)
      const { links } = readContext(own.app.core, actor)
      expect(endsOfKind(await links.payerOf({ kind: 'email', id: mallory }), 'customer')).toEqual([])
    }
  })
})

describe('a contradiction', () => {
  const address = (id: string): LinkEnd => ({ kind: 'email', id })
  const payer = (id: string): LinkEnd => ({ kind: 'customer', id })

  test.each([
    [
      'one address with two customers',
      [
        ['a', 'cus_a'],
        ['a', 'cus_b'],
      ],
      address('a@x.io'),
      'customer',
      2,
    ],
    [
      'one customer with two addresses, looked at from an address',
      [
        ['b', 'cus_c'],
        ['c', 'cus_c'],
      ],
      address('b@x.io'),
      'customer',
      0,
    ],
    [
      'the same, looked at from the other',
      [
        ['d', 'cus_d'],
        ['e', 'cus_d'],
      ],
      address('e@x.io'),
      'customer',
      0,
    ],
    [
      'one customer with two addresses, looked at from the customer',
      [
        ['f', 'cus_e'],
        ['g', 'cus_e'],
      ],
      payer('cus_e'),
      'email',
      2,
    ],
    [
      'one address with two customers, looked at from a customer',
      [
        ['h', 'cus_f'],
        ['h', 'cus_g'],
      ],
      payer('cus_f'),
      'email',
      0,
    ],
    ['none', [['i', 'cus_h']], address('i@x.io'), 'customer', 1],
  ] as const)('in either direction: %s', async (_, pairs, start, kind, count) => {
    const { app, store } = other
    await store.links.learn(
      pairs.map(([name, id]) => ({
        pair: pairOf(address(`${name}@x.io`), payer(id)) as never,
        source: 'billing.findTransactions',
      })),
    )
    const found = endsOfKind(await readContext(app.core, actor).links.payerOf(start), kind)
    expect(found).toHaveLength(count)
  })
})
