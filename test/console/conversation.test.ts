import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { createConversation } from '../../adapters/console/conversation.ts'
import { text, type View } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { stateOf } from '../harness/connection-state.ts'
import { createApiClient, openEventStream, viewIn } from './api-client.ts'
import { openConsoleHarness } from './harness.ts'

const opened = await openConsoleHarness()
const client = createApiClient(opened)
const streams: Awaited<ReturnType<typeof openEventStream>>[] = []
const connect = async (as: string, last?: string) => {
  const stream = await openEventStream(opened, as, last)
  streams.push(stream)
  return stream
}
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.close()
})

const view = (title: string): View => ({ title, tone: 'plain', blocks: [text('words')] })
const titles = (stream: Awaited<ReturnType<typeof openEventStream>>) =>
  stream.messages().map(({ body }) => (body.kind === 'line' ? body.line : body.view.title))

describe('who sees what', () => {
  test('an answer is for the persona who asked, in every tab of theirs', async () => {
    const [sam, samToo, fay] = [
      await connect('p-support'),
      await connect('p-support'),
      await connect('p-finance'),
    ]
    await client.say('bellhop whoami')
    await sam.view(({ title }) => title.includes('Sam Support'))
    await samToo.view(({ title }) => title.includes('Sam Support'))
    await opened.console.messenger.direct('p-finance', view('for Fay'))
    await fay.view(({ title }) => title === 'for Fay')
    expect(titles(fay).join()).not.toContain('Sam')
    expect(titles(sam)).not.toContain('for Fay')
  })

  test('a request that needs somebody else is on everybody’s page, and settles on all of them', async () => {
    const [sam, fay] = [await connect('p-support'), await connect('p-finance')]
    expect((await client.say('refund pay_1001 120 --customer cus_1001')).body).toEqual({ kind: 'change' })
    const card = await fay.view(({ title }) => title.includes('120 USD to'))
    expect(card.to).toBeNull()
    const approve = viewIn(card).actions.find(({ verb }) => verb === 'approve')
    expect(approve).toMatchObject({ label: 'Approve 120 USD' })
    await client.press(approve ?? { verb: '', id: '' }, 'p-finance', { message: card.id })
    const settled = await sam.comes(() =>
      sam
        .messages()
        .find(({ id, body }) => id === card.id && body.kind === 'view' && body.view.tone === 'good'),
    )
    expect(
      viewIn(settled)
        .actions.filter(({ isMore }) => !isMore)
        .map(({ verb }) => verb),
    ).toEqual(['receipt'])
    await fay.comes(() =>
      fay
        .messages()
        .some(({ id, body }) => id === card.id && body.kind === 'view' && body.view.tone === 'good'),
    )
    expect(
      opened.sandbox.state.billing.transactions.find(({ id }) => id === 'pay_1001')?.refunded_amount,
    ).toBe(120)
  })

  test('a confirm card is for its requester alone, and so is what came of it', async () => {
    const [sam, fay] = [await connect('p-support'), await connect('p-finance')]
    await client.say('refund pay_1002 9 --customer cus_1001')
    const card = await sam.view(
      ({ title, actions }) => title.includes('9 USD to') && actions?.[0]?.verb === 'confirm',
    )
    expect(card.to).toBe('p-support')
    await client.press({ verb: 'confirm', id: viewIn(card).actions[0]?.id ?? '' }, 'p-support')
    await sam.comes(() =>
      sam
        .messages()
        .some(({ id, body }) => id === card.id && body.kind === 'view' && body.view.tone === 'good'),
    )
    expect(titles(fay)).not.toContain('9 USD to')
  })

  test('whoever may not decide is told why, alone, and nothing changes', async () => {
    const [sam, fay] = [await connect('p-support'), await connect('p-finance')]
    await client.say('refund pay_1003 400 --customer cus_1002')
    const card = await sam.view(({ title }) => title.includes('400 USD to'))
    await client.press({ verb: 'approve', id: viewIn(card).actions[0]?.id ?? '' }, 'p-support')
    const refusal = await sam.view(({ title }) => title.startsWith('You asked for this yourself'))
    expect(refusal.to).toBe('p-support')
    expect(titles(fay).join()).not.toContain('You asked for this yourself')
    expect(
      opened.sandbox.state.billing.transactions.find(({ id }) => id === 'pay_1003')?.refunded_amount,
    ).toBe(0)
  })

  test('a shared answer is for everybody, names who shared it and has no buttons', async () => {
    const [sam, fay] = [await connect('p-support'), await connect('p-finance')]
    await client.say('subscriber get ada@example.com')
    const answer = await sam.view(({ title }) => title.includes('Ada'))
    const share = viewIn(answer).actions.find(({ verb }) => verb === 'share')
    await client.press(share ?? { verb: '', id: '' }, 'p-support', { message: answer.id })
    const shared = await fay.view(({ title }) => title === viewIn(answer).title)
    expect(shared).toMatchObject({ to: null, by: { id: 'p-support', name: 'Sam Support' } })
    expect(viewIn(shared).actions).toEqual([])
  })

  test('Next and Previous turn the page where it is', async () => {
    const sam = await connect('p-support')
    await client.say('subscriber find --limit 5')
    const first = await sam.view(({ footer }) => plainWords(footer ?? '').startsWith('Page 1 of 50'))
    const next = viewIn(first).actions.find(({ verb }) => verb === 'next')
    const before = sam.messages().length
    await client.press(next ?? { verb: '', id: '' }, 'p-support', { message: first.id })
    const second = await sam.view(({ footer }) => plainWords(footer ?? '').startsWith('Page 2 of 50'))
    expect(second.id).toBe(first.id)
    expect(sam.messages()).toHaveLength(before)
  })
})

