import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { verify } from '../../src/audit/verify.ts'
import type { Step } from '../../src/core/core.ts'
import { defined } from '../../src/defined.ts'
import type { Intent, Reply } from '../../src/messenger/inbound.ts'
import type { Change } from '../../src/model/change.ts'
import { createStore, type Store } from '../../src/storage/store.ts'
import { eachEngine, openTestDatabase, type TestDatabase } from '../harness/database.ts'
import { buttonOf, changeOf, paymentIn } from './harness.ts'

// Each test starts two or three processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

eachEngine('the process dies at any point', (engine) => {
  let database: TestDatabase
  let sandbox: Sandbox
  let store: Store
  const running = new Set<ChildProcess>()

  beforeAll(async () => {
    database = await openTestDatabase(engine)
    store = createStore(database.db, { now: Date.now })
    sandbox = await startSandbox()
  })
  afterAll(async () => {
    for (const child of running) child.kill('SIGKILL')
    await sandbox.close()
    await database.close()
  })

  const start = async (killAt?: Step): Promise<ChildProcess> => {
    const { email, chat, billing } = sandbox
    const child = fork(join(import.meta.dirname, 'crash-child.ts'), {
      env: {
        ...process.env,
        DATABASE_URL: database.url ?? '',
        DATA_DIR: database.dataDir ?? '',
        SERVICES: JSON.stringify({ email, chat, billing }),
        ...defined({ KILL_AT: killAt }),
      },
      execArgv: [],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    expect((await once(child, 'message'))[0]).toBe('ready')
    return child
  }
  const tell = async (child: ChildProcess, person: string, intent: Intent): Promise<Reply> => {
    child.send({ person, intent })
    return (await once(child, 'message'))[0] as Reply
  }
  const kill = async (child: ChildProcess): Promise<void> => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  /** Sends it, and waits until the process is gone. */
  const tellAndDie = async (child: ChildProcess, person: string, intent: Intent): Promise<void> => {
    const exit = once(child, 'exit')
    child.send({ person, intent })
    expect((await exit)[1]).toBe('SIGKILL')
  }
  const refunds = (id: string) =>
    sandbox.wire.filter(({ row, path }) => row === 'refundPayment' && path.endsWith(`/${id}`)).length
  const stateOf = async (change: Change) => (await store.changes.get(change.id))?.state
  const approve = (change: Change): Intent => ({ kind: 'press', verb: 'approve', id: buttonOf(change) })
  const kindsOf = async ({ id }: Pick<Change, 'id'>) =>
    (await store.audit.find({ changeId: id, limit: 20 })).map(({ kind }) => kind).reverse()

  /** A bot that dies at the step, and a refund that waits for one approval; nobody asks for more than their budget. */
  const waiting = async (requester: string, killAt?: Step) => {
    const child = await start(killAt)
    const payment = paymentIn(sandbox)
    const asked = await tell(child, requester, { kind: 'line', line: `refund ${payment} 60` })
    return { child, payment, change: changeOf(asked) }
  }
  /** Another bot on the same database; it has done what it is going to do once the state is settled. */
  const restart = async (change: Change, state: Change['state']) => {
    const child = await start()
    await expect.poll(() => stateOf(change), { timeout: 30_000, interval: 30 }).toBe(state)
    const drained = once(child, 'message')
    child.send('drain')
    expect((await drained)[0]).toBe('drained')
    expect(await stateOf(change)).toBe(state)
    await kill(child)
    expect(await verify(store)).toMatchObject({ ok: true })
  }

  it('after a request was stored: it still waits, and is done once when it is approved', async () => {
    const child = await start('asked')
    const payment = paymentIn(sandbox)
    await tellAndDie(child, 'sam', { kind: 'line', line: `refund ${payment} 60` })
    const [change] = await store.changes.list({ states: ['pending'], limit: 1 })
    if (change === undefined) throw new Error('the request is forgotten')
    await restart(change, 'pending')
    expect(refunds(payment)).toBe(0)
    const next = await start()
    expect(changeOf(await tell(next, 'fay', approve(change))).state).toBe('applied')
    await kill(next)
    expect(refunds(payment)).toBe(1)
  })

  it('after the last vote: nothing approved is forgotten, the next process does it, once', async () => {
    const { child, payment, change } = await waiting('sam', 'voted')
    await tellAndDie(child, 'fay', approve(change))
    expect(await stateOf(change)).toBe('approved')
    await restart(change, 'applied')
    expect(refunds(payment)).toBe(1)
    expect(await kindsOf(change)).toEqual(['asked', 'approved', 'claimed', 'applied'])
  })

  it('after the claim: what cannot be known is said, and nothing is done again', async () => {
    const { child, payment, change } = await waiting('sam', 'claimed')
    await tellAndDie(child, 'fay', approve(change))
    expect(await stateOf(change)).toBe('applying')
    await restart(change, 'unknown')
    expect(refunds(payment)).toBe(0)
  })

  it('while the service is at work: what cannot be known is said, and nothing is done again', async () => {
    const { child, payment, change } = await waiting('finn')
    sandbox.fault({ row: 'refundPayment', kind: 'hang_after' })
    child.send({ person: 'fay', intent: approve(change) })
    await expect.poll(() => refunds(payment), { timeout: 30_000, interval: 10 }).toBe(1)
    await kill(child)
    expect(await stateOf(change)).toBe('applying')
    await restart(change, 'unknown')
    expect(refunds(payment)).toBe(1)
    expect(await kindsOf(change)).toEqual(['asked', 'approved', 'claimed', 'unknown'])
  })

  it('after the answer, before it was stored: what cannot be known is said, and nothing is done again', async () => {
    const { child, payment, change } = await waiting('finn', 'answered')
    await tellAndDie(child, 'fay', approve(change))
    expect(refunds(payment)).toBe(1)
    await restart(change, 'unknown')
    expect(refunds(payment)).toBe(1)
  })

  it('after the outcome was stored: it is done, and stays done', async () => {
    const { child, payment, change } = await waiting('finn', 'stored')
    await tellAndDie(child, 'fay', approve(change))
    expect(await stateOf(change)).toBe('applied')
    await restart(change, 'applied')
    expect(refunds(payment)).toBe(1)
  })
})
