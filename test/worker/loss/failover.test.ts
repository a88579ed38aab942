import { describe, expect, inject, it } from 'vitest'
import { createSentLog } from '../../../src/kernel/claims/sent-log.ts'
import { createLogMemory } from '../../../src/kernel/log/memory.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import type { DatabaseMove } from '../../../src/kernel/loss/others.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { lossIn } from '../../../src/kernel/model/store-loss.ts'
import { openUpToDate } from '../../../src/kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { ticks } from '../../../src/lib/clock.ts'
import { createSiteWatch } from '../../../src/lib/sql/site.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { type ReplicatedServers, startReplicated } from '../../harness/replication.ts'
import { whenDone } from '../../harness/when-done.ts'
import { buttonOf, openHarness } from '../../pipeline/harness.ts'

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
  - { id: gil, name: Gil Finance, roles: [finance] }
administrators: [gil]
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: own, commands: [unfreeze], require: none }
`

const openServers = async (options?: { isSynchronous: boolean }): Promise<ReplicatedServers> => {
  const servers = await startReplicated(options)
  whenDone(() => servers.close())
  return servers
}

/** A process of the bot on these servers and this folder; `like` is an earlier one, whose services it calls. */
const openProcess = async (
  { url }: ReplicatedServers,
  folder: string,
  like?: { sandbox: Awaited<ReturnType<typeof openHarness>>['sandbox'] },
  signer = newSigner(),
) => {
  let doubt = () => undefined as unknown
  let lastMove: DatabaseMove | undefined
  const onConnect = createSiteWatch((_, site) => {
    lastMove = { at: ticks(), site }
    void doubt()
  })
  const db = await openUpToDate({ url, onConnect }, { waitMs: 10_000 })
  const store = createStore(db, { now: Date.now })
  const memory = createLogMemory({ folder, store, signer, warn: () => undefined, onLost: () => void doubt() })
  const harness = await openHarness({
    policy,
    database: { db, close: () => db.close() },
    signer,
    memory,
    lastMove: () => lastMove,
    site: onConnect.site,
    sent: createSentLog(folder),
    ...(like && { front: async () => like.sandbox.services }),
  })
  doubt = () => harness.app.core.doubtStore().catch(() => undefined)
  const { sandbox = harness.sandbox } = like ?? {}
  return {
    ...harness,
    db,
    signer,
    sandbox,
    refunds: () => sandbox.wire.filter(({ row }) => row === 'refundPayment').length,
  }
}

const settled = async (process: Awaited<ReturnType<typeof openProcess>>, id: string): Promise<Change> => {
  await expect
    .poll(async () => (await process.store.changes.get(id).catch(() => null))?.state)
    .toBe('unknown')
  return (await process.store.changes.get(id)) as Change
}

describe.skipIf(inject('postgres') === null)('a standby that takes the place of its primary', () => {
  it.each(['the same process goes on', 'a process starts anew on the same folder'])(
    'without having the claim: the refund is not sent again, and everybody is told what is lost, when %s',
    async (which) => {
      const servers = await openServers()
      const folder = newFolder()
      const first = await openProcess(servers, folder)
      const change = await first.ask(`refund ${first.payment()} 60`)
      await first.app.drain()
      await servers.caughtUp()
      await servers.cutReplication()
      expect(await first.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
      expect(first.refunds()).toBe(1)

      const isSame = which === 'the same process goes on'
      if (!isSame) await first.db.close()
      await servers.failOver()
      const process = isSame ? first : await openProcess(servers, folder, first, first.signer)
      // The card still says Approve.
      const again = await process.press('approve', buttonOf(change), 'gil').catch(() => undefined)
      const after = await settled(process, change.id)
      expect(process.refunds()).toBe(1)
      expect(again?.kind === 'change' ? again.change.state : 'refused').not.toBe('applied')

      const said = plainWords(after.outcome?.message ?? '')
      expect(said).toMatch(/The database lost what was stored since .* approved by Fay Finance/)
      expect(said).toContain('it ended as "applied"')
      const hold = lossIn(await process.store.freezes.all())
      expect(hold).toMatchObject({
        area: 'all',
        reason: expect.stringContaining('lost what was stored since'),
      })
      const kinds = (await process.store.audit.find({ limit: 50 })).map(({ kind }) => kind)
      expect(kinds).toEqual(expect.arrayContaining(['store lost', 'recovered']))
      expect(await process.store.deliveries.first(`notice:store lost:nothing`)).toBe(true)

      // Nothing is changed until people say so; then a person says what happened.
      const refused = await process.say(`refund ${process.payment()} 5`)
      expect(refused).toMatchObject({ kind: 'refused', refusal: { code: 'store_lost' } })
      await process.say('unfreeze all', 'gil')
      expect(lossIn(await process.store.freezes.all())).toBeUndefined()
      expect(await process.click('happened', after, 'gil', 'The service lists it')).toMatchObject({
        state: 'applied',
      })
      expect(process.refunds()).toBe(1)
    },
  )

  it('leaves the others time: who has not sent it waits with a claim until who has sent it has compared', async () => {
    const servers = await openServers()
    const first = await openProcess(servers, newFolder())
    const other = await openProcess(servers, newFolder(), first, first.signer)
    const change = await first.ask(`refund ${first.payment()} 60`)
    await first.app.drain()
    await servers.caughtUp()
    await servers.cutReplication()
    expect(await first.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
    await servers.failOver()
    // Nobody on this machine has a folder that knows of it, and its card still says Approve.
    await expect
      .poll(() => other.press('approve', buttonOf(change), 'gil').catch(() => undefined))
      .toBeDefined()
    await settled(other, change.id)
    expect(first.refunds()).toBe(1)
  })
})
