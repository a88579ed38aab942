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
    const row = await shownBy(await fay.choose(found, 'pay_1001'), 'Payment')
    const opened = await fay.choose(row, 'refund')
    expect(opened.answered).toBe(9)
    await fay.submit(opened, { amount: '20' })
    await until(() => expect(fay.reads(general)).toContain('Refund 20 USD to customer'))
  })
})
