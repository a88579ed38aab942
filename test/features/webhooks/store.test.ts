import fc from 'fast-check'
import { createWebhooks, type QueuedEvent, type Webhooks } from '../../../src/features/webhooks/store.ts'
import { asSet, eachIsAlike } from '../../storage/alike.ts'
import { by, removeFrom } from '../../storage/model.ts'

const time = fc.integer({ min: 0, max: 9 })
const soon = fc.integer({ min: 1, max: 3 })
const name = fc.constantFrom('a', 'b', 'c')
const change = fc.constantFrom('c0', 'c1', 'c2')
const none = fc.constant<unknown[]>([])

const hook = fc.constantFrom('h0', 'h1')
const event = fc.record({ hook, changeId: change, n: soon })
/** No two changes, nor two hooks, have one time: what comes first is never open. */
const newEvent = fc.tuple(event, time).map(([key, at]) => ({
  ...key,
  type: 'change.asked',
  at: at * 6 + Number(key.changeId[1]) * 2 + Number(key.hook[1]),
  body: '{}',
}))

/** What the store promises, in memory, without SQL. */
const createWebhookModel = (): Webhooks => {
  const all: QueuedEvent[] = []
  type Key = Pick<QueuedEvent, 'hook' | 'changeId' | 'n'>
  const isSame = (one: Key) => (other: Key) =>
    one.hook === other.hook && one.changeId === other.changeId && one.n === other.n
  const waiting = (hook: string) =>
    all.filter(
      (each) =>
        each.hook === hook &&
        !each.isDead &&
        !all.some((other) => other.hook === hook && other.changeId === each.changeId && other.n < each.n),
    )
  const inOrder = by<QueuedEvent>(
    ({ at }) => at,
    ({ changeId }) => changeId,
    ({ n }) => n,
  )
  return {
    enqueue: async (events) => {
      if (events.some((event) => all.some(isSame(event)))) throw new Error('taken')
      all.push(
        ...events.map((event) => ({ ...event, attempts: 0, dueAt: event.at, error: null, isDead: false })),
      )
    },
    due: async (hook, at, limit) =>
      waiting(hook)
        .filter(({ dueAt }) => dueAt <= at)
        .sort(
          by(
            ({ dueAt }) => dueAt,
            (each) => each.at,
          ),
        )
        .slice(0, limit)
        .map((each) => ({ ...each })),
    nextDue: async (hook) => {
      const times = waiting(hook).map(({ dueAt }) => dueAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    told: async (event) => {
      removeFrom(all, isSame(event))
    },
    failed: async (event, next) => {
      for (const each of all.filter(isSame(event)))
        Object.assign(each, { ...next, attempts: each.attempts + 1 })
    },
    queued: async () =>
      [...Map.groupBy(all, ({ hook }) => hook)].map(([hook, events]) => ({
        hook,
        queued: events.length,
        dead: events.filter(({ isDead }) => isDead).length,
        since: Math.min(...events.map(({ at }) => at)),
      })),
    dead: async (limit) =>
      all
        .filter(({ isDead }) => isDead)
        .sort(inOrder)
        .slice(0, limit)
        .map((each) => ({ ...each })),
    revive: async (at, changeId) => {
      const revived = all.filter(
        (each) => each.isDead && (changeId === undefined || each.changeId === changeId),
      )
      for (const each of revived) Object.assign(each, { isDead: false, attempts: 0, dueAt: at })
      return [...new Set(revived.map(({ hook }) => hook))]
    },
    prune: async (before) => removeFrom(all, ({ at }) => at < before),
  }
}

eachIsAlike('the store of webhooks does what the model of it does', {
  groups: [[['webhooks'], ['webhook_events']]],
  calls: {
    webhooks: {
      enqueue: fc.tuple(
        fc.uniqueArray(newEvent, {
          selector: (each) => `${each.hook} ${each.changeId} ${each.n}`,
          maxLength: 3,
        }),
      ),
      due: fc.tuple(
        hook,
        time.map((at) => at * 6),
        soon,
      ),
      nextDue: fc.tuple(hook),
      told: fc.tuple(event),
      failed: fc.tuple(
        event,
        fc.record({ dueAt: time.map((at) => at * 6), error: name, isDead: fc.boolean() }),
      ),
      queued: none,
      dead: fc.tuple(soon),
      revive: fc.oneof(fc.tuple(time), fc.tuple(time, change)),
      prune: fc.tuple(time),
    },
  },
  createModel: () => ({ webhooks: createWebhookModel() }),
  ofFeatures: { webhooks: createWebhooks },
  shown: { 'webhooks.queued': asSet, 'webhooks.revive': asSet },
})
