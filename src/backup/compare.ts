import { createLogMemory } from '../audit/memory.ts'
import { sequenceAll } from '../audit/sequencer.ts'
import { isKey, type KeySource, keysAt, signerOf } from '../audit/signer.ts'
import { type Verdict, verify } from '../audit/verify.ts'
import { witnessesOf } from '../core/witnesses.ts'
import type { Policy } from '../policy/policy.ts'
import type { Store } from '../storage/store.ts'

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
  const witnesses = policy === undefined ? [] : witnessesOf({ policy, messengers: new Map() })
  const outside = own.ok ? await verify(store, { ...about, remembered: memory.recall(), witnesses }) : own
  if (own.ok && hasKey && signer.follow(key)) {
    await sequenceAll(store.auditTree, signer)
    const newest = await store.auditTree.checkpoint()
    // The log as it is now is what this place remembers from here on.
    if (newest !== undefined) memory.replace(newest.note)
  }
  return { own, outside, hasKey, key }
}
