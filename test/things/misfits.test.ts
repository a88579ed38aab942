import { beforeAll, describe, expect, it } from 'vitest'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { isThingKind, type Param } from '../../src/kernel/command/params.ts'
import { shapeOfId } from '../../src/kernel/model/id-shape.ts'
import { pairOf } from '../../src/lib/things/link.ts'
import { openTeamBot } from '../commands/team-bot.ts'
import { textOf } from '../harness/app.ts'

const bot = await openTeamBot()

/** Something of every shape that a value can have by its looks, none of which anybody knows. */
const shapes = [
  'nobody@example.org',
  '+46700000000',
  'https://example.com/sub_1',
  '<@U0NOBODY>',
  'pay_nobody',
  'cus_nobody',
  'sub_nobody',
  'plan_nobody',
  'prod_nobody',
  'addon_nobody',
  'lic_nobody',
  'mp_nobody',
  'cmp_nobody',
  'lst_nobody',
]

const takesIds = ({ kinds, by, isId }: Param): boolean =>
  by === 'id' && (isId || kinds.some((kind) => isThingKind(kind) && kind !== 'change' && kind !== 'job'))

const positions = bot.registry.all.flatMap((command) => {
  const parsed = command.examples
    .map((line) => parseLine(bot.registry, line))
    .find((one) => one.ok && one.value.missing.length === 0)
  if (parsed?.ok !== true) return []
  const { given } = parsed.value
  return command.params
    .filter(takesIds)
    .map((param) => ({ command, param, given, name: `${command.name} ${param.flag}` }))
})

/** By an address or a number these are found as well, and the service says who is not there. */
const isTakenBy = ({ kinds, name }: Param, value: string): boolean => {
  const shape = shapeOfId(value)
  const isPerson = kinds.some((kind) => kind === 'subscriber' || kind === 'contact')
  return (
    kinds.some((kind) => shape?.kinds.some((one) => one === kind)) ||
    (isPerson && /^(?:[+]|nobody@)/.test(value)) ||
    name === 'emails'
  )
}

describe('an id that looks like something else', () => {
  it('has positions in every area', () => {
    expect(positions.length).toBeGreaterThan(35)
  })

  it.each(positions)('is refused before anybody is asked and anything is sent: $name', async (position) => {
    const { command, param, given } = position
    for (const value of shapes.filter((one) => !isTakenBy(param, one))) {
      const before = (await bot.store.changes.list({ limit: 1_000 })).length
      const reply = await bot.app.bot.handle({
        delivery: `${position.name} ${value}`,
        from: { platform: 'terminal', account: 'fay', name: 'Fay', groups: [] },
        place: { channel: null, handle: null, direct: true },
        forms: false,
        intent: {
          kind: 'options',
          command: command.name,
          values: { ...given, [param.name]: param.type === 'list' ? [value] : value },
        },
      })
      expect([value, reply.kind], textOf(reply)).toEqual([value, 'refused'])
      expect((await bot.store.changes.list({ limit: 1_000 })).length).toBe(before)
    }
    expect(bot.sandbox.wire.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('what leads to it over links', () => {
  beforeAll(async () => {
    const { links } = bot.store
    const customer = { kind: 'customer', id: 'cus_1001' } as const
    for (const other of [
      { kind: 'email', id: 'ada@example.com' },
      { kind: 'subscription', id: 'sub_1001' },
      { kind: 'payment', id: 'pay_1001' },
    ] as const) {
      const pair = pairOf(customer, other)
      if (pair !== undefined) await links.learn([{ pair, source: 'billing.changePlan' }])
    }
  })
  const planChange = 'plan_desk_business_m --payment-mode offline'

  it.each(['ada@example.com', 'cus_1001', 'pay_1001'])(
    '%s asks which subscription is meant',
    async (value) => {
      const reply = await bot.say(`upgrade ${value} ${planChange}`, 'fay')
      expect(textOf(reply)).toMatch(/What did you mean\?[\s\S]*upgrade sub_1001 plan_desk_business_m/)
      expect(await bot.store.changes.list({ limit: 10, states: ['pending'] })).toEqual([])
    },
  )

  it.each(['pay_1001', 'sub_1001', 'ada@example.com'])('%s is its customer', async (value) => {
    expect((await bot.look(`transaction find ${value}`)).title).toBe('Payments by ada@example.com')
  })

  it('a customer asks which payment is meant', async () => {
    expect(textOf(await bot.say('refund cus_1001', 'fay'))).toMatch(/refund pay_1013 --customer cus_1001/)
  })

  it('says what it looks like and what to give where nothing does', async () => {
    expect(await bot.refused(`upgrade nobody@example.org ${planChange}`)).toMatchObject({
      code: 'bad_value',
      field: 'subscriptionId',
      message:
        'subscription-id: "nobody@example.org" looks like an email address, not like the id of a subscription.',
      next: expect.stringContaining('nobody was asked'),
    })
    expect(await bot.refused(`upgrade plan_desk_business_m sub_1001 --payment-mode offline`)).toMatchObject({
      field: 'subscriptionId',
      message: expect.stringContaining('looks like the id of a plan'),
    })
  })
})

describe('an api call', () => {
  it.each([
    [
      'billing PUT /subscription/ada@example.com/upgrade-downgrade',
      { plan_id: 'plan_x', payment_mode: 'offline' },
    ],
    [
      'billing PUT /subscription/sub_1001/upgrade-downgrade',
      { plan_id: 'sub_1001', payment_mode: 'offline' },
    ],
    ['billing POST /transaction/refund/cus_1001', { amount: 9 }],
    ['billing DELETE /transaction/sub_1001', undefined],
    ['chat GET /contacts/cus_1001', undefined],
  ])('%s is refused with such an id', async (what, body) => {
    const line = `api call ${what}${body === undefined ? '' : ` --body '${JSON.stringify(body)}'`}`
    expect((await bot.refused(line)).message).toContain('looks like')
  })

  it('takes an amount as a number and as text, as the same', async () => {
    const [one, two] = [
      await bot.ask(`api call billing POST /transaction/refund/pay_1002 --body '{"amount": 9}'`),
      await bot.ask(`api call billing POST /transaction/refund/pay_1002 --body '{"amount": "9"}'`),
    ]
    expect(two.plan).toEqual(one.plan)
    expect(two.intent).toBe(one.intent)
    expect(two.amount).toBe(9)
    for (const amount of ['null', '"1,000"', '"12,50"', '1.5', '"5²"']) {
      await bot.refused(`api call billing POST /transaction/refund/pay_1002 --body '{"amount": ${amount}}'`)
    }
  })
})
