import type { App } from '@slack/bolt'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toBoltLog } from '../../../adapters/slack/api/bolt-log.ts'
import { createSocketMode } from '../../../adapters/slack/transport/socket-mode.ts'
import { createPlatformConnection } from '../../../src/kernel/messenger/connection.ts'
import { createLog } from '../../../src/lib/log.ts'
import { connectionOf, stateOf } from '../../harness/connection-state.ts'
import { until } from '../../harness/until.ts'
import { type FakeSlack, startFakeSlack } from '../fake/slack.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels

describe('Socket Mode', async () => {
  const { sam, fake, slack } = await openSlackHarness({ over: 'socket' })

  test('is connected once the bot has started', () => {
    expect(stateOf(slack)).toBe('connected')
    expect(fake.socket.connections()).toBe(1)
  })

  test('answers commands, and modals through the acknowledgement', async () => {
    await sam.types('/refund', general)
    await until(() => sam.modal())
    const refused = await sam.submits({ Payment: 'pay_1001', Amount: '-1' })
    expect(refused.body).toMatchObject({ response_action: 'errors' })
    await sam.submits({ Payment: 'pay_1001', Amount: '10', Customer: 'cus_1001' })
    await until(() => sam.finds('[Confirm]', general))
  })

  test.each([
    ['asks it to come again', () => fake.socket.refresh()],
    ['warns that it will', () => fake.socket.refresh('warning')],
    ['cuts the line', () => fake.socket.cut()],
  ])('comes back within a moment when Slack %s', async (_, disturb) => {
    const before = fake.socket.connections()
    disturb()
    await until(() => expect(fake.socket.connections()).toBe(before + 1))
    const seen = sam.answers(general).length
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => expect(sam.answers(general)).toHaveLength(seen + 1))
    await until(() => expect(stateOf(slack)).toBe('connected'))
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
    await until(() => expect(connectionOf(slack, 'socket').state).toBe('away'))
    await until(() => expect(fake.socket.connections()).toBe(before + 1))
    await until(() => expect(stateOf(slack)).toBe('connected'))
  })
})

describe('when Slack asks for another connection', async () => {
  const { sam, fake, slack } = await openSlackHarness({ over: 'socket' })

  test('the old one stands until the new one does, and what came by it is acknowledged once', async () => {
    const { socket } = fake
    // The new connection is held up: were the old one closed before, nobody could be answered meanwhile.
    fake.fail('apps.connections.open', { status: 503 }, { status: 503 })
    const justBefore = sam.types('/subscriber get ada@example.com', general)
    socket.refresh()
    const meanwhile = sam.types('/subscriber get grace@example.com', general)
    await Promise.all([justBefore, meanwhile])
    expect(connectionOf(slack, 'socket').state).toBe('connected')
    expect(socket.connections()).toBe(1)

    await until(() => expect(socket.standing()).toBe(2))
    await sam.types('/subscriber stats', general)
    socket.endOldest()
    await until(() => expect(socket.standing()).toBe(1))
    expect(stateOf(slack)).toBe('connected')
    expect(new Set(socket.acknowledged).size).toBe(socket.acknowledged.length)
    expect(socket.acknowledged).toHaveLength(3)
    await until(() => expect(sam.answers(general)).toHaveLength(3))
  })
})

describe('an envelope that is being taken in', () => {
  const open = async (...outage: Parameters<FakeSlack['fail']> | []) => {
    const fake = await startFakeSlack({ scopes: [] })
    const log = createLog('silent')
    const connection = createPlatformConnection({
      platform: 'slack',
      name: 'socket',
      brings: 'requests',
      log,
    })
    const socketMode = createSocketMode({
      appToken: fake.state.appToken,
      apiUrl: fake.apiUrl,
      log,
      boltLog: toBoltLog(log),
      connection,
    })
    const taken: (() => Promise<void>)[] = []
    socketMode.receiver.init({
      processEvent: async ({ ack }) => {
        const stored = Promise.withResolvers<void>()
        taken.push(async () => {
          await ack()
          stored.resolve()
        })
        await stored.promise
      },
    } as App)
    await socketMode.start()
    const delivered = fake.socket.deliver('slash_commands', { command: '/bellhop' })
    await until(() => expect(taken).toHaveLength(1))
    const [method, ...faults] = outage
    if (method !== undefined) fake.fail(method, ...faults)
    onTestFinished(async () => {
      for (const acknowledge of taken) await acknowledge()
      await socketMode.stop()
      await fake.close()
    })
    return { socket: fake.socket, socketMode, connection, taken, delivered }
  }

  test('is acknowledged before a bot that stops closes its connection', async () => {
    const { socket, socketMode, taken, delivered } = await open()
    const stopped = socketMode.stop()
    await taken[0]?.()
    await delivered
    await stopped
    await until(() => expect(socket.standing()).toBe(0))
    expect(socket.connections()).toBe(1)
  })

  test('is acknowledged where it came from while the next connection stands', async () => {
    const { socket, taken, delivered } = await open()
    socket.refresh()
    await until(() => expect(socket.standing()).toBe(2))
    await taken[0]?.()
    await delivered
    expect(socket.acknowledged).toEqual(['1 envelope-1'])
  })

  test('is acknowledged by the next connection when its own breaks', async () => {
    const { socket, connection, taken, delivered } = await open('apps.connections.open', { status: 503 })
    socket.cut()
    await until(() => expect(connection.report().state).toBe('away'))
    await taken[0]?.()
    await delivered
    expect(socket.acknowledged).toEqual(['2 envelope-1'])
  })
})

test('Socket Mode that somebody turns off is refused, and connected when it is on again', async () => {
  const { fake, slack } = await openSlackHarness({ over: 'socket' })
  fake.fail('apps.connections.open', { status: 200, error: 'not_allowed_token_type' })
  fake.socket.disable()
  await until(() => expect(connectionOf(slack, 'socket').state).toBe('refused'))
  expect(connectionOf(slack, 'socket').refusedAt).toBeGreaterThan(0)
  await until(() => expect(stateOf(slack)).toBe('connected'))
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
    await until(() => expect(stateOf(slack)).toBe('connected'))
    expect(fake.calls('auth.test').map(({ ok }) => ok)).toEqual([false, true])
    await sam.types('/subscriber stats', general)
    await until(() => sam.finds('ubscribers', general))
  })
})
