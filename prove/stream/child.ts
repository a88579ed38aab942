import { features } from '../../src/features/index.ts'
import type { Core } from '../../src/kernel/core.ts'
import { useFeatures } from '../../src/kernel/feature.ts'
import { openSigner } from '../../src/kernel/log/signer.ts'
import { bellhop, entryBy } from '../../src/kernel/model/audit-entry.ts'
import { openUpToDate } from '../../src/kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import type { Task } from '../../src/kernel/store/tasks.ts'
import { ticks } from '../../src/lib/clock.ts'

/** Writes entries, numbers them and streams them, until it is killed; the last life of all ends when all is given. */
const { database, rule, isLast } = JSON.parse(process.argv[2] ?? '{}') as {
  database: { url?: string; dataDir: string }
  rule: object
  isLast: boolean
}
useFeatures(features)
const db = await openUpToDate(database)
const store = createStore(db, { now: Date.now })
const signer = await openSigner({ dataDir: database.dataDir }, store.auditTree)
const core = {
  ...{ store, secretOf: () => 'token', ticks, version: '1' },
  ...{ policy: { sections: { stream: rule } }, now: () => 0 },
} as unknown as Core
const give = features.find(({ name }) => name === 'stream')?.tasks?.stream
/** True when there is more: the task is due again at once. */
const streamOn = async () => (await give?.(core, { doc: { id: '' } } as Task)) === 0
process.stdout.write('started\n')
for (let n = 0; !isLast; n += 1) {
  for (let at = 0; at < 20; at += 1) {
    await store.audit.append(entryBy(bellhop, 'asked', { command: 'refund', id: `c${n}` }, { n, at }))
  }
  await store.auditTree.sequence(signer)
  await streamOn().catch(() => undefined)
}
for (let isMore = true; isMore; ) isMore = await streamOn().catch(() => true)
await store.auditTree.sequence(signer)
for (let isMore = true; isMore; ) isMore = await streamOn().catch(() => true)
const { base, frontier } = await store.auditTree.state()
process.stdout.write(`entries ${base + frontier.size}\n`)
await db.close()
