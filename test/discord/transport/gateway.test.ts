import { describe, expect, it } from 'vitest'
import { createDiscord } from '../../../adapters/discord/discord.ts'
import { messengerReport } from '../../../src/kernel/messenger/connection.ts'
import type { RunningMessenger } from '../../../src/kernel/messenger/definition.ts'
import { createBot } from '../../../src/kernel/request/bot.ts'
import { createHttpServer } from '../../../src/lib/http/server.ts'
import { createLog } from '../../../src/lib/log.ts'
import { connectionOf, stateOf } from '../../harness/connection-state.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { textOf } from '../fake/person.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general } = channels

describe('the gateway', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, discord } = harness
  const isWell = async () => {
    const asked = await sam.slash(general, 'bellhop whoami')
    await until(() => {
      const message = fake.state.messages.get(asked.original ?? '')
      expect(message && textOf(message)).toContain('Sam Support')
    })
  }

  it('asks for messages in servers and direct messages, and for nothing else', () => {
    expect(fake.gateway.identifies.map(({ intents }) => intents)).toEqual([(1 << 9) | (1 << 12)])
  })

  it('resumes after the connection was cut, and hears what was said meanwhile', async () => {
    fake.gateway.drop()
    const asked = sam.slash(general, 'bellhop whoami')
    await until(() => expect(fake.gateway.resumes).toBe(1))
    expect((await asked).answered).toBe(5)
    expect(fake.gateway.identifies).toHaveLength(1)
    await until(() => expect(stateOf(discord)).toBe('connected'))
  })

  it('reconnects when it is asked to', async () => {
    fake.gateway.askReconnect()
    await until(() => expect(fake.gateway.resumes).toBe(2))
    await until(() => expect(stateOf(discord)).toBe('connected'))
    await isWell()
  })

  it('identifies anew when its session is gone', async () => {
    fake.gateway.invalidate(false)
    await until(() => expect(fake.gateway.identifies).toHaveLength(2))
    await until(() => expect(stateOf(discord)).toBe('connected'))
    await isWell()
  })

  it('resumes when its session is shaken and still there', async () => {
    const before = fake.gateway.resumes
    fake.gateway.invalidate(true)
    await until(() => expect(fake.gateway.resumes).toBe(before + 1))
    await isWell()
  })

  it.each([4004, 4010, 4011, 4012, 4013, 4014])(
    'is refused by the close code %i, and knocks again',
    async (code) => {
      const before = fake.gateway.identifies.length
      fake.gateway.drop(code)
      await until(() =>
        expect(connectionOf(discord, 'gateway')).toMatchObject({
          state: 'refused',
          why: `close code ${code}`,
        }),
      )
      await until(() => expect(fake.gateway.identifies).toHaveLength(before + 1))
      await until(() => expect(stateOf(discord)).toBe('connected'))
      await isWell()
    },
  )

  it('survives payloads that nobody knows', async () => {
    for (const frame of [
      'not json',
      '[]',
      { op: 77, d: { strange: true } },
      { op: 0, s: 1, t: 'SOMETHING_NEW', d: null },
      { op: 0, s: 2, t: 'INTERACTION_CREATE', d: null },
      { op: 0, s: 3, t: 'INTERACTION_CREATE', d: { type: 2, id: '5', token: 'x' } },
      {
        op: 0,
        s: 4,
        t: 'INTERACTION_CREATE',
        d: { type: 3, id: '6', token: 'x', data: { custom_id: 'not:ours' } },
      },
      { op: 0, s: 5, t: 'INTERACTION_CREATE', d: { type: 42, id: '7', token: 'x', data: [] } },
      { op: 0, s: 6, t: 'MESSAGE_CREATE', d: { id: 7 } },
      { op: 0, s: 7, t: null, d: 'words' },
    ]) {
      fake.gateway.raw(frame)
    }
    await isWell()
  })

  it('does nothing unseen when Discord does not take the first answer', async () => {
    const unknown = { code: 10_062, message: 'Unknown interaction' }
    fake.state.faults.push({ on: /callback$/, times: 1, status: 404, body: unknown })
    const changes = await harness.store.changes.list({ limit: 100 })
    await fake.deliver(sam.payload(general, 'refund', { 'payment-id': 'pay_1001', amount: 10 }))
    await until(() => expect(fake.state.faults[0]?.times).toBe(0))
    await isWell()
    expect(await harness.store.changes.list({ limit: 100 })).toHaveLength(changes.length)
  })
})

describe('several replicas', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, app, discord } = harness
  const { token, applicationId } = fake.state
  const second = await createDiscord({
    bot: createBot({ ...app.core, process: 'the second' }, app.bot),
    http: createHttpServer(),
    log: createLog('fatal'),
    config: { token, applicationId, apiUrl: fake.apiUrl, gateway: true },
  })
  whenDone(() => second.stop())

  it('hold the connection one at a time', async () => {
    await second.start()
    expect(stateOf(second)).toBe('api connected, gateway standing by')
    expect(messengerReport('discord', second).isAnswering).toBe(true)
    expect(fake.gateway.connections()).toBe(1)
  })

  it('take over when the holder dies', async () => {
    // A process that dies does not release what it holds: only its lease ends.
    await stopWithoutRelease(discord, harness.store)
    await until(() => expect(stateOf(second)).toBe('connected'))
    const asked = await sam.slash(general, 'bellhop whoami')
    expect(asked.answered).toBe(5)
  })
})

describe('a token that Discord refuses', () => {
  it('is said, and tried again later', async () => {
    const harness = await openDiscordHarness({ over: 'http' })
    const discord = await createDiscord({
      bot: harness.app.bot,
      http: createHttpServer(),
      log: createLog('fatal'),
      config: { token: 'wrong', applicationId: '1', apiUrl: harness.fake.apiUrl, gateway: true },
    })
    await discord.start()
    await until(() => expect(connectionOf(discord, 'gateway').state).toBe('away'))
    expect(connectionOf(discord, 'api')).toMatchObject({ state: 'refused', refusedAt: expect.any(Number) })
    expect(messengerReport('discord', discord).isAnswering).toBe(false)
    await discord.stop()
    expect(stateOf(discord)).toBe('stopped')
  })
})

const stopWithoutRelease = async (
  discord: RunningMessenger,
  {
    leases,
  }: {
    leases: {
      acquire(name: string, owner: string, ttlMs: number): Promise<boolean>
      holder(name: string): Promise<string | null>
    }
  },
): Promise<void> => {
  const holder = await leases.holder('discord-gateway')
  await discord.stop()
  if (holder !== null) await leases.acquire('discord-gateway', holder, 5_000)
}
