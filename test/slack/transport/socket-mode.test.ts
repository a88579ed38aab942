import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('Socket Mode', async () => {
  const { sam, fake, slack } = await openSlackHarness({ over: 'socket' })

  test('is connected once the bot has started', () => {
    expect(slack.state()).toBe('ready')
    expect(fake.socket.connections()).toBe(1)
  })

  test('answers commands, and modals through the acknowledgement', async () => {
    await sam.types('/refund', general)
    await until(() => sam.modal())
    const refused = await sam.submits({ 'Payment id': 'pay_1001', Amount: '-1' })
    expect(refused.body).toMatchObject({ response_action: 'errors' })
    await sam.submits({ 'Payment id': 'pay_1001', Amount: '10' })
    await until(() => sam.finds('[Confirm]', general))
  })

  test.each([
    ['asks it to come again', () => fake.socket.refresh()],
    ['cuts the line', () => fake.socket.cut()],
  ])('comes back within a moment when Slack %s', async (_, disturb) => {
    const before = fake.socket.connections()
    disturb()
    await until(() => expect(fake.socket.connections()).toBe(before + 1))
    const seen = sam.sees(general).length
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => expect(sam.sees(general)).toHaveLength(seen + 1))
    await until(() => expect(slack.state()).toBe('ready'))
  })

  test('comes back after an outage of apps.connections.open', async () => {
    fake.fail(
      'apps.connections.open',
      { status: 503 },
      { status: 200, error: 'internal_error' },
      { status: 0 },
    )
    const before = fake.socket.connections()
    fake.socket.cut()
    await until(() => expect(fake.socket.connections()).toBe(before + 1), 10_000)
  })
})

describe('a start while Slack is away', async () => {
  const { sam, fake, slack } = await openSlackHarness({
    over: 'socket',
    prepare: (slackBefore) => {
      slackBefore.fail('apps.connections.open', { status: 503 }, { status: 503 })
      slackBefore.fail('auth.test', { status: 503 })
    },
  })

  test('ends well when it is back', async () => {
    await until(() => expect(slack.state()).toBe('ready'))
    expect(fake.calls('auth.test').map(({ ok }) => ok)).toEqual([false, true])
    await sam.types('/subscriber stats', general)
    await until(() => sam.finds('ubscribers', general))
  })
})
