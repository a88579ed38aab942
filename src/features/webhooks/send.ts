import { Webhook } from 'standardwebhooks'
import type { Core } from '../../kernel/core.ts'
import { after } from '../../lib/clock.ts'
import { namesPrivateHost } from '../../lib/codecs/public-address.ts'
import { lookupPublic } from '../../lib/http/lookup-public.ts'
import { retryAfterMsOf } from '../../lib/retry.ts'
import { HttpAgent, request } from '../../lib/undici.ts'
import { hookIdOf, type WebhookRule } from './event.ts'
import { hooksOf } from './section.ts'
import { createWebhooks, type QueuedEvent } from './store.ts'

/** Of how many changes a hook is told at the same time; of one change, one step after the other. */
const atOnce = 8
const answerWithinMs = 10_000

/** How long to wait after each time that a hook did not take what it was told; after the last, it is a dead letter. */
export const ownPausesMs: readonly number[] = [
  5_000,
  30_000,
  2 * 60_000,
  10 * 60_000,
  ...[1, 3, 6, 12, 24].map((hours) => hours * 3_600_000),
]
const pausesOf = ({ timings }: Pick<Core, 'timings'>): readonly number[] =>
  timings.pausesMs.webhooks ?? ownPausesMs

const publicOnly = new HttpAgent({
  connect: { lookup: lookupPublic, timeout: answerWithinMs },
  keepAliveTimeout: 5_000,
})
const anywhere = new HttpAgent({ connect: { timeout: answerWithinMs }, keepAliveTimeout: 5_000 })

/** Tells one hook what it is owed, and returns when there is more to tell. One process at a time does this for a hook. */
export const tellWebhook = async (core: Core, id: string): Promise<number | undefined> => {
  const { timings, now } = core
  const webhooks = core.store.of(createWebhooks)
  const hook = hooksOf(core.policy).find((one) => hookIdOf(one) === id)
  // What is owed to a hook that is no longer listed stays in the list until it is too old.
  if (hook === undefined) return undefined
  const until = after(core.ticks(), timings.leaseMs / 3)
  for (;;) {
    const due = await webhooks.due(id, now(), atOnce)
    if (due.length === 0) return webhooks.nextDue(id)
    const taken = await Promise.all(due.map((event) => tell(core, hook, event)))
    // Nobody takes anything there: the others would fare no better.
    if (!taken.includes(true))
      return Math.max((await webhooks.nextDue(id)) ?? 0, now() + (pausesOf(core)[0] ?? 0))
    if (core.ticks() > until) return now()
  }
}

/** True when it was taken, or given up. */
const tell = async (core: Core, hook: WebhookRule, event: QueuedEvent): Promise<boolean> => {
  const { now, count } = core
  const webhooks = core.store.of(createWebhooks)
  const answer = await post(core, hook, event)
  if (answer === undefined) {
    count({ kind: 'counted', metric: 'bellhop_webhooks_total', labels: { result: 'told' } })
    await webhooks.told(event)
    return true
  }
  const pauseMs = answer.isFinal ? undefined : pausesOf(core)[event.attempts]
  const isDead = pauseMs === undefined
  count({ kind: 'counted', metric: 'bellhop_webhooks_total', labels: { result: isDead ? 'dead' : 'failed' } })
  if (isDead)
    core.log.warn({ hook: event.hook, change: event.changeId, error: answer.error }, 'a webhook is given up')
  const dueAt = now() + Math.max(pauseMs ?? 0, answer.retryAfterMs ?? 0)
  await webhooks.failed(event, { dueAt, error: answer.error, isDead })
  return false
}

type NotTaken = { error: string; retryAfterMs?: number | undefined; isFinal?: boolean }

/** Undefined when it was taken. Redirects are not followed: who they lead to was not named in the file. */
const post = async (core: Core, hook: WebhookRule, event: QueuedEvent): Promise<NotTaken | undefined> => {
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
