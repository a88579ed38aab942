import type { ChangeStep } from '../../kernel/feature.ts'
import type { Store } from '../../kernel/store/store.ts'
import { hookIdOf, wantsEvent, webhookBodyOf, webhookTask, webhookTypeOf } from './event.ts'
import { hooksOf } from './section.ts'
import { createWebhooks } from './store.ts'

/** Notes, in the transaction of a step, which hooks are to be told of it, and the task of telling them. */
export const enqueueWebhooks = async (tx: Store, { before, after, policy }: ChangeStep): Promise<void> => {
  if (after.state === before?.state) return
  const type = webhookTypeOf(after.state)
  const hooks = hooksOf(policy)
    .filter((hook) => wantsEvent(hook, type))
    .map(hookIdOf)
  if (hooks.length === 0) return
  const { id: changeId, version: n, updatedAt: at } = after
  const body = webhookBodyOf(after)
  await tx.of(createWebhooks).enqueue(hooks.map((hook) => ({ hook, changeId, n, type, at, body })))
  await tx.tasks.put(...hooks.map((hook) => webhookTask(hook, at)))
}
