import { describe, expect, it } from 'vitest'
import { MessengerError } from '../../src/approvals/messenger.ts'
import { facts, type View } from '../../src/view/view.ts'
import { everyBlock } from '../console/views.ts'
import { hostile, poisoned } from '../slack/hostile.ts'
import { type Chat, everybody, type Seen, until, type Who } from './chat.ts'
import { openConsoleChat } from './console-chat.ts'
import { openDiscordChat } from './discord-chat.ts'
import { openSlackChat } from './slack-chat.ts'

/** One suite that every messenger passes. */
describe.each([
  ['slack', openSlackChat],
  ['discord', openDiscordChat],
  ['console', openConsoleChat],
])('%s', async (_, open) => {
  const chat = await open()
  const finds = (who: Who, words: string, button?: string): Seen => {
    const found = chat
      .sees(who)
      .findLast((message) => message.words.includes(words) && (!button || message.buttons.includes(button)))
    if (found === undefined) throw new Error(`${who} sees no "${words}" in ${JSON.stringify(chat.sees(who))}`)
    return found
  }
  const others = (who: Who) => everybody.filter((one) => one !== who)
  const seesNot = (who: Who, words: string) =>
    expect(
      chat
        .sees(who)
        .map((message) => message.words)
        .join('\n'),
    ).not.toContain(words)

  it('answers whoever asked, alone', async () => {
    await chat.says('sam', 'subscriber get ada@example.com')
    const answer = await until(() => finds('sam', 'Ada Lindqvist'))
    expect(answer.buttons).toEqual(['Share'])
    for (const who of others('sam')) seesNot(who, 'Ada Lindqvist')
  })

  it('shares an answer with everybody, without its buttons', async () => {
    await chat.presses('sam', finds('sam', 'Ada Lindqvist'), 'Share')
    for (const who of others('sam')) {
      expect((await until(() => finds(who, 'Ada Lindqvist'))).buttons).toEqual([])
    }
  })

  it('turns pages where they stand', async () => {
    await chat.says('sam', 'subscriber find --limit 5')
    const first = await until(() => finds('sam', 'Page 1 of', 'Next'))
    const count = chat.sees('sam').length
    await chat.presses('sam', first, 'Next')
    const second = await until(() => finds('sam', 'Page 2 of', 'Previous'))
    expect(second.id).toBe(first.id)
    expect(chat.sees('sam')).toHaveLength(count)
    await chat.presses('sam', second, 'Previous')
    await until(() => finds('sam', 'Page 1 of', 'Next'))
  })

  it('tells whoever may not why, alone', async () => {
    await chat.says('wes', 'refund pay_1001 10')
    await until(() => finds('wes', 'may run refund'))
    for (const who of others('wes')) seesNot(who, 'may run refund')
  })

  it('lets a requester confirm alone, once', async () => {
    await chat.says('sam', 'refund pay_1001 20')
    const card = await until(() => finds('sam', 'Refund payment pay_1001', 'Confirm'))
    expect(card.buttons).toEqual(['Confirm', 'Cancel'])
    for (const who of others('sam')) seesNot(who, 'pay_1001')
    await chat.presses('sam', card, 'Confirm')
    await until(() => finds('sam', 'was refunded: 20'))
    expect(buttonsAbout(chat, 'pay_1001')).toEqual([])
    expect(refundsOf(chat, 'pay_1001')).toBe(1)
  })

  it('shows a request for approval to everybody, and refuses the requester’s own vote', async () => {
    await chat.says('sam', 'refund pay_1003 120')
    for (const who of everybody) {
      const { buttons } = await until(() => finds(who, 'Refund payment pay_1003', 'Approve'))
      expect(buttons).toEqual(['Approve', 'Reject', 'Cancel'])
    }
    await chat.presses('sam', finds('sam', 'pay_1003', 'Approve'), 'Approve')
    await until(() => finds('sam', 'You asked for this yourself'))
    seesNot('fay', 'You asked for this yourself')
    await chat.presses('wes', finds('wes', 'pay_1003', 'Approve'), 'Approve')
    await until(() => finds('wes', 'Only finance can decide'))
    expect(refundsOf(chat, 'pay_1003')).toBe(0)
  })

  it('takes two approvals at once as one effect, and settles every copy', async () => {
    await Promise.all(
      (['fay', 'finn'] as const).map((who) =>
        chat.presses(who, finds(who, 'pay_1003', 'Approve'), 'Approve'),
      ),
    )
    await until(() => expect(buttonsAbout(chat, 'pay_1003')).toEqual([]))
    for (const who of everybody) await until(() => finds(who, 'Payment pay_1003 was refunded: 120'))
    expect(refundsOf(chat, 'pay_1003')).toBe(1)
  })

  it('asks for a reason before it rejects, and shows it', async () => {
    await chat.says('sam', 'refund pay_1004 90')
    await chat.presses('fay', await until(() => finds('fay', 'pay_1004', 'Reject')), 'Reject')
    expect((await chat.store.changes.list({ states: ['rejected'], limit: 5 })).length).toBe(0)
    await chat.explains('fay', 'Already refunded in March')
    for (const who of everybody) await until(() => finds(who, 'Already refunded in March'))
    expect(buttonsAbout(chat, 'pay_1004')).toEqual([])
    expect(refundsOf(chat, 'pay_1004')).toBe(0)
  })

  it('posts, edits and tells what the core hands it, by an address of its own', async () => {
    const { messenger, channel } = chat
    const address = await messenger.post({ channel, handle: null, onlyFor: null }, view('A first word'))
    for (const who of everybody) await until(() => finds(who, 'A first word'))
    await messenger.edit(address, view('A second word'))
    for (const who of everybody) await until(() => finds(who, 'A second word'))
    seesNot('fay', 'A first word')
    await messenger.direct(chat.accountOf('fay'), view('A word for Fay'))
    await until(() => finds('fay', 'A word for Fay'))
    for (const who of others('fay')) seesNot(who, 'A word for Fay')
  })

  it('says that an address it does not know is gone', async () => {
    for (const address of ['', 'nonsense', '{}']) {
      await expect(chat.messenger.edit(address, view('x'))).rejects.toSatisfy(
        (error) => error instanceof MessengerError && error.kind === 'gone',
      )
    }
  })

  it('takes every kind of block, whatever stands in it', async () => {
    const place = { channel: chat.channel, handle: null, onlyFor: null }
    await chat.messenger.post(place, everyBlock)
    for (const words of hostile) await chat.messenger.post(place, poisoned(everyBlock, words))
    expect(chat.refused()).toEqual([])
  })
})

const view = (title: string): View => ({ title, tone: 'plain', blocks: [facts({ About: 'nothing' })] })

const buttonsAbout = (chat: Chat, words: string): string[] =>
  everybody.flatMap((who) =>
    chat.sees(who).flatMap((message) => (message.words.includes(words) ? message.buttons : [])),
  )

const refundsOf = ({ sandbox }: Chat, payment: string): number =>
  sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length
