import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import { isDeciding, type Seen, type Who } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** Whatever message somebody presses, it shows afterwards what is true now. */
describe.each([
  ['Slack', () => openSlackConversation('http')],
  ['Discord', () => openDiscordConversation('gateway')],
  ['the console', openConsoleConversation],
])('what was pressed in %s', async (_, open) => {
  const harness = await open()
  const { says, presses, sees, store } = harness
  const finds = (who: Who, words: string, button: string): Seen => {
    const found = sees(who).findLast((one) => one.words.includes(words) && one.buttons.includes(button))
    if (found === undefined) throw new Error(`${who} sees no ${button} at ${words}`)
    return found
  }
  const shows = (who: Who, { id }: Seen, words: string) =>
    until(() => {
      const now = sees(who).find((one) => one.id === id)
      expect(now?.words).toContain(words)
      expect(now?.buttons.filter(isDeciding)).toEqual([])
    })
  const newest = async () => {
    const [change] = await store.changes.list({ states: ['pending'], limit: 1 })
    return change as NonNullable<typeof change>
  }
  /** As after a kill between posting a card and storing where it is. */
  const forgetCopies = async (id: string) => {
    const { add } = store.cards
    store.cards.add = async (card) => {
      if (card.changeId !== id || card.place === 'adopted') await add(card)
    }
    for (const { platform, address } of await store.cards.of(id))
      await store.cards.remove(id, platform, address)
  }

  it('a confirm card that nobody remembers shows the outcome when it is confirmed', async () => {
    await says('sam', 'refund pay_1001 20 --customer cus_1001')
    const card = await until(() => finds('sam', 'pay_1001', 'Confirm'))
    await until(async () => expect(await store.cards.of((await newest()).id)).toHaveLength(1))
    await forgetCopies((await newest()).id)
    await presses('sam', card, 'Confirm')
    await shows('sam', card, 'Refunded')
  })

  it('a confirm card that nobody remembers shows that it was cancelled', async () => {
    await says('sam', 'refund pay_1003 21 --customer cus_1002')
    const card = await until(() => finds('sam', 'pay_1003', 'Confirm'))
    const { id } = await newest()
    await until(async () => expect(await store.cards.of(id)).toHaveLength(1))
    await forgetCopies(id)
    await says('sam', `approval cancel ${id}`)
    await until(async () => expect((await store.changes.get(id))?.state).toBe('cancelled'))
    // A copy whose place was still being stored is known after all, and has no button any more.
    await presses('sam', card, 'Confirm').catch(() => undefined)
    await shows('sam', card, 'Cancelled')
  })

  it('a copy that approval get has drawn shows the outcome when it is approved there', async () => {
    await says('sam', 'refund pay_1004 90')
    const { id } = await until(async () => {
      finds('fay', 'pay_1004', 'Approve')
      return newest()
    })
    const before = sees('fay').map((one) => one.id)
    await says('fay', `approval get ${id}`)
    const copy = await until(() => {
      const drawn = sees('fay').find((one) => !before.includes(one.id) && one.buttons.includes('Approve'))
      if (drawn === undefined) throw new Error('nothing was drawn')
      return drawn
    })
    await presses('fay', copy, 'Approve')
    await shows('fay', copy, 'Refunded')
  })

  it('a copy that approval get has drawn shows what others decided, and nobody has to press it', async () => {
    await says('sam', 'refund pay_1005 91')
    const { id } = await until(async () => {
      finds('fay', 'pay_1005', 'Approve')
      return newest()
    })
    const before = sees('fay').map((one) => one.id)
    await says('fay', `approval get ${id}`)
    const copy = await until(() => {
      const drawn = sees('fay').find((one) => !before.includes(one.id) && one.buttons.includes('Approve'))
      if (drawn === undefined) throw new Error('nothing was drawn')
      return drawn
    })
    await says('sam', `approval cancel ${id}`)
    await until(async () => expect((await store.changes.get(id))?.state).toBe('cancelled'))
    await shows('fay', copy, 'Cancelled')
  })
})
