import { beforeEach, describe, expect, test } from 'vitest'
import { openTeamBot } from '../commands/team-bot.ts'
import { textOf } from '../harness/app.ts'

const bot = await openTeamBot()
const ends = [
  'cus_1001',
  'cus_1002',
  'ada@example.com',
  'bo@example.com',
  '15550110000',
  '64b000000000000000000001',
]
beforeEach(async () => {
  for (const kind of ['email', 'phone', 'contact', 'customer'] as const) {
    await bot.store.links.forget(
      ends.map((id) => ({ kind, id })),
      true,
    )
  }
  bot.app.core.learner.forget()
})

describe('an address or a number in the place of an id', () => {
  test('is the one customer that it is linked to, in a query and in a change', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    expect((await bot.look('transaction find ada@example.com')).title).toBe('Payments by ada@example.com')
    const change = await bot.ask('refund pay_1001 20 --customer ada@example.com')
    expect(change.input).toMatchObject({ customer: 'cus_1001' })
    expect(change.line).toContain('--customer cus_1001')
  })
  test('that leads to nobody is refused, with the way to set the link', async () => {
    expect(await bot.refused('transaction find bo@example.com')).toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('person link bo@example.com --customer'),
    })
  })
  test('that leads to several asks which', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    await bot.run('person link ada@example.com --customer cus_1002')
    const reply = await bot.say('transaction find ada@example.com', 'fay')
    expect(textOf(reply)).toMatch(/transaction find cus_1001[\s\S]*transaction find cus_1002/)
    const action = 'view' in reply ? reply.view.actions?.[1] : undefined
    if (action === undefined) throw new Error('no choice')
    expect(textOf(await bot.press('choose', action.id, 'fay'))).toContain('pay_1003')
  })
  test('of a payment is a choice among the newest payments, with their customer', async () => {
    await bot.run('person link ada@example.com --customer cus_1001')
    const reply = await bot.say('refund ada@example.com', 'fay')
    expect(textOf(reply)).toMatch(/2\. 49 USD · 1 Nov 09:14 · INV-513: refund pay_1013 --customer cus_1001/)
    expect(await bot.refused('refund bo@example.com')).toMatchObject({ code: 'not_found' })
  })
  test('is a contact, over the number of the subscriber, and one of two people with that number is asked for', async () => {
    expect((await bot.look('contact get ada@example.com')).title).toContain('Ada Lindqvist')
    const change = await bot.ask('contact update ada@example.com --name "Ada L."')
    expect(change.input).toMatchObject({ id: '64b000000000000000000001' })
    const second = bot.sandbox.state.chat.contacts[1]
    if (second === undefined) throw new Error('nobody')
    second.mobile = '15550110000'
    await bot.look('contact find')
    const reply = await bot.say('contact update +15550110000 --name "Ada L."', 'fay')
    expect(textOf(reply)).toContain(second._id)
  })
})
