import '../harness/own-services.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { nextOf, sampleChange, sampleEntry } from './sample.ts'

/**
 * A process of its own: migrates, tells its parent, and on its word tries to claim every change, to be first for
 * every delivery and to take every task. It answers with what it won.
 */
const [owner = '', count = '0'] = process.argv.slice(2)
const { DATABASE_URL: url, DATA_DIR: dataDir } = process.env
const db = await openDatabase({ url, dataDir })
await migrate(db, { now: Date.now })
const store = createStore(db, { now: Date.now })

const race = async () => {
  const won: { claims: number[]; deliveries: number[]; tasks: string[] } = {
    claims: [],
    deliveries: [],
    tasks: [],
  }
  for (let index = 0; index < Number(count); index++) {
    const claimed = await store.tx(async (inner) => {
      const next = nextOf(sampleChange({ id: `c${index}` }), { state: 'applying', claimedBy: owner })
      const swapped = await inner.changes.swap(next)
      if (swapped) await inner.audit.append(sampleEntry({ kind: 'claimed', changeId: next.id }))
      return swapped
    })
    if (claimed) won.claims.push(index)
    if (await store.deliveries.first(`d${index}`)) won.deliveries.push(index)
    const tasks = await store.tasks.take({ limit: 1, leaseMs: 60_000, owner })
    won.tasks.push(...tasks.map(({ key }) => key))
  }
  return won
}

process.once('message', async () => {
  process.send?.(await race())
  await store.close()
  process.disconnect?.()
})
process.send?.('ready')
