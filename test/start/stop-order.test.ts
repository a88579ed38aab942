import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { createApp } from '../../src/cli/start/app.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { openRuntime } from '../../src/cli/start/runtime.ts'
import { openUpToDate } from '../../src/kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { createLog } from '../../src/lib/log.ts'
import { fromOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'
import { buttonOf, changeOf, openHarness } from '../pipeline/harness.ts'

const place = { channel: null, handle: null, direct: true }

/** The bot as `npm start` opens it, and what its database holds once it is closed. */
const openBot = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-stop-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const registry = commandsWith()
  const config = readConfig({ DATA_DIR: dataDir }, registry.all, [])
  const sandbox = await startSandbox()
  const log = createLog('silent')
  const runtime = await openRuntime(config, { registry, log, sandbox })
  await runtime.app.start()
  const say = (line: string) =>
    runtime.app.handle({
      delivery: crypto.randomUUID(),
      from: fromOf('p-support'),
      place,
      forms: false,
      intent: { kind: 'line', line },
    })
  return {
    runtime,
    sandbox,
    say,
    left: async (id: string) => {
      const store = createStore(await openUpToDate({ ...config.database, log }), { now: Date.now })
      const change = await store.changes.get(id)
      const waitingSince = await store.auditTree.waitingSince()
      const holder = await store.leases.holder(`process:${runtime.app.core.process}`)
      await store.close()
      return { state: change?.state, waitingSince, holder }
    },
  }
}

test('a call that is given up at the stop leaves its outcome, numbered, and no lease', async () => {
  const { runtime, sandbox, say, left } = await openBot()
  const { id } = changeOf(await say('refund pay_1001 20 --customer cus_1001'))
  sandbox.fault({ row: 'refundPayment', kind: 'hang_after' })
  const pressed = say(`approval approve ${id}`)
  await expect.poll(() => sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
  await runtime.close(50)
  expect(changeOf(await pressed).state).toBe('unknown')
  expect(await left(id)).toEqual({ state: 'unknown', waitingSince: undefined, holder: null })
})

test('whoever asks for a stop while one is under way waits for the same one', async () => {
  const { runtime, sandbox, say, left } = await openBot()
  const { id } = changeOf(await say('refund pay_1001 20 --customer cus_1001'))
  sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 300 })
  const pressed = say(`approval approve ${id}`)
  await expect.poll(() => sandbox.wire.filter(({ row }) => row === 'refundPayment')).toHaveLength(1)
  let stops = 0
  const stopReceiving = async () => {
    stops++
  }
  const first = runtime.close(5_000, stopReceiving)
  // Without any grace of its own: the first one's holds.
  await Promise.all([runtime.close(0, stopReceiving), first])
  await runtime.close(0, stopReceiving)
  expect(stops).toBe(1)
  expect(changeOf(await pressed).state).toBe('applied')
  expect(await left(id)).toEqual({ state: 'applied', waitingSince: undefined, holder: null })
})

test('others see a stopping process alive until its work is done, and gone right after', async () => {
  const timings = { heartbeatMs: 20, idleMs: 20 }
  const { app, store, sandbox, ask, press, payment, stored } = await openHarness({ timings })
  const change = await ask(`refund ${payment()} 60`)
  sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 60_000 })
  const pressed = press('approve', buttonOf(change), 'fay')
  await expect.poll(() => sandbox.wire.filter(({ row }) => row === 'refundPayment').length).toBe(1)
  const holder = () => store.leases.holder(`process:${app.core.process}`)
  const acquire = vi.spyOn(store.leases, 'acquire')
  let stopped = false
  const stopping = app.stop().then(() => {
    stopped = true
  })
  const beats = () => acquire.mock.calls.filter(([name]) => name.startsWith('process:')).length
  await expect.poll(beats).toBeGreaterThan(3)
  expect(stopped).toBe(false)
  expect(await holder()).toBe(app.core.process)
  sandbox.clearFaults()
  await stopping
  expect(changeOf(await pressed).state).toBe('applied')
  expect((await stored(change)).state).toBe('applied')
  expect(await holder()).toBeNull()
})

test('a stop goes in order: what came in is answered, the heartbeat ends, the last entries get their numbers however long it takes', async () => {
  const { app: first, store } = await openHarness({ started: false })
  const order: string[] = []
  const answered = Promise.withResolvers<void>()
  const app = createApp({
    ...first.core,
    tasks: false,
    store: {
      ...store,
      leases: {
        ...store.leases,
        release: async (name, holder) => {
          if (name.startsWith('process:')) order.push('heartbeat ended')
          return store.leases.release(name, holder)
        },
      },
      auditTree: {
        ...store.auditTree,
        sequence: async (...given) => {
          if (order.length > 0) await sleep(1_300)
          const count = await store.auditTree.sequence(...given)
          if (order.length > 0 && count > 0) order.push('numbered')
          return count
        },
      },
    },
  })
  await app.start()
  // What the start itself records is numbered by then, so that only the last entry is left for the stop.
  await app.drain()
  const stopping = app.stop(5_000, {
    stopReceiving: async () => {
      await answered.promise
      await store.audit.append({
        kind: 'refused',
        who: 'sam',
        name: 'Sam',
        platform: 'terminal',
        command: 'refund',
        changeId: null,
        doc: {},
      })
      order.push('answered')
    },
    giveUp: async () => void order.push('given up'),
  })
  setImmediate(answered.resolve)
  await stopping
  expect(order).toEqual(['answered', 'given up', 'heartbeat ended', 'numbered'])
  expect(await store.auditTree.waitingSince()).toBeUndefined()
})
