import { afterAll, describe, expect, test } from 'vitest'
import { serveHealth } from '../../src/cli/start/health.ts'
import { createPlatformConnection, messengerReport } from '../../src/kernel/messenger/connection.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'

const log = createLog('silent')

const connection = (brings: 'requests' | 'answers', state: 'connected' | 'away' | 'refused' | 'standBy') => {
  const made = createPlatformConnection({ platform: 'any', name: brings, brings, log })
  if (state === 'connected') made.connected()
  else made[state]('token_revoked' as never)
  return made
}

describe('/readyz', async () => {
  const world = {
    isStored: true,
    freezes: [] as { by: string; reason: string; at: number }[],
    isFull: false,
    messengers: [] as ReturnType<typeof messengerReport>[],
  }
  const http = createHttpServer()
  serveHealth(http, {
    store: {
      ping: async () => (world.isStored ? undefined : Promise.reject(new Error('gone'))),
      freezes: { all: async () => world.freezes },
      isFull: () => world.isFull,
    },
    services: { breakers: () => ({ email: 'open' }) },
    platforms: () => world.messengers,
    isStopping: () => false,
  } as unknown as Parameters<typeof serveHealth>[1])
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => http.close())
  const well = messengerReport('one', {
    connections: [connection('answers', 'connected'), connection('requests', 'connected')],
  })
  const refused = messengerReport('two', {
    connections: [connection('answers', 'refused'), connection('requests', 'connected')],
  })
  const away = messengerReport('three', {
    connections: [connection('answers', 'connected'), connection('requests', 'away')],
  })
  const oneWayIn = messengerReport('four', {
    connections: [
      connection('answers', 'connected'),
      connection('requests', 'away'),
      connection('requests', 'connected'),
    ],
  })
  const standby = messengerReport('five', {
    connections: [connection('answers', 'connected'), connection('requests', 'standBy')],
  })

  test.each([
    ['everything is well', true, [well], 200],
    ['one messenger is refused and another answers', true, [refused, well], 200],
    ['the only messenger is refused', true, [refused], 503],
    ['no messenger can be answered', true, [refused, away], 503],
    ['a messenger has another way in', true, [oneWayIn], 200],
    ['another replica holds the connection', true, [standby], 200],
    ['no messenger is on', true, [], 200],
    ['the database is away', false, [well], 503],
  ])('when %s', async (_, isStored, messengers, status) => {
    Object.assign(world, { isStored, messengers })
    const answer = await fetch(`${base}/readyz`)
    expect(answer.status).toBe(status)
    const { parts } = (await answer.json()) as { parts: { part: string; state: string; why?: string }[] }
    expect(parts.slice(0, 2)).toEqual([
      { part: 'database', state: isStored ? 'connected' : 'away' },
      { part: 'email service', state: 'away' },
    ])
    expect(parts.slice(2)).toEqual(
      messengers.flatMap(({ name, connections }) =>
        connections.map(({ name: own, state, why }) => ({
          part: `${name} ${own}`,
          state,
          ...(why === undefined ? {} : { why }),
        })),
      ),
    )
  })
})
