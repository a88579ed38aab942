import { toldByFeatures } from '../../kernel/feature.ts'
import { createLogMemory } from '../../kernel/log/memory.ts'
import { sequenceAll } from '../../kernel/log/sequencer.ts'
import { isKey, type KeySource, keysAt, signerOf } from '../../kernel/log/signer.ts'
import { type Verdict, verify } from '../../kernel/log/verify.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import type { Store } from '../../kernel/store/store.ts'

/** What the log in a restored database says of itself, and what those outside say of it who kept checkpoints. */
export type Comparison = { own: Verdict; outside: Verdict; hasKey: boolean; key: string }

/** Before anything is added to the log: what was kept of it outside may be of more entries than it has. */
export const compareRestored = async (
  store: Store,
  { logKey, dataDir, policy }: { logKey: KeySource; dataDir: string; policy: Policy | undefined },
): Promise<Comparison> => {
  const { key } = await store.auditTree.state()
  const keys = keysAt(logKey)
  const hasKey = keys.some((one) => isKey(one, key))
  const signer = signerOf(() => keys)
  const memory = createLogMemory({ folder: dataDir, store, signer, warn: () => undefined })
  // No bot runs that would number what waits.
  const about = { now: 0 }
  const own = await verify(store, about)
  const compare = async (keys: readonly string[]) => {
    if (policy === undefined) return []
    const known = { store, policy, messengers: new Map() }
    return toldByFeatures(({ compareLog }) => compareLog?.(known, keys))
  }
  const outside = own.ok ? await verify(store, { ...about, remembered: memory.recall(), compare }) : own
  if (own.ok && hasKey && signer.follow(key)) {
    await sequenceAll(store.auditTree, signer)
    const newest = await store.auditTree.checkpoint()
    // The log as it is now is what this place remembers from here on.
    if (newest !== undefined) memory.replace(newest.note)
    memory.forgetSteps()
  }
  return { own, outside, hasKey, key }
}
