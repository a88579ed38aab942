import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolderWitness } from '../../../src/features/witnesses/folder.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { lossIn } from '../../../src/kernel/model/store-loss.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf } from '../../harness/app.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { keptFolder } from '../../harness/kept-folder.ts'
import { buttonOf, changeOf, type Harness, openHarness } from '../../pipeline/harness.ts'

const policy = `
version: 1
approvals: { slack: C0APPROVALS }
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
  - { id: gil, name: Gil Finance, slack: U0GIL, roles: [finance] }
administrators: [gil]
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: small, commands: [refund], amount: { upTo: 100 }, require: { approvals: 1, from: [finance] } }
  - { name: large, commands: [refund], require: { approvals: 2, from: [finance] } }
  - { name: bulk, commands: ["contact *"], require: confirm }
  - { name: own, commands: [unfreeze], require: none }
`

/** A folder with the embedded database, and the processes that run on it, one after the other. */
const openFolder = (witness?: string) => {
  const { open, ...kept } = keptFolder()
  let services: Harness['sandbox'] | undefined
  const start = async () => {
    const own = await open()
    const harness = await openHarness({
      policy: witness === undefined ? policy : `${policy}anchor: { every: 1h, folder: ${witness} }\n`,
      ...own,
      started: false,
      front: async (sandbox) => {
        services ??= sandbox
        return services.services
      },
    })
    const slack = createFakeMessenger('slack')
    harness.app.join(slack)
    await harness.app.start()
    const stop = async () => {
      await harness.app.drain()
      await harness.app.stop(1_000)
      await own.database.close()
    }
    return { ...harness, sandbox: services ?? harness.sandbox, slack, stop }
  }
  const refunds = () => services?.wire.filter(({ row }) => row === 'refundPayment').length ?? 0
  return { ...kept, start, refunds }
}

type Process = Awaited<ReturnType<ReturnType<typeof openFolder>['start']>>
const paymentOf = ({ sandbox }: Process): string => {
  const { transactions } = sandbox.state.billing
  const [some] = transactions
  if (some === undefined) throw new Error('there are no payments')
  const id = `pay_l${transactions.length}`
  transactions.push({ ...some, id, amount: 100_000, refunded_amount: 0, status: 'paid' })
  return id
}
const lossOf = async ({ store }: Process) => lossIn(await store.freezes.all())
const kindsOf = async ({ store }: Process) => (await store.audit.find({ limit: 200 })).map(({ kind }) => kind)

