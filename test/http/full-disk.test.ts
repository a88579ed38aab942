import { expect, test } from 'vitest'
import { z } from 'zod'
import { serveHealth } from '../../src/cli/start/health.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { openTestDatabase } from '../harness/database.ts'

test('a full disk is not ready, and says so, until something can be stored again', async () => {
  const { db, close } = await openTestDatabase('sqlite')
  const http = createHttpServer()
  serveHealth(http, {
    store: createStore(db, { now: Date.now }),
    services: { breakers: () => ({}) },
    platforms: () => [],
    isStopping: () => false,
  } as unknown as Parameters<typeof serveHealth>[1])
  const base = await http.listen({ host: '127.0.0.1', port: 0 })
  const ready = async () => {
    const answer = await fetch(`${base}/readyz`)
    return [answer.status, ((await answer.json()) as { status: string }).status]
  }
  const write = (times: number) =>
    db.tx((inner) =>
      inner.run("INSERT INTO leases (name, owner, ends_at) VALUES ('a', $1, 1)", ['x'.repeat(times)]),
    )
  expect(await ready()).toEqual([200, 'ready'])
  await db.all(z.unknown(), 'PRAGMA max_page_count = 1')
  await expect(write(1_000_000)).rejects.toMatchObject({ name: 'DatabaseError', kind: 'full' })
  expect(await ready()).toEqual([503, 'the disk of the database is full'])
  // Reading needs no room, and proves none.
  await db.all(z.unknown(), 'SELECT 1')
  expect(await ready()).toEqual([503, 'the disk of the database is full'])
  await db.all(z.unknown(), 'PRAGMA max_page_count = 100000')
  await write(1)
  expect(await ready()).toEqual([200, 'ready'])
  await http.close()
  await close()
})
