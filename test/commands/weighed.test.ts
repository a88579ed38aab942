import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { isOnlyShown } from '../../src/kernel/command/facts.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { pairOf } from '../../src/lib/things/link.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const billing = () => bot.sandbox.state.billing
const paid = (id: string) => billing().transactions.find((one) => one.id === id) ?? {}
const addon = (id: string) => billing().addons.find((one) => one.id === id) ?? {}
const customerOf = (id: string) => pairOf({ kind: 'email', id }, { kind: 'customer', id: 'cus_1004' })

const learn = async (address: string) => {
  const pair = customerOf(address)
  if (pair !== undefined) await bot.store.links.learn([{ pair, source: 'billing.findTransactions' }])
}

const refund = 'refund pay_1006 90 --customer cus_1004'

/** What happens between the question and the vote for it. */
const table: [what: string, line: string, happens: () => unknown, becomes: Change['state']][] = [
  [
    'a note that the payment looks charged twice',
    refund,
    () => billing().transactions.push({ ...(paid('pay_1006') as never as object), id: 'pay_9006' } as never),
    'applied',
  ],
  [
    'another number of its invoice',
    refund,
    () => Object.assign(paid('pay_1006'), { invoice_id: 'INV-9' }),
    'applied',
  ],
  [
    'a refund of part of it',
    refund,
    () => Object.assign(paid('pay_1006'), { refunded_amount: 5 }),
    'pending',
  ],
  ['another status of it', refund, () => Object.assign(paid('pay_1006'), { status: 'disputed' }), 'pending'],
  ['another sum of it', refund, () => Object.assign(paid('pay_1006'), { amount: 9_000 }), 'pending'],
  ['an address of who paid', refund, () => learn('sol@example.com'), 'pending'],
  [
    'another name of an add-on',
    'addon update addon_seats --price 30',
    () => Object.assign(addon('addon_seats'), { name: 'Places' }),
    'applied',
  ],
  [
    'another price of it',
    'addon update addon_seats --price 30',
    () => Object.assign(addon('addon_seats'), { price: 28 }),
    'pending',
  ],
  [
    'a link that contradicts the one that is asked for',
    'person link sol@example.com --customer cus_1004',
    async () => {
      const other = pairOf({ kind: 'email', id: 'sol@example.com' }, { kind: 'customer', id: 'cus_1002' })
      if (other !== undefined)
        await bot.store.links.learn([{ pair: other, source: 'billing.findTransactions' }])
    },
    'pending',
  ],
]

describe('what comes up before the vote for a change', () => {
  it.each(table)('%s leaves it as it is asked or asks again', async (_, line, happens, becomes) => {
    const change = await bot.ask(line)
    await happens()
    expect((await bot.settle(change)).state).toBe(becomes)
  })
})

/** The fields of a schema on which no vote depends. */
const shownIn = (schema: z.core.$ZodType, path: string): string[] => {
  if (isOnlyShown(schema)) return [path]
  const { type, innerType, element, shape, options, out, items } = schema._zod.def as {
    type: string
    innerType?: z.core.$ZodType
    element?: z.core.$ZodType
    shape?: Record<string, z.core.$ZodType>
    options?: z.core.$ZodType[]
    out?: z.core.$ZodType
    items?: z.core.$ZodType[]
  }
  const inner = innerType ?? out
  if (inner !== undefined) return shownIn(inner, path)
  if (element !== undefined) return shownIn(element, `${path}[]`)
  if (shape !== undefined)
    return Object.entries(shape).flatMap(([name, field]) => shownIn(field, `${path}.${name}`))
  const parts = type === 'union' ? options : items
  return (parts ?? []).flatMap((part) => shownIn(part, path))
}

it('votes depend on every field of a plan but these', async () => {
  const plans = bot.registry.all.flatMap((command) => {
    const shown = command.kind === 'change' ? new Set(shownIn(command.plan, '')) : []
    return [...shown].map((path) => `${command.name}: ${path.slice(1)}`)
  })
  await expect(`${plans.join('\n')}\n`).toMatchFileSnapshot('only-shown.txt')
})
