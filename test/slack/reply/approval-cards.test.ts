import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { dmOf, type FakeMessage } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals, elsewhere } = channels
const buttons = '[Approve] [Ask] [Reject]'

describe('a refund that needs an approval', async () => {
  const { sam, fay, finn, wes, sandbox, fake } = await openSlackHarness()
  const refunds = () => sandbox.wire.filter(({ method }) => method === 'POST').length

  test('is a card for everybody where it was asked for, and one in the approvals channel', async () => {
    await sam.types('/refund pay_1001 100', general)
    const card = await until(() => wes.finds(buttons, general))
    const mirror = await until(() => fay.finds(buttons, approvals))
    for (const words of [
      'Refund 100 of',
      'Asked by Sam Support',
      'Needs 1 approval from finance',
      'expires ',
    ]) {
      expect(wes.finds(words, general)).toBe(card)
      expect(fay.finds(words, approvals)).toBe(mirror)
    }
  })

  test('is not decided by those who may not, who are told why, privately', async () => {
    await sam.clicks('Approve', { on: sam.finds(buttons, general) })
    const own = await until(() => sam.finds('You asked for this yourself', general))
    await wes.clicks('Approve', { on: wes.finds(buttons, general) })
    const stranger = await until(() => wes.finds('Only finance can decide', general))
    await fay.clicks('Cancel', { on: fay.finds(buttons, approvals) })
    const cancelled = await until(() => fay.finds('Only Sam Support can cancel', approvals))
    expect([own.onlyFor, stranger.onlyFor, cancelled.onlyFor]).toEqual([sam.id, wes.id, fay.id])
    expect(fay.finds(buttons, approvals)).toBeDefined()
    expect(refunds()).toBe(0)
  })

  test('happens once when approved; every copy shows the outcome, and the requester is told', async () => {
    await fay.clicks('Approve', { on: fay.finds(buttons, approvals) })
    await until(() => wes.finds('approved by Fay Finance', general))
    await until(() => sam.finds('payment pay_1001', dmOf(sam.id)))
    await until(() => expect(fay.finds('approved by Fay', approvals).text).toContain('Refunded'))
    await until(() => expect(wes.finds('approved by Fay', general).text).toContain('Refunded'))
    expect([...wes.sees(general), ...fay.sees(approvals)].join()).not.toContain('[Approve]')
    expect(refunds()).toBe(1)
  })

  test('is rejected with a reason from a modal', async () => {
    await sam.types('/refund pay_1002 100', general)
    const mirror = await until(() => finn.finds(buttons, approvals))
    await finn.clicks('Reject', { on: mirror })
    const modal = await until(() => finn.modal())
    expect(modal.title.text).toBe('Reject')
    const refused = await finn.submits({ Reason: '   ' })
    expect(refused.body).toMatchObject({ response_action: 'errors' })
    await finn.submits({ Reason: 'Already paid back <!channel>' })
    expect(finn.hasModal()).toBe(false)
    await until(() => sam.finds('Rejected by Finn Finance: “Already paid back <!channel>”', general))
    await until(() => sam.finds('Already paid back', dmOf(sam.id)))
    expect(refunds()).toBe(1)
  })

  test('is taken back by its requester', async () => {
    await sam.types('/refund pay_1003 100', general)
    await sam.clicks('Cancel', { on: await until(() => sam.finds(buttons, general)) })
    await until(() => sam.finds('Cancelled by Sam Support', general))
    await until(() => fay.finds('Cancelled by Sam Support', approvals))
  })

  test('a copy that was drawn by a look-up shows what became of it, without a press on it', async () => {
    await sam.types('/refund pay_1005 100', general)
    const on = await until(() => fay.finds('pay_1005', approvals))
    const [id = ''] = /bh:approve:(\w+)/.exec(JSON.stringify(on.blocks))?.slice(1) ?? []
    await finn.types(`/approval get ${id}`, general)
    const copy = await until(() => {
      const found = fake.state.messages.findLast(
        ({ onlyFor, blocks }) => onlyFor === finn.id && JSON.stringify(blocks).includes(`bh:approve:${id}`),
      )
      expect(found).toBeDefined()
      return found as FakeMessage
    })
    await fay.clicks('Approve', { on })
    await until(() => expect(JSON.stringify(copy.blocks)).toContain('approved by Fay Finance'))
    expect(JSON.stringify(copy.blocks)).not.toContain('bh:approve')
  })

  test('warns when the same was asked for before', async () => {
    await sam.types('/refund pay_1001 100', general)
    await until(() => fay.finds('Sam Support asked for the same', approvals))
  })

  test('asked for by line is decided by line, and the decider sees what came of it', async () => {
    await sam.types('/refund pay_1004 100', general)
    const card = await until(() => fay.finds('payment pay_1004', approvals))
    const id = /bh:approve:(\w+)\./.exec(JSON.stringify(card.blocks))?.[1]
    await fay.types(`/approval approve ${id}`, general)
    const told = await until(() => fay.finds('approved by Fay', general))
    expect(told.onlyFor === fay.id || told.onlyFor === undefined).toBe(true)
    await until(() => expect(fay.finds('payment pay_1004', approvals).text).toContain('Refunded'))
  })

  test('is asked for where the bot is no member: the card comes through the response_url', async () => {
    await sam.types('/refund pay_1005 100', elsewhere)
    const card = await until(() => fay.finds(buttons, elsewhere))
    expect(card).toMatchObject({ isResponse: true, onlyFor: undefined })
    await fay.clicks('Approve', { on: card })
    await until(() => expect(textIn(card)).not.toContain('[Approve'))
    await until(() => expect(fay.finds('payment pay_1005', approvals).text).toMatch(/refunded/i))
  })

  test('made no call that Slack refuses except to find out that it is no member', () => {
    const refused = fake.state.calls.filter(({ ok }) => !ok)
    expect(refused.map(({ method, args }) => [method, args.channel])).toEqual([
      ['chat.postMessage', elsewhere],
    ])
  })
})

