import { beforeAll, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { type App, createApp } from '../../src/cli/start/app.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import type { Intent } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { createStore, type Store } from '../../src/kernel/store/store.ts'
import { createLog } from '../../src/lib/log.ts'
import { createServices, type Services } from '../../src/lib/services/client/client.ts'
import { type Database, DatabaseError } from '../../src/lib/sql/database.ts'
import { fromOf, policyOf, textOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'
import { eachEngine, openTestDatabase, type TestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { buttonOf, changeOf, paymentIn, refusalOf } from './harness.ts'
import { policy } from './policy.ts'

/** The database, with a plug that can be pulled. */
const withPlug = (db: Database) => {
  const plug = { isOut: false, failed: 0 }
  const check = () => {
    if (!plug.isOut) return
    plug.failed++
    throw new DatabaseError('down', 'The plug is out')
  }
  const statementsOf = ({ all, run }: Pick<Database, 'all' | 'run'>): Pick<Database, 'all' | 'run'> => ({
    all: async (schema, sql, params) => {
      check()
      return all(schema, sql, params)
    },
    run: async (sql, params) => {
      check()
      return run(sql, params)
    },
  })
  const plugged: Database = {
    ...db,
    ...statementsOf(db),
    together: statementsOf(db.together),
    later: async (sql, params) => {
      check()
      await db.later(sql, params)
    },
    tx: async (work) => {
      check()
      return db.tx(work)
    },
  }
  return { plug, db: plugged }
}

eachEngine('the database is down', (engine) => {
  let database: TestDatabase
  let plug: { isOut: boolean; failed: number }
  let store: Store
  let sandbox: Sandbox
  let services: Services
  let app: App
  let onStep: (step: string) => void = () => undefined

  beforeAll(async () => {
    database = await openTestDatabase(engine)
    const plugged = withPlug(database.db)
    plug = plugged.plug
    store = createStore(plugged.db, { now: Date.now })
    sandbox = await startSandbox()
    const log = createLog('silent')
    services = createServices(sandbox, { log })
    const registry = commandsWith()
    app = createApp({
      registry,
      policy: policyOf(policy, registry),
      services,
      store,
      log,
      tasks: false,
      onStep: (step) => onStep(step),
    })
    await app.start()
  })
  whenDone(async () => {
    plug.isOut = false
    await app.stop(1_000)
    await services.close()
    await sandbox.close()
    await database.close()
  })

  let deliveries = 0
  const handle = (person: string, intent: Intent) =>
    app.handle({
      delivery: `o${++deliveries}`,
      from: fromOf(person),
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent,
    })
  const say = (line: string, person = 'sam') => handle(person, { kind: 'line', line })
  const press = (verb: 'approve' | 'share', id: string, person = 'fay') =>
    handle(person, { kind: 'press', verb, id })
  const refunds = () => sandbox.wire.filter(({ row }) => row === 'refundPayment').length
  const stored = async ({ id }: Change) => (await store.changes.get(id))?.state
  const during = async <T>(work: () => Promise<T>): Promise<T> => {
    plug.isOut = true
    try {
      return await work()
    } finally {
      plug.isOut = false
    }
  }

  it('changes are refused, and nothing runs unrecorded', async () => {
    const waiting = changeOf(await say(`refund ${paymentIn(sandbox)} 60`))
    const [asked, approved] = await during(() =>
      Promise.all([say(`refund ${paymentIn(sandbox)} 60`), press('approve', buttonOf(waiting))]),
    )
    expect(refusalOf(asked)).toMatchObject({
      code: 'database_down',
      message: expect.stringContaining('nothing'),
    })
    expect(refusalOf(approved).code).toBe('database_down')
    expect(refunds()).toBe(0)
    expect(await stored(waiting)).toBe('pending')
    expect(changeOf(await press('approve', buttonOf(waiting))).state).toBe('applied')
  })

  it('reads say what they can, and that they were not recorded', async () => {
    const reply = await during(() => say('subscriber get ada@example.com'))
    expect(reply).toMatchObject({ kind: 'answer' })
    expect(textOf(reply)).toContain('The database is down; this was not recorded.')
    expect('view' in reply && reply.view.actions).toBeFalsy()
  })

  it('an answer that could not be kept is still given, and its buttons say that it is gone', async () => {
    const before = sandbox.wire.length
    sandbox.fault({ row: 'getSubscriber', kind: 'delay', ms: 200 })
    const asked = say('subscriber get ada@example.com')
    await expect.poll(() => sandbox.wire.length, { interval: 5 }).toBe(before + 1)
    const reply = await during(() => asked)
    expect(textOf(reply)).toContain('Ada Lindqvist')
    const share = 'view' in reply ? reply.view.actions?.find(({ verb }) => verb === 'share') : undefined
    expect(refusalOf(await press('share', share?.id ?? '')).code).toBe('answer_gone')
  })

  it('a change whose answer cannot be stored is stored when the database is back', async () => {
    const change = changeOf(await say(`refund ${paymentIn(sandbox)} 60`, 'finn'))
    onStep = (step) => {
      if (step === 'answered') plug.isOut = true
    }
    const pressed = press('approve', buttonOf(change))
    await expect.poll(() => plug.isOut).toBe(true)
    const before = plug.failed
    await expect.poll(() => plug.failed).toBeGreaterThan(before)
    onStep = () => undefined
    plug.isOut = false
    expect(changeOf(await pressed).state).toBe('applied')
    expect(refunds()).toBe(2)
  })

  it('a change that was approved when it went down waits for the worker', async () => {
    const change = changeOf(await say(`refund ${paymentIn(sandbox)} 61`, 'finn'))
    onStep = (step) => {
      if (step === 'voted') plug.isOut = true
    }
    const reply = await press('approve', buttonOf(change))
    onStep = () => undefined
    plug.isOut = false
    expect(textOf(reply)).toContain('Approved; about to run.')
    await store.tasks.put({ kind: 'apply', key: `apply:${change.id}`, doc: { id: change.id }, dueAt: 0 })
    await app.drain()
    expect(await stored(change)).toBe('applied')
    expect(refunds()).toBe(3)
    expect(await verify(store)).toMatchObject({ ok: true })
  })
})
