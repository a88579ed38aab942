import type { Core } from '../core/core.ts'
import { receiverName, streamOn } from '../core/stream.ts'

const everyMs = 1_000

/** One task, so that of all replicas one gives the entries out at a time. */
export const scheduleStream = async ({ policy, store, now }: Core): Promise<void> => {
  if (policy.stream === null) return
  const doc = { id: receiverName(policy.stream) }
  await store.tasks.put({ kind: 'stream', key: 'stream', doc, dueAt: now() })
}

/** When to look again; never, once the policy has no stream. */
export const stream = async (core: Core): Promise<number | undefined> => {
  const { policy, now } = core
  if (policy.stream === null) return undefined
  return now() + ((await streamOn(core, policy.stream)) ? 0 : everyMs)
}
