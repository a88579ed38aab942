import type { Change } from '../model/change.ts'
import {
  hookIdOf,
  type WebhookRule,
  wantsEvent,
  webhookBodyOf,
  webhookTask,
  webhookTypeOf,
} from '../model/webhook-events.ts'
import type { Store } from '../storage/store.ts'

/** Notes, in the transaction of a step, which hooks are to be told of it, and the task of telling them. */
export const oweWebhooks = async (
  { webhooks = [] }: { webhooks?: readonly WebhookRule[] },
  store: Store,
  change: Change,
): Promise<void> => {
  const type = webhookTypeOf(change.state)
  const hooks = webhooks.filter((hook) => wantsEvent(hook, type)).map(hookIdOf)
  if (hooks.length === 0) return
  const { id: changeId, version: n, updatedAt: at } = change
  const body = webhookBodyOf(change)
  await store.webhooks.owe(hooks.map((hook) => ({ hook, changeId, n, type, at, body })))
  await store.tasks.put(...hooks.map((hook) => webhookTask(hook, at)))
}
