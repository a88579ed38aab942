import { beforeAll, describe, expect, test } from 'vitest'
import type { Param } from '../../src/kernel/command/params.ts'
import { fromOf, openTestApp, type TestApp } from '../harness/app.ts'

const policy = `version: 1
people:
  - { id: ann, name: Ann, roles: [all] }
roles:
  all: { run: ["*"] }
policies:
  - { name: refund, commands: [refund], require: confirm }
unseen: pass
`
const customer = { kind: 'customer' as const, id: 'cus_1001' }
const paid = '49 USD · 1 Nov 09:14 · INV-513'

describe('what is chosen from', () => {
  let app: TestApp
  let later = 0
  const paramOf = (command: string, name: string): Param => {
    const found = app.app.bot.registry.get(command)?.params.find((one) => one.name === name)
    if (found === undefined) throw new Error(`${command} has no ${name}`)
    return found
  }
  const offered = async (command: string, name: string, typed = '', within: (typeof customer)[] = []) =>
    (await app.app.bot.suggest(fromOf('ann'), paramOf(command, name), typed, within)).map(
      ({ label }) => label,
    )
  const menuOf = async (line: string) => {
    const reply = await app.say(line, 'ann')
    return reply.kind === 'answer' ? (reply.view.menu?.items ?? []) : []
  }
  beforeAll(async () => {
    app = await openTestApp({ policy, tasks: false, now: () => Date.now() + later })
  })

  test('is told by sum, day and invoice where it is a payment, in pickers and menus alike', async () => {
    expect(await offered('refund', 'paymentId', '', [customer])).toContain(paid)
    const items = await menuOf('transaction find cus_1001')
    expect(items.map(({ label }) => label)).toContain(paid)
    expect(items.map(({ label }) => label).join()).not.toContain('pay_')
  })

  test('is told by the address too where it is a subscriber', async () => {
    expect(await offered('subscriber get', 'who', 'ada@')).toEqual(['Ada Lindqvist (ada@example.com)'])
    const [first] = await menuOf('subscriber get ada@example.com')
    expect(first?.label).toBe('Ada Lindqvist (ada@example.com)')
  })

  test('goes by its name in a form that was opened with its id', async () => {
    const form = await app.app.bot.formOf(fromOf('ann'), {
      command: 'refund',
      values: { 'payment-id': 'pay_1013', customer: 'cus_1001' },
    })
    const [payment] = form?.fields ?? []
    expect(payment?.chosen).toEqual({ label: paid, value: 'pay_1013' })
    expect(payment?.others?.map(({ label }) => label).join()).not.toContain('pay_')
  })

  test('has no payment in it that is refunded already where it is about a refund', async () => {
    const asked = await app.say('refund pay_1013 49 --customer cus_1001', 'ann')
    if (asked.kind !== 'change') throw new Error(asked.kind)
    await app.press('confirm', asked.change.id, 'ann')
    const items = await menuOf('transaction find cus_1001')
    const actions = items.find(({ label }) => label === paid)?.actions
    expect(actions).toContain('transaction get')
    expect(actions).not.toContain('refund')
    // What was read for pickers is kept for half a minute.
    later = 60_000
    expect(await offered('refund', 'paymentId', '', [customer])).not.toContain(paid)
    expect(await offered('transaction get', 'paymentId', '', [customer])).toContain(paid)
    await app.say('person link ada@example.com --customer cus_1001', 'ann')
    const which = await app.say('refund cus_1001', 'ann')
    expect(which.kind === 'answer' && JSON.stringify(which.view)).not.toContain('INV-513')
  })

  test('has the payments of earlier requests by name as well', async () => {
    expect((await offered('transaction get', 'paymentId')).join()).toContain(paid)
    expect((await offered('refund', 'customer')).join()).toContain('cus_1001')
  })
})
