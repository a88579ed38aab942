import { openSigner } from '../../src/audit/signer.ts'
import { streamOn } from '../../src/core/stream.ts'
import { bellhop, entryBy } from '../../src/model/audit-entry.ts'
import type { StreamRule } from '../../src/policy/policy.ts'
import { openUpToDate } from '../../src/storage/database/open-up-to-date.ts'
import { createStore } from '../../src/storage/store.ts'

/** Writes entries, numbers them and streams them, until it is killed; the last life of all ends when all is given. */
const { database, rule, isLast } = JSON.parse(process.argv[2] ?? '{}') as {
  database: { url?: string; dataDir: string }
  rule: StreamRule
  isLast: boolean
}
const db = await openUpToDate(database)
const store = createStore(db, { now: Date.now })
const signer = await openSigner({ dataDir: database.dataDir }, store.auditTree)
const core = { store, secret: () => 'token', version: '1' }
process.stdout.write('started\n')
for (let n = 0; !isLast; n += 1) {
  for (let at = 0; at < 20; at += 1) {
    await store.audit.append(entryBy(bellhop, 'asked', { command: 'refund', id: `c${n}` }, { n, at }))
  }
  await store.auditTree.sequence(signer)
  await streamOn(core, rule).catch(() => undefined)
}
for (let isMore = true; isMore; ) isMore = await streamOn(core, rule).catch(() => true)
await store.auditTree.sequence(signer)
for (let isMore = true; isMore; ) isMore = await streamOn(core, rule).catch(() => true)
const { base, frontier } = await store.auditTree.state()
process.stdout.write(`entries ${base + frontier.size}\n`)
await db.close()