describe('a small refund', async () => {
  const { sam, fay, wes, sandbox, fake } = await openSlackHarness()
  const refunds = () => sandbox.wire.filter(({ method }) => method === 'POST').length

  test('is confirmed on a card for its requester alone; what came of it is for everybody', async () => {
    await sam.types('/refund pay_1001 20 --customer cus_1001', general)
    const card = await until(() => sam.finds('[Confirm] [Cancel]', general))
    expect(card.onlyFor).toBe(sam.id)
    expect(wes.sees(general)).toEqual([])
    await sam.clicks('Confirm', { on: card })
    await until(() => expect(textIn(card)).not.toContain('[Confirm'))
    await until(() => wes.finds('Refunded', general))
    expect(refunds()).toBe(1)
  })

  test('is confirmed where the bot is no member', async () => {
    await sam.types('/refund pay_1002 20 --customer cus_1001', elsewhere)
    await sam.clicks('Confirm', { on: await until(() => sam.finds('[Confirm]', elsewhere)) })
    await until(() => wes.finds('Refunded', elsewhere))
    expect(refunds()).toBe(2)
  })

  test('replaces the sign that work goes on', async () => {
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 1_200 })
    await sam.types('/subscriber update ada@example.com --company Northwind', general)
    const sign = await until(() => sam.finds('Working on it', general))
    await until(() => expect(sam.finds('[Confirm] [Cancel]', general).ts).toBe(sign.ts))
  })

  test('in the conversation with the bot is a plain message that is edited', async () => {
    await sam.writes('refund pay_1003 5 --customer cus_1002')
    const card = await until(() => sam.finds('[Confirm]', dmOf(sam.id)))
    await sam.clicks('Confirm', { on: card })
    await until(() => expect(card.text).toContain('Refunded'))
    expect(card.edits).toBeGreaterThan(0)
  })

  test('by mention is a private card in the thread', async () => {
    await sam.mentions('refund pay_1004 5 --customer cus_1002', general, { thread: '1700000000.000009' })
    const card = await until(() => sam.finds('(pay_1004)', general))
    expect(card).toMatchObject({ onlyFor: sam.id, thread: '1700000000.000009' })
    await sam.clicks('Confirm', { on: card })
    await until(() => expect(card.text).toContain('Refunded'))
  })

  test('with an outcome that nobody knows says so, and takes what people found, with a reason', async () => {
    sandbox.fault({ service: 'billing', method: 'POST', kind: 'drop_after' })
    await sam.types('/refund pay_1005 5 --customer cus_1003', general)
    await sam.clicks('Confirm', { on: await until(() => sam.finds('pay_1005', general)) })
    const card = await until(() => fay.finds('Nobody knows whether this happened', approvals))
    expect(textIn(card)).toContain('It happened')
    expect(textIn(card)).toContain('It did not')
    await fay.clicks('It happened', { on: card })
    await until(() => fay.modal())
    await fay.submits({ Reason: 'It is on the statement' })
    await until(() => fay.finds('Done, according to Fay Finance: “It is on the statement”', approvals))
    await until(() => wes.finds('Done, according to Fay Finance', general))
    await until(() => sam.finds('Done, according to Fay Finance', dmOf(sam.id)))
    expect(fake.state.calls.filter(({ ok, args }) => !ok && args.channel !== elsewhere)).toEqual([])
  })
})

