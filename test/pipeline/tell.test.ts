import { expect, test } from 'vitest'
import { endOf } from '../../src/kernel/cards/card.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { buttonOf } from './harness.ts'

const bot = await openTestApp({ tasks: false })

/** A refund whose customer is known by address and name. */
const refunded = async () => {
  bot.sandbox.reset()
  await bot.say('person get ada@example.com', 'p-finance')
  const asked = await bot.say('refund pay_1002 20 --customer cus_1001 --reason "Charged twice"', 'p-finance')
  if (asked.kind !== 'change') throw new Error(asked.kind)
  const ended = await bot.press('confirm', buttonOf(asked.change), 'p-finance')
  if (ended.kind !== 'change') throw new Error(ended.kind)
  return ended
}
const done = await refunded()

test('an outcome is a sentence and a line, with its receipt and the message to whom it was for', async () => {
  const { change, view } = done
  expect(change).toMatchObject({ state: 'applied', tell: { command: 'message text', to: 'ada@example.com' } })
  expect(view.kind).toBe('outcome')
  expect(view.title).toBe('Refunded 20 USD to Ada Lindqvist')
  expect(view.blocks).toHaveLength(1)
  expect(view.actions?.filter(({ isMore }) => !isMore)).toMatchObject([
    { verb: 'receipt' },
    { verb: 'tell', label: 'Tell Ada' },
  ])
  expect(endOf(change, false).actions?.map(({ verb }) => verb)).not.toContain('tell')
})

test('telling is a form with their address and what was done filled in; nothing is sent before it is reviewed', async () => {
  const { change } = done
  const press = (person: string, forms = true) =>
    bot.handle({
      from: fromOf(person),
      forms,
      intent: { kind: 'press', verb: 'tell', id: buttonOf(change) },
    })
  const asked = await press('p-finance')
  expect(asked).toMatchObject({
    kind: 'form',
    form: {
      command: 'message text',
      values: {
        to: 'ada@example.com',
        body: expect.stringMatching(/^We refunded 20 USD of your payment of .+, invoice INV-502\.$/),
      },
    },
  })
  expect(bot.sandbox.wire.filter(({ row }) => row === 'sendText')).toEqual([])
  expect(await press('p-finance', false)).toMatchObject({
    refusal: {
      code: 'missing_arguments',
      message: 'There is no form here.',
      usage: expect.stringMatching(/^message text ada@example\.com "We refunded 20 USD/),
    },
  })
  // Whoever may not see the change reads that at once.
  expect(await press('nobody')).toMatchObject({ kind: 'refused', refusal: { code: 'may_not_approve' } })
})

test('a request that is changed to another payment forgets whom it was for, and nobody is told of what is not done', async () => {
  bot.sandbox.reset()
  const asked = await bot.say('refund pay_1013 30 --customer cus_1001', 'p-finance')
  if (asked.kind !== 'change') throw new Error(asked.kind)
  expect(asked.change.tell).toBeDefined()
  expect(await bot.press('tell', buttonOf(asked.change), 'p-finance')).toMatchObject({
    refusal: { code: 'no_such_change', message: 'There is nobody to tell about this.' },
  })
  await bot.say(`approval change ${asked.change.id} refund pay_1008 30`, 'p-finance')
  expect(await bot.store.changes.get(asked.change.id)).not.toHaveProperty('tell')
})

test.each([
  ['what came of it', 'Refunded 20 USD.', { to: 'ada@example.com', body: 'Refunded 20 USD.' }],
  ['their address alone, where nothing is known of it', undefined, { to: 'ada@example.com' }],
])('of a change that an older version planned, telling has %s', async (_, message, values) => {
  const change = await bot.store.changes.get(done.change.id)
  if (change === null) throw new Error('gone')
  const outcome = message === undefined ? null : { at: 1, message, warning: null, view: null }
  await bot.store.changes.swap({
    ...change,
    plan: {},
    outcome,
    version: change.version + 1,
  })
  const asked = await bot.handle({
    from: fromOf('p-finance'),
    forms: true,
    intent: { kind: 'press', verb: 'tell', id: change.id },
  })
  expect(asked.kind === 'form' && asked.form.values).toEqual(values)
})

test('whoever cannot be looked up by name goes by their address, and nothing else is taken for that', async () => {
  const ask = async () => {
    bot.sandbox.reset()
    return { say: () => bot.say('refund pay_1013 31 --customer cus_1001', 'p-finance') }
  }
  const recipientOf = (reply: Awaited<ReturnType<typeof bot.say>>) =>
    reply.kind === 'change' ? reply.change.recipient : reply.kind
  const address = 'ada@example.com'
  const nameless = await ask()
  const ada = bot.sandbox.state.email.subscribers.find(({ email }) => email === address)
  Object.assign(ada ?? {}, { firstName: '', lastName: '', first_name: '', last_name: '' })
  expect(recipientOf(await nameless.say())).toBe(address)
  const down = await ask()
  bot.sandbox.fault({ service: 'email', method: 'GET', kind: 'status', status: 500, times: 20 })
  expect(recipientOf(await down.say())).toBe(address)

  const { core } = bot.app
  const { registry } = core
  const name = () => Promise.reject(new TypeError('broken'))
  const packs = registry.packs.map((pack) =>
    pack.person?.name === undefined ? pack : { ...pack, person: { ...pack.person, name } },
  )
  const broken = await ask()
  core.registry = { ...registry, packs }
  expect(await broken.say()).toMatchObject({ kind: 'refused', refusal: { code: 'broken' } })
  core.registry = registry
})

test('where no pack writes to people, who a change is for is named all the same, and nobody is told', async () => {
  bot.sandbox.reset()
  const { core } = bot.app
  const { registry } = core
  core.registry = { ...registry, packs: registry.packs.map(({ words: _, ...pack }) => pack) }
  const asked = await bot.say('refund pay_1013 32 --customer cus_1001', 'p-finance')
  core.registry = registry
  if (asked.kind !== 'change') throw new Error(asked.kind)
  expect(asked.change.recipient).toBe('Ada Lindqvist')
  expect(asked.change).not.toHaveProperty('tell')
})
