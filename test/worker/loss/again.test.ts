import { expect, it } from 'vitest'
import { createLogMemory } from '../../../src/kernel/log/memory.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { lossIn } from '../../../src/kernel/model/store-loss.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { openTestDatabase } from '../../harness/database.ts'
import { openHarness } from '../../pipeline/harness.ts'

it('a comparison that failed is made again, though the newest step is there, and nothing is claimed before', async () => {
  const signer = newSigner()
  const database = await openTestDatabase('sqlite')
  const memory = createLogMemory({
    folder: newFolder(),
    store: createStore(database.db, { now: Date.now }),
    signer,
    warn: () => undefined,
  })
  const harness = await openHarness({ database, signer, memory })
  const { core } = harness.app
  await harness.app.drain()
  // What another process on this folder has stored, before the database moved to a server that does not have it.
  memory.keepStep({ id: 'gone', at: Date.now() })
  const change = await harness.ask(`refund ${harness.payment()} 60`)

  const { audit } = core.store
  const { missing } = audit
  let isAway = true
  audit.missing = async (ids) => {
    if (isAway) throw new Error('the database is away')
    return missing(ids)
  }
  await expect(core.doubtStore()).rejects.toThrow('away')
  await harness.press('approve', change.id, 'fay').catch(() => undefined)
  expect(harness.effects('refundPayment')).toEqual([])
  isAway = false
  await expect.poll(async () => lossIn(await core.store.freezes.all())).toBeDefined()
  expect(harness.effects('refundPayment')).toEqual([])
})
