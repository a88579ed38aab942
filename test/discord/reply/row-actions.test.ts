import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { menusOf, textOf } from '../fake/person.ts'
import type { FakeInteraction, FakeMessage } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general } = channels

describe('a row of an answer in Discord', async () => {
  const { fake, sam, fay } = await openDiscordHarness()
  const shownBy = (asked: FakeInteraction, words: string): Promise<FakeMessage> =>
    until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      if (message === undefined || !textOf(message).includes(words)) {
        throw new Error(`no "${words}" in: ${message && textOf(message)}`)
      }
      return message
    })

  it('is chosen from a menu, then what to do with it', async () => {
    const found = await shownBy(await sam.slash(general, 'subscriber find', { limit: 3 }), 'Page 1')
    const [menu] = menusOf(found)
    expect(menu?.options).toHaveLength(3)
    const first = menu?.options[0]?.label ?? ''
    const row = await sam.choose(found, first)
    const offered = await shownBy(row, 'Subscriber')
    expect(menusOf(offered)[0]?.options.map(({ label }) => label)).toContain('list add')
    await shownBy(await sam.choose(offered, 'subscriber get'), 'Lead score')
    expect(menusOf(found)).toHaveLength(1)
  })

  it('opens the form of a change as the first answer, and its card stands beside the list', async () => {
    const found = await shownBy(await sam.slash(general, 'subscriber get', { who: 'ada@example.com' }), 'Ada')
    const opened = await sam.choose(found, 'subscriber update')
    expect(opened.answered).toBe(9)
    expect(JSON.stringify(opened.modal)).toContain('ada@example.com')
    const asked = await sam.submit(opened, { 'first-name': 'Adah' })
    await shownBy(asked, 'Update Ada Lindqvist')
    expect(textOf(fake.state.messages.get(found.id) as FakeMessage)).toContain('Lead score')
  })

  it('lets a refund be asked for from a list of payments without typing an id', async () => {
    const found = await shownBy(
      await fay.slash(general, 'transaction find', { 'customer-id': 'cus_1001' }),
      'Payments by',
    )
    const row = await shownBy(await fay.choose(found, 'INV-501'), 'Payment')
    const opened = await fay.choose(row, 'refund')
    expect(opened.answered).toBe(9)
    await fay.submit(opened, { amount: '20' })
    await until(() => expect(fay.reads(general)).toContain('Refund 20 USD to customer'))
  })

  it('is marked with others, which are read and decided on together', async () => {
    for (const payment of ['pay_1003', 'pay_1004', 'pay_1005'])
      await sam.slash(general, 'refund', { 'payment-id': payment, amount: 100 })
    const list = await until(async () => {
      const found = await shownBy(await fay.slash(general, 'approval list'), 'Waiting for you')
      for (const payment of ['pay_1003', 'pay_1004', 'pay_1005'])
        expect(JSON.stringify(menusOf(found))).toContain(payment)
      return found
    })
    const marked = await fay.mark(list, ['pay_1003', 'pay_1005'])
    const read = await until(() => {
      const beside = fake.seen(fay.id, general).find((one) => textOf(one).includes('Decide on 2 changes?'))
      if (beside === undefined) throw new Error(`nothing is listed: ${JSON.stringify(marked)}`)
      return beside
    })
    expect(read.onlyFor).toBe(fay.id)
    await fay.press(read, 'Approve 2')
    await until(() => expect(fay.reads(general)).toContain('Approved 2 of 2'))
    await fay.mark(list, ['pay_1004'])
    const rest = await until(() => {
      const beside = fake.seen(fay.id, general).find((one) => textOf(one).includes('Decide on 1 change?'))
      if (beside === undefined) throw new Error('the rest is not listed')
      return beside
    })
    const opened = await fay.press(rest, 'Reject 1')
    expect(opened.answered).toBe(9)
    await fay.submit(opened, { reason: 'Paid back in cash' })
    await until(() => expect(fay.reads(general)).toContain('Rejected 1 of 1'))
  })
})