describe('a database that was put back to an earlier copy', () => {
  it('has forgotten a request that was sent: the request is put back as unknown, and everybody hears of it', async () => {
    const place = openFolder()
    const first = await place.start()
    const open = await first.ask(`refund ${paymentOf(first)} 7`)
    await first.stop()
    const putBack = place.copyDatabase()
    const second = await place.start()
    const sent = await second.click('approve', await second.ask(`refund ${paymentOf(second)} 60`), 'fay')
    expect(sent.state).toBe('applied')
    await second.stop()
    putBack()

    const third = await place.start()
    const after = (await third.store.changes.get(sent.id)) as Change
    expect(after).toMatchObject({ state: 'unknown', plan: sent.plan, votes: [{ by: { person: 'fay' } }] })
    const said = plainWords(after.outcome?.message ?? '')
    expect(said).toMatch(
      /^The database lost what was stored since \w.+, and this with it\. It was approved by Fay Finance/,
    )
    expect(said).toContain('it ended as "applied"')
    expect(await lossOf(third)).toMatchObject({ area: 'all', name: 'Bellhop' })
    expect(await kindsOf(third)).toEqual(expect.arrayContaining(['store lost', 'recovered', 'votes lost']))

    await third.app.drain()
    for (const where of ['C0APPROVALS', 'U0GIL'])
      expect(third.slack.shown(where).join('\n')).toContain('The database lost what was stored since')

    // Of what was open nothing counts that was pressed on a card of before, nor while nobody has looked.
    const asked = (await third.store.changes.get(open.id)) as Change
    expect(asked).toMatchObject({ state: 'pending', votes: [], round: 1 })
    expect(asked.drift?.message).toMatch(/lost what was stored since .* Votes since then are lost/)
    expect(await third.refusedClick('approve', asked, 'fay')).toMatchObject({ code: 'store_lost' })
    await third.say('unfreeze all', 'gil')
    expect(await lossOf(third)).toBeUndefined()
    expect(await third.press('approve', buttonOf(open), 'fay')).toMatchObject({
      refusal: { code: 'changed_since' },
    })
    expect(await third.click('approve', asked, 'fay')).toMatchObject({ state: 'applied' })
    expect(await third.click('happened', after, 'gil', 'It is listed')).toMatchObject({ state: 'applied' })
    expect(place.refunds()).toBe(2)
    await third.stop()

    // What was handled once is not noticed again.
    const fourth = await place.start()
    expect(await lossOf(fourth)).toBeUndefined()
    expect((await kindsOf(fourth)).filter((kind) => kind === 'store lost')).toHaveLength(1)
    await fourth.stop()
  })

  it('has forgotten a vote: that is noticed by the newest checkpoint, and the vote is asked for again', async () => {
    const place = openFolder()
    const first = await place.start()
    const change = await first.ask(`refund ${paymentOf(first)} 600`)
    await first.stop()
    const putBack = place.copyDatabase()
    const second = await place.start()
    expect((await second.click('approve', change, 'fay')).votes).toHaveLength(1)
    await second.stop()
    putBack()

    const third = await place.start()
    expect(await lossOf(third)).toBeDefined()
    expect(await third.stored(change)).toMatchObject({ state: 'pending', votes: [] })
    expect((await third.stored(change)).drift?.message).toContain('lost')
    await third.stop()
    expect(place.refunds()).toBe(0)
  })

  it('has forgotten a vote of a process that was killed before it kept a checkpoint: its last steps tell', async () => {
    const place = openFolder()
    const first = await place.start()
    const change = await first.ask(`refund ${paymentOf(first)} 600`)
    await first.stop()
    const putBack = place.copyDatabase()
    const checkpoint = readFileSync(join(place.folder, 'audit-checkpoint.txt'))
    const second = await place.start()
    expect((await second.click('approve', change, 'fay')).votes).toHaveLength(1)
    await second.stop()
    putBack()
    writeFileSync(join(place.folder, 'audit-checkpoint.txt'), checkpoint)

    const third = await place.start()
    expect(await lossOf(third)).toBeDefined()
    expect((await third.stored(change)).drift?.message).toContain('lost')
    await third.say('unfreeze all', 'gil')
    await third.stop()
    const fourth = await place.start()
    expect(await lossOf(fourth)).toBeUndefined()
    await fourth.stop()
  })

  it('is given the same delivery again that it has forgotten: it is the same request, and nothing is sent for it', async () => {
    const place = openFolder()
    const first = await place.start()
    const payment = paymentOf(first)
    await first.stop()
    const putBack = place.copyDatabase()
    const second = await place.start()
    const deliver = ({ handle }: Process) =>
      handle({
        delivery: 'one and the same',
        from: fromOf('sam'),
        intent: { kind: 'line', line: `refund ${payment} 60` },
      })
    const asked = changeOf(await deliver(second))
    expect((await second.click('approve', asked, 'fay')).state).toBe('applied')
    await second.stop()
    putBack()

    const third = await place.start()
    expect(await third.stored(asked)).toMatchObject({ state: 'unknown' })
    await third.say('unfreeze all', 'gil')
    expect(await deliver(third)).toMatchObject({ kind: 'repeated' })
    expect((await third.store.changes.list({ limit: 10 })).map(({ command }) => command)).toEqual([
      'unfreeze',
      'refund',
    ])
    expect(place.refunds()).toBe(1)
    await third.stop()
  })

  it('has an approved change that was sent: it is never claimed again', async () => {
    const place = openFolder()
    const first = await place.start()
    const change = await first.ask(`refund ${paymentOf(first)} 60`)
    await first.stop()
    const before = place.copyDatabase()
    const second = await place.start()
    await second.click('approve', change, 'fay')
    await second.stop()
    before()
    // As whoever has no folder would find it: the vote is there, the claim is not.
    const db = await openDatabase({ dataDir: place.folder })
    const store = createStore(db, { now: Date.now })
    const stored = (await store.changes.get(change.id)) as Change
    const votes = [
      {
        by: { person: 'fay', name: 'Fay', platform: 'terminal', account: 'fay', roles: ['finance'] },
        at: 1,
        digest: change.digest,
      },
    ]
    await store.changes.swap({ ...stored, state: 'approved', votes, version: stored.version + 1 })
    await store.tasks.put({ kind: 'apply', key: `apply:${change.id}`, doc: { id: change.id }, dueAt: 0 })
    await db.close()

    const third = await place.start()
    await third.app.drain()
    expect(await third.stored(change)).toMatchObject({ state: 'unknown' })
    expect(place.refunds()).toBe(1)
    await third.stop()
  })

  it('is no loss where everything is there, nor where the folder was used with another log before', async () => {
    const place = openFolder()
    const first = await place.start()
    await first.click('approve', await first.ask(`refund ${paymentOf(first)} 60`), 'fay')
    await first.stop()
    const second = await place.start()
    expect(await lossOf(second)).toBeUndefined()
    await second.stop()
    for (const name of readdirSync(place.folder))
      if (name.startsWith('bellhop.sqlite')) rmSync(join(place.folder, name))
    const third = await place.start()
    await third.app.drain()
    await third.app.core.doubtStore()
    expect(await lossOf(third)).toBeUndefined()
    await third.stop()
  })

  it('is of a copy of the whole folder, which remembers no more than it: a witness does, and it is told once', async () => {
    const witness = newFolder()
    const place = openFolder(witness)
    const first = await place.start()
    await first.click('approve', await first.ask(`refund ${paymentOf(first)} 7`), 'fay')
    await first.stop()
    const putBack = place.copyAll()
    const second = await place.start()
    await second.click('approve', await second.ask(`refund ${paymentOf(second)} 60`), 'fay')
    await second.app.drain()
    // What the witness would be given within the hour.
    const { size, note } = (await second.store.auditTree.checkpoint()) ?? { size: 0, note: '' }
    await createFolderWitness(witness).keep({ size, note })
    await second.stop()
    putBack()

    const third = await place.start()
    expect(await lossOf(third)).toMatchObject({
      reason: expect.stringContaining('lost what was stored since'),
    })
    await third.app.drain()
    expect(third.slack.shown('C0APPROVALS').join('\n')).toContain('reports that take --compare')
    await third.say('unfreeze all', 'gil')
    await third.stop()
    const fourth = await place.start()
    expect(await lossOf(fourth)).toBeUndefined()
    await fourth.stop()
  })
})
