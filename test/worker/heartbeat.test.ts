import { expect, test } from 'vitest'
import type { Leases } from '../../src/kernel/store/leases.ts'
import { createWorker } from '../../src/kernel/tasks/worker.ts'
import { openTestApp } from '../harness/app.ts'

test('a heartbeat that is on its way when the process stops does not bring its lease back', async () => {
  const { app, store } = await openTestApp({ started: false })
  const { core } = app
  const second = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  let beats = 0
  const acquire: Leases['acquire'] = async (...lease) => {
    beats++
    if (beats === 2) {
      second.resolve()
      await answer.promise
    }
    return store.leases.acquire(...lease)
  }
  const slow = { ...core, store: { ...store, leases: { ...store.leases, acquire } } }
  const worker = createWorker({ ...slow, timings: { ...core.timings, heartbeatMs: 5 } }, { tasks: false })
  await worker.start()
  await second.promise
  const stopped = worker.stop()
  setImmediate(answer.resolve)
  await stopped
  // What the beat was about to write is written by now, if it is written at all.
  await answer.promise
  await store.freezes.all()
  expect(await store.leases.holder(`process:${core.process}`)).toBeNull()
})
