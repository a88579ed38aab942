import { describe, expect, it } from 'vitest'
import { createServices, type Services } from '../../../src/lib/services/client/client.ts'
import type { ClientSettings } from '../../../src/lib/services/client/settings.ts'
import { isServiceError } from '../../../src/lib/services/errors.ts'
import { commandsWith } from '../../harness/commands.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { scripted } from './scripted-pack.ts'
import { overHttp, overStdio, type ScriptedServer } from './scripted-server.ts'

commandsWith([scripted])
const nowhere = { baseUrl: 'http://127.0.0.1:9', apiKey: 'none', secretKey: 'none' }

const clientOf = (
  { baseUrl }: Pick<ScriptedServer, 'baseUrl'>,
  settings: Partial<ClientSettings> = {},
): Services => {
  const services = createServices(
    { email: nowhere, chat: nowhere, billing: nowhere, scripted: { baseUrl, token: 'scripted-token' } },
    {
      log: { info: () => undefined, warn: () => undefined },
      settings: {
        retries: 0,
        readDeadlineMs: 60_000,
        attemptMs: 60_000,
        writeDeadlineMs: 60_000,
        ...settings,
      },
      inherited: { PATH: process.env.PATH ?? '' },
    },
  )
  whenDone(services.close)
  return services
}

const abortable = () => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

type Row = 'look' | 'act' | 'actStrictly'

const end = async (services: Services, row: Row, how: string, signal?: AbortSignal): Promise<unknown> => {
  try {
    const { data, understood } = await services.call(`scripted.${row}`, { body: { how } }, { signal })
    return { data, understood }
  } catch (error) {
    if (!isServiceError(error)) throw error
    const { kind, outcome, serviceMessage } = error
    return { kind, outcome, ...(serviceMessage === undefined ? {} : { said: serviceMessage }) }
  }
}

const transports: [string, () => Promise<ScriptedServer>][] = [
  ['a process', overStdio],
  ['HTTP with streams', () => overHttp()],
  ['HTTP without', () => overHttp({ streams: false })],
]

describe.each(transports)('over %s', (_, open) => {
  it('reads every form of a result, and what is none leaves a change unknown', async () => {
    const server = await open()
    whenDone(server.close)
    const services = clientOf(server)
    const both = async (how: string) => [await end(services, 'look', how), await end(services, 'act', how)]
    const answered = (data: unknown) => ({ data, understood: true })
    const same = (one: unknown) => [one, one]
    expect(await both('well')).toEqual(same(answered({ text: 'done: well' })))
    expect(await both('structured')).toEqual(same(answered({ id: 'x1', amount: 5 })))
    expect(await both('json')).toEqual(same(answered({ id: 'x2' })))
    const failed = (kind: string, said?: string) =>
      ['not_done', 'unknown'].map((outcome) => ({ kind, outcome, ...(said === undefined ? {} : { said }) }))
    // The server repeats our token in its words: nobody reads it.
    expect(await both('declared error')).toEqual(failed('rejected', 'No such thing. [key]'))
    expect(await both('protocol error')).toEqual(failed('malformed', 'Wrong arguments'))
    expect(await both('task')).toEqual(failed('malformed'))
    expect(await both('no result')).toEqual(failed('malformed'))
    expect(await end(services, 'actStrictly', 'declared error')).toMatchObject({ outcome: 'not_done' })
  })

  it('a change that is cut off or given up while it is under way is unknown, sent once, and the next call is answered', async () => {
    const server = await open()
    whenDone(server.close)
    const services = clientOf(server, { retries: 3 })
    expect(await end(services, 'act', 'cut')).toEqual({ kind: 'unavailable', outcome: 'unknown' })
    expect(await end(services, 'act', 'well')).toMatchObject({ understood: true })
    const { signal, abort } = abortable()
    const hanging = end(services, 'act', 'hang', signal)
    await until(() => expect(server.heard()).toContain('act hang'))
    abort()
    expect(await hanging).toEqual({ kind: 'unavailable', outcome: 'unknown' })
    expect(server.heard().filter((call) => call.startsWith('act '))).toEqual([
      'act cut',
      'act well',
      'act hang',
    ])
  })

  it('nothing leaves when the right to send is lost, and arguments that do not fit never do', async () => {
    const server = await open()
    whenDone(server.close)
    const services = clientOf(server)
    const lost = services.under({ renew: async () => false, isFresh: () => true })
    await expect(lost.call('scripted.act', { body: { how: 'well' } })).rejects.toMatchObject({
      kind: 'given_up',
    })
    const stale = services.under({ renew: async () => true, isFresh: () => false })
    await expect(stale.call('scripted.act', { body: { how: 'well' } })).rejects.toMatchObject({
      kind: 'given_up',
    })
    expect(await end(services, 'act', 'x'.repeat(41))).toMatchObject({
      kind: 'rejected',
      outcome: 'not_done',
    })
    expect(server.heard()).toEqual([])
  })

  it('a server that says other things of a tool is refused as soon as it says so, and tells what changed', async () => {
    const server = await open()
    whenDone(server.close)
    const services = clientOf(server)
    expect(await end(services, 'act', 'turn')).toMatchObject({ understood: true })
    const refused = { kind: 'tools_changed', outcome: 'not_done' }
    expect(await end(services, 'act', 'well')).toMatchObject(refused)
    expect(await end(services, 'look', 'well')).toMatchObject({
      ...refused,
      said: 'act: the description said “Does something”, and says “Does something, and tells everybody the secrets”.',
    })
    await expect(services.ready(['scripted.look'])).rejects.toMatchObject(refused)
    expect(server.heard()).toEqual(['act turn'])
  })
})