describe('an outcome that nobody knows', async () => {
  const { sam, sandbox } = await openSlackHarness()

  test('has a button that looks it up at once, and the card says what was found', async () => {
    sandbox.fault({ service: 'email', method: 'PUT', kind: 'drop_after', times: 5 })
    await sam.types('/subscriber update ada@example.com --company Northwind', general)
    await sam.clicks('Confirm', { on: await until(() => sam.finds('[Confirm]', general)) })
    const card = await until(() => sam.finds('[Look up] [It happened] [It did not]', general))
    expect(textIn(card)).not.toContain('Found, at')
    await sam.clicks('Look up', { on: card })
    // The bot itself looks only after five seconds.
    await until(() => expect(textIn(card)).toContain('All that was sent is there'))
    expect(textIn(card)).toContain('(look 1)')
  })
})

const textIn = ({ blocks }: FakeMessage): string => JSON.stringify(blocks)

describe('several requests in one list', async () => {
  const { sam, fay, wes, sandbox, fake } = await openSlackHarness()

  test('are marked, read and decided on together, each by itself', async () => {
    for (const payment of ['pay_1001', 'pay_1002', 'pay_1003'])
      await sam.types(`/refund ${payment} 100`, general)
    await until(() => expect(fay.answers(approvals)).toHaveLength(3))
    await fay.types('/approval list', general)
    const list = await until(() => fay.finds('[Decide marked]', general))
    await fay.clicks('Decide marked', { on: list })
    await until(() => fay.finds('Nothing is marked', general))
    await fay.clicks('Decide marked', { on: list, marked: ['pay_1001', 'pay_1002'] })
    const read = await until(() => fay.finds('Decide on 2 changes?', general))
    expect(read.onlyFor).toBe(fay.id)
    expect(sandbox.wire.filter(({ method }) => method === 'POST')).toEqual([])
    await fay.clicks('Approve 2', { on: read })
    await until(() => fay.finds('Approved 2 of 2', general))
    await until(() => expect(sandbox.wire.filter(({ method }) => method === 'POST')).toHaveLength(2))
    await fay.clicks('Decide marked', { on: list, marked: ['pay_1002', 'pay_1003'] })
    const rest = await until(() => fay.finds('Decide on 1 change?', general))
    await fay.clicks('Reject 1', { on: rest })
    await until(() => fay.modal())
    await fay.submits({ Reason: 'Paid back in cash' })
    await until(() => sam.finds('Rejected by Fay Finance: “Paid back in cash”', general))
    await wes.types('/approval list', general)
    expect(wes.sees(general).join()).not.toContain('[Decide marked]')
    expect(fake.state.calls.filter(({ ok }) => !ok)).toEqual([])
  })
})
