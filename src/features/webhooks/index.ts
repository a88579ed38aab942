import { z } from 'zod'
import { changesSeen } from '../../kernel/actors/delegates.ts'
import { defineFeature, taskOf } from '../../kernel/feature.ts'
import { enqueueWebhooks } from './enqueue.ts'
import { hookIdOf, webhookTask } from './event.ts'
import { hooksOf, webhooksSection } from './section.ts'
import { tellWebhook } from './send.ts'
import { createWebhooks, webhookTables } from './store.ts'

const maxDeadShown = 50
const keptMs = 30 * 24 * 3_600_000

/** Each step of a change, told to the addresses that bellhop.yml lists. */
export const webhooks = defineFeature({
  name: 'webhooks',
  policy: webhooksSection,
  tables: webhookTables,
  tasks: { webhook: taskOf(z.object({ id: z.string() }), (core, { id }) => tellWebhook(core, id)) },
  onStep: enqueueWebhooks,
  returns: { webhook_events: { stays: 'what hooks are owed: what comes twice has one id' } },
  metrics: [
    {
      name: 'bellhop_webhooks_total',
      help: 'Attempts to tell a webhook, by what came of them',
      labels: ['result'],
    },
  ],
  prune: (store, now) => store.of(createWebhooks).prune(now - keptMs),
  records: (core, actor) => ({
    /** Those of the policy, and others that are still owed something, each with how much. */
    list: async () => {
      const queued = await core.store.of(createWebhooks).queued()
      const listed = hooksOf(core.policy).map((hook) => ({ ...hook, id: hookIdOf(hook) }))
      const gone = queued
        .filter(({ hook }) => listed.every(({ id }) => id !== hook))
        .map(({ hook }) => ({ id: hook, url: undefined, events: [] }))
      return [...listed, ...gone].map(({ id, url, events }) => {
        const found = queued.find(({ hook }) => hook === id)
        return { id, url, events, queued: found?.queued ?? 0, dead: found?.dead ?? 0, since: found?.since }
      })
    },
    /** Dead letters about changes that the actor may see, the oldest first. */
    dead: async () => {
      const dead = await core.store.of(createWebhooks).dead(maxDeadShown)
      const seen = await changesSeen(
        core,
        actor,
        dead.map(({ changeId }) => changeId),
      )
      return dead.filter(({ changeId }) => seen.some(({ id }) => id === changeId))
    },
  }),
  acts: ({ store, now, wake }) => ({
    /** Tries dead letters again, of one change or of all. */
    resend: async (changeId?: string) => {
      await store.tx(async (tx) => {
        const hooks = await tx.of(createWebhooks).revive(now(), changeId)
        if (hooks.length > 0) await tx.tasks.put(...hooks.map((hook) => webhookTask(hook, now())))
      })
      wake()
    },
  }),
})
