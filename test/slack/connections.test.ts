import { describe, expect, test } from 'vitest'
import { messengerReport } from '../../src/kernel/messenger/connection.ts'
import { connectionOf, stateOf } from '../harness/connection-state.ts'
import { until } from '../harness/until.ts'
import { channels, openSlackHarness } from './harness.ts'

const { general } = channels

describe.each(['http', 'socket'] as const)('over %s', async (over) => {
  const harness = await openSlackHarness({ over })
  const { slack, fake, sam } = harness
  const wire = over === 'http' ? 'requests' : 'socket'
  const api = () => connectionOf(slack, 'api')
  const isAnswering = () => messengerReport('slack', slack).isAnswering

  /** Any call that goes well shows that Slack takes us again. */
  const recovers = async () => {
    await sam.writes('bellhop whoami')
    await until(() => expect(api().state).toBe('connected'))
    expect(isAnswering()).toBe(true)
  }

  test('is connected once Slack has said who the bot is, and heard when something comes', async () => {
    expect(stateOf(slack)).toBe(over === 'http' ? 'api connected, requests on' : 'connected')
    const before = connectionOf(slack, wire).heardAt ?? 0
    await sam.types('/bellhop whoami', general)
    expect(connectionOf(slack, wire).heardAt).toBeGreaterThan(before)
  })

  test.each(['invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'not_authed'])(
    '%s to any call is a refusal',
    async (error) => {
      fake.fail('chat.postMessage', { status: 200, error })
      await sam.writes('bellhop whoami')
      await until(() => expect(api()).toMatchObject({ state: 'refused', why: error }))
      expect(isAnswering()).toBe(false)
      await recovers()
      expect(api().refusedAt).toBeGreaterThan(0)
    },
  )

  test('the app is uninstalled', async () => {
    await fake.notifies({ type: 'app_uninstalled' })
    await until(() => expect(api()).toMatchObject({ state: 'refused', why: 'app_uninstalled' }))
    await recovers()
  })

  test('a token is revoked: that of the bot counts, and that of a person does not', async () => {
    await fake.notifies({ type: 'tokens_revoked', tokens: { oauth: ['U0SAM'], bot: [] } })
    await fake.notifies({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0OTHERBOT'] } })
    await sam.types('/bellhop whoami', general)
    expect(api().state).toBe('connected')
    await fake.notifies({ type: 'tokens_revoked', tokens: { oauth: [], bot: [fake.state.bot] } })
    await until(() => expect(api()).toMatchObject({ state: 'refused', why: 'tokens_revoked' }))
    await recovers()
  })

  test('events that Slack withholds are told', async () => {
    await fake.deliver('events_api', { type: 'app_rate_limited', minute_rate_limited: 1_700_000_000 })
    expect(connectionOf(slack, wire).isHeldBack).toBe(true)
    expect(stateOf(slack)).toContain('the platform withholds deliveries')
    expect(isAnswering()).toBe(true)
  })

  test('a "no" to one message is none to the bot', async () => {
    fake.fail('chat.postMessage', { status: 200, error: 'is_archived' })
    await sam.writes('bellhop whoami')
    await until(() => expect(fake.state.faults.get('chat.postMessage')).toEqual([]))
    expect(api().state).toBe('connected')
  })
})

describe('while Slack has not said which workspace is ours', async () => {
  const { sam, fake } = await openSlackHarness({
    prepare: (before) => before.fail('auth.test', ...Array.from({ length: 50 }, () => ({ status: 503 }))),
  })
  const foreign = fake.person('U0FINN', { name: 'finn', team: 'T0OTHER' })

  test('nobody passes at any door, and everybody is told to try again', async () => {
    const line = 'subscriber get ada@example.com'
    await Promise.all(
      [sam, foreign].flatMap((person) => [
        person.types(`/${line}`, general),
        person.mentions(line, general),
        person.writes(line),
        person.opensHome(),
        person.looksUp('ada@example.com', general),
      ]),
    )
    for (const person of [sam, foreign]) {
      const told = () => person.sees().filter((text) => text.includes('Try again in a moment'))
      await until(() => expect(told()).toHaveLength(4))
    }
    expect(fake.state.homes.size).toBe(0)
    expect(fake.state.messages.filter(({ text }) => text.includes('Lindqvist'))).toEqual([])
  })
})
