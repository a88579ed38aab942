import { Webhook } from 'standardwebhooks'
import type { Core } from '../core/core.ts'
import { lookupPublic } from '../http/lookup-public.ts'
import { namesPrivateHost } from '../model/public-address.ts'
import { hookIdOf, type WebhookRule } from '../model/webhook-events.ts'
import { retryAfterMsOf } from '../retry.ts'
import type { OwedEvent } from '../storage/webhooks.ts'
import { HttpAgent, request } from '../undici.ts'

/** Of how many changes a hook is told at the same time; of one change, one step after the other. */
const atOnce = 8
const answerWithinMs = 10_000

const publicOnly = new HttpAgent({
  connect: { lookup: lookupPublic, timeout: answerWithinMs },
  keepAliveTimeout: 5_000,
})
const anywhere = new HttpAgent({ connect: { timeout: answerWithinMs }, keepAliveTimeout: 5_000 })

/** Tells one hook what it is owed, and returns when there is more to tell. One process at a time does this for a hook. */
export const tellWebhook = async (core: Core, id: string): Promise<number | undefined> => {
  const { store, timings, now } = core
  const hook = core.policy.webhooks.find((one) => hookIdOf(one) === id)
  // What is owed to a hook that is no longer listed stays in the list until it is too old.
  if (hook === undefined) return undefined
  const until = performance.now() + timings.leaseMs / 3
  for (;;) {
    const due = await store.webhooks.due(id, now(), atOnce)
    if (due.length === 0) return store.webhooks.nextDue(id)
    const taken = await Promise.all(due.map((event) => tell(core, hook, event)))
    // Nobody takes anything there: the others would fare no better.
    if (!taken.includes(true))
      return Math.max((await store.webhooks.nextDue(id)) ?? 0, now() + firstPause(core))
    if (performance.now() > until) return now()
  }
}

const firstPause = ({ timings }: Core): number => timings.webhookPausesMs[0] ?? 0

/** True when it was taken, or given up. */
const tell = async (core: Core, hook: WebhookRule, event: OwedEvent): Promise<boolean> => {
  const { store, now, timings, count } = core
  const answer = await post(core, hook, event)
  if (answer === undefined) {
    count({ kind: 'webhook', result: 'told' })
    await store.webhooks.told(event)
    return true
  }
  const pauseMs = answer.isFinal ? undefined : timings.webhookPausesMs[event.attempts]
  const isDead = pauseMs === undefined
  count({ kind: 'webhook', result: isDead ? 'dead' : 'failed' })
  if (isDead)
    core.log.warn({ hook: event.hook, change: event.changeId, error: answer.error }, 'a webhook is given up')
  const dueAt = now() + Math.max(pauseMs ?? 0, answer.retryAfterMs ?? 0)
  await store.webhooks.failed(event, { dueAt, error: answer.error, isDead })
  return false
}

type NotTaken = { error: string; retryAfterMs?: number | undefined; isFinal?: boolean }

/** Undefined when it was taken. Redirects are not followed: who they lead to was not named in the file. */
const post = async (core: Core, hook: WebhookRule, event: OwedEvent): Promise<NotTaken | undefined> => {
  const secret = core.secretOf(hook.secret.env)
  if (secret === undefined) return { error: `${hook.secret.env} is not set` }
  if (!hook.private && namesPrivateHost(new URL(hook.url).hostname)) return { error: 'a private address' }
  const id = `msg_${event.changeId}_${event.n}`
  const at = new Date(core.now())
  try {
    const { statusCode, headers, body } = await request(hook.url, {
      method: 'POST',
      dispatcher: hook.private ? anywhere : publicOnly,
      signal: AbortSignal.timeout(answerWithinMs),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'bellhop',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, event.body),
      },
      body: event.body,
    })
    // What is said in the answer is of no interest, however long it is.
    body.on('error', () => undefined).destroy()
    if (statusCode >= 200 && statusCode < 300) return undefined
    return {
      error: `answered ${statusCode}`,
      retryAfterMs: retryAfterMsOf(headers['retry-after'], core.now()),
      isFinal: statusCode === 410,
    }
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException
    return { error: code ?? (name === 'TimeoutError' ? 'no answer in time' : message) }
  }
}