describe('the live connection', () => {
  test('a page that was away is told what it missed, and only that', async () => {
    const away = await connect('p-support')
    await opened.console.messenger.direct('p-support', view('before'))
    await away.view(({ title }) => title === 'before')
    const last = away.events.at(-1)?.id
    await away.close()
    await opened.console.messenger.direct('p-support', view('meanwhile'))
    await opened.console.messenger.direct('p-finance', view('not yours'))
    const back = await connect('p-support', last)
    await back.view(({ title }) => title === 'meanwhile')
    expect(back.events.map(({ event }) => event)).toEqual(['message'])
    expect(titles(back)).toEqual(['meanwhile'])
  })

  test.each(['otherrun.3', 'nonsense', '', 'x.y.z'])(
    'after the event "%s" of nobody here, everything is sent',
    async (last) => {
      await opened.console.messenger.direct('p-support', view('kept'))
      const stream = await connect('p-support', last)
      await stream.view(({ title }) => title === 'kept')
      expect(stream.events[0]?.event).toBe('all')
    },
  )

  test('an edit replaces the message on every page, and a message that is gone says so', async () => {
    const { messenger } = opened.console
    const fay = await connect('p-finance')
    const address = await messenger.post({ channel: 'console', handle: null, onlyFor: null }, view('one'))
    await messenger.edit(address, view('two'))
    await fay.view(({ title }) => title === 'two')
    expect(titles(fay)).not.toContain('one')
    await expect(messenger.edit('console:never-was', view('three'))).rejects.toMatchObject({ kind: 'gone' })
  })

  test('stopping ends every connection', async () => {
    const other = await openConsoleHarness()
    const stream = await openEventStream(other, 'p-support')
    expect(stateOf(other.console)).toBe('on, 1 page open')
    await other.stopConsole()
    await stream.close()
    expect(stateOf(other.console)).toBe('stopped')
  })
})

describe('a delivery is handled once', () => {
  test('however often the page sends the line', async () => {
    const sam = await connect('p-support')
    const delivery = randomUUID()
    const say = () =>
      client.post('say', { as: 'p-support', line: 'refund pay_1004 30 --customer cus_1002', delivery })
    const replies = await Promise.all([say(), say(), say()])
    expect(replies.map(({ body }) => body.kind).toSorted()).toEqual(['change', 'repeated', 'repeated'])
    await sam.view(({ title }) => title.includes('30 USD to'))
    const lines = sam
      .messages()
      .filter(({ body }) => body.kind === 'line' && body.line === 'refund pay_1004 30 --customer cus_1002')
    expect(lines).toHaveLength(1)
    const open = await opened.store.changes.list({ states: ['pending'], limit: 100 })
    expect(open.filter(({ line }) => line === 'refund pay_1004 30 --customer cus_1002')).toHaveLength(1)
  })
})

describe('memory is bounded', () => {
  test('old messages and files make room, and a page that missed too much gets everything that is left', () => {
    const conversation = createConversation(Date.now)
    const first = conversation.put({ to: null, by: null, body: { kind: 'view', view: view('0') } })
    const start = conversation.resume('p-support', undefined)
    const last = start.kind === 'all' ? start.id : ''
    for (let at = 1; at <= 1_500; at++) {
      conversation.put({
        to: null,
        by: null,
        body: { kind: 'view', view: view(String(at)) },
        file: { name: `${at}.csv`, type: 'text/csv', content: 'x' },
      })
    }
    expect(conversation.get(first.id)).toBeUndefined()
    const now = conversation.resume('p-support', last)
    expect(now.kind).toBe('all')
    const kept = now.kind === 'all' ? now.messages : []
    expect(kept).toHaveLength(300)
    expect(kept.filter(({ file }) => file !== undefined)).toHaveLength(10)
  })
})
