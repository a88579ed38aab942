import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals } = channels
const buttons = '[Approve] [Ask] [Reject]'

describe('when Slack is in trouble', async () => {
  const { sam, fay, fake } = await openSlackHarness()

  test('cards and outcomes wait for a rate limit to pass, and come once', async () => {
    fake.fail('chat.postMessage', { status: 429, retryAfter: 1 }, { status: 429, retryAfter: 1 })
    await sam.types('/refund pay_1001 100', general)
    const mirror = await until(() => fay.finds(buttons, approvals))
    await until(() => sam.finds(buttons, general))
    fake.fail('chat.update', { status: 503 }, { status: 429, retryAfter: 1 })
    fake.fail('chat.postMessage', { status: 500 })
    await fay.clicks('Approve', { on: mirror })
    await until(() => expect(mirror.text).toMatch(/refunded/i))
    await until(() => sam.finds('payment pay_1001', dmOf(sam.id)))
    await until(() => expect(sam.finds('approved by ', general).text).toContain('Refunded'))
    expect(fay.answers(approvals)).toHaveLength(1)
    expect(sam.answers(general)).toHaveLength(1)
    expect(sam.sees(dmOf(sam.id))).toHaveLength(1)
  })

  test('an answer is tried again for a while', async () => {
    fake.fail('response', { status: 500 }, { status: 429, retryAfter: 1 })
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => sam.finds('Ada Lindqvist', general))
  })

  test('an answer whose response_url is dead comes another way', async () => {
    fake.fail('response', { status: 404, error: 'expired_url' })
    await sam.types('/subscriber stats', general)
    const answer = await until(() => sam.finds('Share', general))
    await until(() => expect(fake.calls('chat.postEphemeral').length).toBeGreaterThan(0))
    expect(answer.onlyFor).toBe(sam.id)
  })
})

describe('a place that takes nothing', async () => {
  const { sam, fay, fake, store, app } = await openSlackHarness()

  test('archived: the requester has the card in the conversation with the bot, and it follows', async () => {
    fake.channel('C0OLD', [sam.id], { isArchived: true })
    fake.fail('response', { status: 404, error: 'expired_url' })
    await sam.types('/refund pay_1001 100', 'C0OLD')
    const aside = await until(() => sam.finds(buttons, dmOf(sam.id)))
    await fay.clicks('Approve', { on: await until(() => fay.finds(buttons, approvals)) })
    await until(() => expect(aside.text).toMatch(/refunded/i))
  })

  /** The card that was asked for there, and what its requester is told. */
  const endsOf = (payment: string) =>
    fay.sees(general).filter((words) => words.includes(payment) && words.includes('approved by Fay'))

  test('a closed conversation: the end is told in the channel', async () => {
    const user = fake.state.users.get(sam.id)
    if (user !== undefined) user.hasClosedDm = true
    await sam.types('/refund pay_1002 100', general)
    await fay.clicks('Approve', { on: await until(() => fay.finds('pay_1002', approvals)) })
    await until(() => expect(endsOf('pay_1002')).toHaveLength(2))
    if (user !== undefined) user.hasClosedDm = false
  })

  test('a deactivated requester: the cards say the end, and nothing is tried for ever', async () => {
    await sam.types('/refund pay_1003 100', general)
    const mirror = await until(() => fay.finds('pay_1003', approvals))
    const user = fake.state.users.get(sam.id)
    if (user !== undefined) user.isDeactivated = true
    await fay.clicks('Approve', { on: mirror })
    await until(() => expect(mirror.text).toMatch(/refunded/i))
    await until(() => expect(endsOf('pay_1003')).toHaveLength(2))
    await app.drain()
    if (user !== undefined) user.isDeactivated = false
    expect(await store.tasks.take({ limit: 10, leaseMs: 1, owner: 'test' })).toEqual([])
  })

  test('a card whose response_url has died is left alone, and the one in the approvals channel goes on', async () => {
    await sam.types('/refund pay_1004 100', channels.elsewhere)
    const mirror = await until(() => fay.finds('pay_1004', approvals))
    await until(() => fay.finds('pay_1004', channels.elsewhere))
    fake.state.ahead = 31 * 60_000
    await fay.clicks('Approve', { on: mirror })
    await until(() => expect(mirror.text).toMatch(/refunded/i))
    fake.state.ahead = 0
  })
})