it('a process has nothing of our environment but what a program needs, and its token', async () => {
  const services = clientOf(await overStdio())
  const { data } = (await end(services, 'look', 'environment')) as { data: Record<string, string> }
  expect(
    Object.keys(data)
      .filter((name) => name !== 'token')
      .toSorted(),
  ).toEqual(['HEARD', 'PATH', 'SCRIPTED_KEY'])
  expect(data.SCRIPTED_KEY).toBe('scripted-token')
})

it('what cannot be started is unavailable, and nothing was sent', async () => {
  const services = clientOf({ baseUrl: '/nowhere/at-all' })
  expect(await end(services, 'act', 'well')).toEqual({ kind: 'unavailable', outcome: 'not_done' })
})

describe('over HTTP', () => {
  it('a server that was started again is met again, and a change is not sent into a session that is over', async () => {
    const server = await overHttp()
    whenDone(server.close)
    const services = clientOf(server, { retries: 1 })
    expect(await end(services, 'look', 'well')).toMatchObject({ understood: true })
    server.forget()
    // What was looked at just now is not looked at again: the refusal of the server says that nothing was done.
    await end(services, 'look', 'again')
    expect(await end(services, 'act', 'well')).toMatchObject({ understood: true })
    expect(server.heard()).toEqual(['look well', 'act well'])
  })

  it('a token that is not taken is told as that, and nothing was done', async () => {
    const server = await overHttp()
    whenDone(server.close)
    server.accepts('another')
    expect(await end(clientOf(server), 'act', 'well')).toEqual({ kind: 'unauthorized', outcome: 'not_done' })
  })

  it('looks again when the server says by itself that its tools have changed, also before what only reads', async () => {
    const server = await overHttp()
    whenDone(server.close)
    const services = clientOf(server)
    await end(services, 'look', 'well')
    await until(() => expect(server.listeners()).toBe(1))
    server.turn('Something else')
    expect(await end(services, 'look', 'well')).toMatchObject({ understood: true })
    server.announce()
    await until(() =>
      end(services, 'look', 'well').then((one) => expect(one).toMatchObject({ kind: 'tools_changed' })),
    )
  })
})
