import { describe, expect, it } from 'vitest'
import { MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { notesIn } from '../../src/kernel/model/checkpoint.ts'
import { facts, type View } from '../../src/lib/view/view.ts'
import { everyBlock } from '../console/sample-views.ts'
import { until } from '../harness/until.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import { hostile, poisoned } from './hostile.ts'
import { everybody, isDeciding, type MessengerHarness, type Seen, type Who } from './messenger-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

/** One suite that every messenger passes. */
describe.each([
  ['Slack over HTTP', () => openSlackConversation('http')],
  ['Slack over Socket Mode', () => openSlackConversation('socket')],
  ['Discord over the gateway', () => openDiscordConversation('gateway')],
  ['Discord over HTTP', () => openDiscordConversation('http')],
  ['the console', openConsoleConversation],
])('%s', async (_, open) => {
  const harness = await open()
  const finds = (who: Who, words: string, button?: string): Seen => {
    const found = harness
      .sees(who)
      .findLast((message) => message.words.includes(words) && (!button || message.buttons.includes(button)))
    if (found === undefined)
      throw new Error(`${who} sees no "${words}" in ${JSON.stringify(harness.sees(who))}`)
    return found
  }
  const others = (who: Who) => everybody.filter((one) => one !== who)
  const seesNot = (who: Who, words: string) =>
    expect(
      harness
        .sees(who)
        .map((message) => message.words)
        .join('\n'),
    ).not.toContain(words)

  it('gives back what it posted in a channel, where it can be read', async () => {
    const { messenger, channel } = harness
    const code = `bellhop/00ff\n5\n${'Ab+/'.repeat(10)}abc=\n\n\u2014 bellhop 8J+Y/g==`
    const view: View = { title: 'To be read', tone: 'plain', blocks: [{ kind: 'code', text: code }] }
    await messenger.post({ channel, handle: null, onlyFor: null }, view)
    if (messenger.posted === undefined) return
    const read: string[] = []
    for await (const words of messenger.posted(channel)) read.push(...notesIn(words))
    expect(read).toEqual([`${code}\n`])
  })

  it('answers whoever asked, alone', async () => {
    await harness.says('sam', 'subscriber get ada@example.com')
    const answer = await until(() => finds('sam', 'Ada Lindqvist'))
    expect(answer.buttons).toEqual(['Share'])
    for (const who of others('sam')) seesNot(who, 'Ada Lindqvist')
  })

  it('shares an answer with everybody, without its buttons', async () => {
    await harness.presses('sam', finds('sam', 'Ada Lindqvist'), 'Share')
    for (const who of others('sam')) {
      expect((await until(() => finds(who, 'Ada Lindqvist'))).buttons).toEqual([])
    }
  })

  it('turns pages where they stand', async () => {
    await harness.says('sam', 'subscriber find --limit 5')
    const first = await until(() => finds('sam', 'Page 1 of', 'Next'))
    const count = harness.sees('sam').length
    await harness.presses('sam', first, 'Next')
    const second = await until(() => finds('sam', 'Page 2 of', 'Previous'))
    expect(second.id).toBe(first.id)
    expect(harness.sees('sam')).toHaveLength(count)
    await harness.presses('sam', second, 'Previous')
    await until(() => finds('sam', 'Page 1 of', 'Next'))
  })

  it('tells whoever may not why, alone', async () => {
    await harness.says('wes', 'refund pay_1001 10')
    await until(() => finds('wes', 'may run refund'))
    for (const who of others('wes')) seesNot(who, 'may run refund')
  })

  it('lets a requester confirm alone, once', async () => {
    await harness.says('sam', 'refund pay_1001 20 --customer cus_1001')
    const card = await until(() => finds('sam', '(pay_1001)', 'Confirm'))
    expect(card.buttons).toEqual(['Confirm', 'Cancel'])
    for (const who of others('sam')) seesNot(who, 'pay_1001')
    await harness.presses('sam', card, 'Confirm')
    await until(() => finds('sam', 'Refunded 20'))
    expect(buttonsAbout(harness, 'pay_1001')).toEqual([])
    expect(refundsOf(harness, 'pay_1001')).toBe(1)
  })

  it('shows a request for approval to everybody, and refuses the requester’s own vote', async () => {
    await harness.says('sam', 'refund pay_1003 120')
    const deciding = ['Approve', 'Ask', 'Reject']
    for (const who of everybody) {
      const isTheirs = !harness.drawsForReader || who === 'fay' || who === 'finn'
      const { buttons } = await until(() => finds(who, 'payment pay_1003', isTheirs ? 'Approve' : undefined))
      expect(buttons.filter((one) => deciding.includes(one))).toEqual(isTheirs ? deciding : [])
    }
    // Also by a button that somebody else has.
    await harness.presses('sam', finds('fay', 'pay_1003', 'Approve'), 'Approve')
    await until(() => finds('sam', 'You asked for this yourself'))
    seesNot('fay', 'You asked for this yourself')
    await harness.presses('wes', finds('fay', 'pay_1003', 'Approve'), 'Approve')
    await until(() => finds('wes', 'Only finance can decide'))
    expect(refundsOf(harness, 'pay_1003')).toBe(0)
  })

  it('takes two approvals at once as one effect, and settles every copy', async () => {
    await Promise.all(
      (['fay', 'finn'] as const).map((who) =>
        harness.presses(who, finds(who, 'pay_1003', 'Approve'), 'Approve'),
      ),
    )
    await until(() => expect(buttonsAbout(harness, 'pay_1003')).toEqual([]))
    for (const who of everybody) await until(() => finds(who, 'Refunded 120 of payment pay_1003'))
    expect(refundsOf(harness, 'pay_1003')).toBe(1)
  })

  it('asks for a reason before it rejects, and shows it', async () => {
    await harness.says('sam', 'refund pay_1004 90')
    await harness.presses('fay', await until(() => finds('fay', 'pay_1004', 'Reject')), 'Reject')
    expect((await harness.store.changes.list({ states: ['rejected'], limit: 5 })).length).toBe(0)
    await harness.explains('fay', 'Already refunded in March')
    for (const who of everybody) await until(() => finds(who, 'Already refunded in March'))
    expect(buttonsAbout(harness, 'pay_1004')).toEqual([])
    expect(finds('sam', 'Already refunded in March', 'Ask again').buttons).toContain('Receipt')
    expect(refundsOf(harness, 'pay_1004')).toBe(0)
  })

  it('answers a decision by line with what became of it', async () => {
    await harness.says('sam', 'refund pay_1006 90')
    await until(() => finds('fay', 'pay_1006', 'Approve'))
    const [change] = await harness.store.changes.list({ states: ['pending'], limit: 1 })
    const before = harness.sees('fay').map(({ id }) => id)
    await harness.says('fay', `approval approve ${change?.id}`)
    await until(() => {
      const told = harness.sees('fay').filter(({ id }) => !before.includes(id))
      expect(told.map(({ words }) => words).join('\n')).toContain('Refunded 90 of payment pay_1006')
    })
    await until(() => expect(buttonsAbout(harness, 'pay_1006')).toEqual([]))
    expect(refundsOf(harness, 'pay_1006')).toBe(1)
  })

  it('counts a press and a line for what their author was shown, and shows what there is instead first', async () => {
    for (const [amount, decide] of [
      [91, (card: Seen) => harness.presses('fay', card, 'Approve')],
      [92, (_: Seen, id: string) => harness.says('fay', `approval approve ${id}`)],
    ] as const) {
      await harness.says('sam', `refund pay_1007 ${amount}`)
      const card = await until(() => finds('fay', `${amount} of payment pay_1007`, 'Approve'))
      const [change] = await harness.store.changes.list({ states: ['pending'], limit: 1 })
      if (change === undefined) throw new Error('nothing waits')
      // It is changed, and the card is not drawn again yet.
      const changed = { ...change, edition: 2, version: change.version + 1 }
      await harness.store.changes.swap(changed)
      const before = harness.sees('fay').map(({ id }) => id)
      await decide(card, change.id)
      const read = await until(() => {
        const told = harness
          .sees('fay')
          .findLast(({ id, words }) => !before.includes(id) && /Nothing was counted/.test(words))
        if (told === undefined) throw new Error('nothing is told')
        return told
      })
      expect(read.words).toContain(`${amount}`)
      for (const who of others('fay')) seesNot(who, 'Nothing was counted.')
      expect((await harness.store.changes.get(change.id))?.votes).toEqual([])
      await harness.presses('fay', read, 'Approve')
      await until(async () =>
        expect(await harness.store.changes.get(change.id)).toMatchObject({
          state: 'applied',
          votes: [{ shown: { edition: 2 } }],
        }),
      )
    }
  })

  it('posts, edits and tells what the core hands it, by an address of its own', async () => {
    const { messenger, channel } = harness
    const address = await messenger.post({ channel, handle: null, onlyFor: null }, view('A first word'))
    for (const who of everybody) await until(() => finds(who, 'A first word'))
    await messenger.edit(address, view('A second word'))
    for (const who of everybody) await until(() => finds(who, 'A second word'))
    seesNot('fay', 'A first word')
    await messenger.direct(harness.accountOf('fay'), view('A word for Fay'))
    await until(() => finds('fay', 'A word for Fay'))
    for (const who of others('fay')) seesNot(who, 'A word for Fay')
  })

  it('says that an address it does not know is gone', async () => {
    for (const address of ['', 'nonsense', '{}']) {
      await expect(harness.messenger.edit(address, view('x'))).rejects.toSatisfy(
        (error) => error instanceof MessengerError && error.kind === 'gone',
      )
    }
  })

  it('takes every kind of block, whatever stands in it', async () => {
    const place = { channel: harness.channel, handle: null, onlyFor: null }
    await harness.messenger.post(place, everyBlock)
    for (const words of hostile) await harness.messenger.post(place, poisoned(everyBlock, words))
    expect(harness.refused()).toEqual([])
  })
})

const view = (title: string): View => ({ title, tone: 'plain', blocks: [facts({ About: 'nothing' })] })

/** Every button that decides must be gone by the end. */
const buttonsAbout = (harness: MessengerHarness, words: string): string[] =>
  everybody.flatMap((who) =>
    harness
      .sees(who)
      .flatMap((message) => (message.words.includes(words) ? message.buttons.filter(isDeciding) : [])),
  )

const refundsOf = ({ sandbox }: MessengerHarness, payment: string): number =>
  sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length
