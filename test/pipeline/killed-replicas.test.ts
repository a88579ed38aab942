import { describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/cli/start/app.ts'
import type { Messenger } from '../../src/kernel/messenger/messenger.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import type { Task } from '../../src/kernel/store/tasks.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { emptyTable } from '../storage/rows.ts'
import { account, changeOf, openUnseenHarness as openHarness } from './harness.ts'

const second = 1_000
const timings = { leaseMs: second, lifeMs: second, applyGraceMs: second }

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: cleo, name: Cleo Cfo, slack: U0CLEO, roles: [cfo] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
  cfo: { approve: [refund] }
policies:
  - { name: reminded, commands: [refund], amount: { upTo: 10 }, require: { approvals: 1, from: [finance] }, remind: [10s] }
  - { name: escalated, commands: [refund], amount: { upTo: 20 }, require: { approvals: 1, from: [finance] }, escalate: { after: 10s, to: [cfo] } }
  - { name: other, commands: [refund], require: { approvals: 1, from: [finance] } }
  - { name: own, commands: ["schedule *"], require: none }
`

/** How many steps a process still takes before it is killed. After that it reaches nothing any more. */
type Life = { left: number; end: PromiseWithResolvers<void>; isOver: boolean; hasUnstoredPost: boolean }

const step = (life: Life): void => {
  if (life.left-- > 0) return
  life.isOver = true
  life.end.resolve()
  throw new Error('killed')
}

/** Every call to the store is a step. */
const mortalStore = (store: Store, life: Life): Store => {
  const calls = (part: object): object =>
    new Proxy(part, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          step(life)
          const answer: unknown = await value.apply(target, given)
          const isStored = key === 'add' || (given[0] as Partial<Task>)?.kind === 'scheduled_post'
          // What was under way when it was killed may be stored after the others have looked.
          if (isStored && !life.isOver) life.hasUnstoredPost = false
          return answer
        }
      },
    })
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key === 'tx') {
        const tx: Store['tx'] = (work, durability) => {
          step(life)
          return target.tx((inner) => work(mortalStore(inner, life)), durability)
        }
        return tx
      }
      return typeof value === 'object' && value !== null ? calls(value) : value
    },
  })
}

const mortalMessenger = (messenger: Messenger, life: Life): Messenger => ({
  ...messenger,
  post: async (place, view, file) => {
    step(life)
    life.hasUnstoredPost = true
    return messenger.post(place, view, file)
  },
  edit: async (address, view) => {
    step(life)
    return messenger.edit(address, view)
  },
})

const open = async () => {
  const clock = { now: Date.UTC(2026, 10, 13, 11) }
  const now = () => clock.now
  // The clock moves only when nothing is under way, so nobody takes tasks by themselves.
  const harness = await openHarness({ policy, now, timings, started: false, tasks: false })
  const slack = { ...createFakeMessenger('slack'), mayRead: async () => true }
  harness.app.join(slack)
  const replica = (life?: Life, tasks = false): App => {
    const { core } = harness.app
    const app = createApp({
      ...core,
      now,
      timings,
      tasks,
      store: life === undefined ? core.store : mortalStore(core.store, life),
    })
    app.join(life === undefined ? slack : mortalMessenger(slack, life))
    return app
  }
  const say = (id: string, channel: string, line: string) =>
    harness.handle({
      from: account('slack', id),
      place: { channel, handle: null, direct: false },
      intent: { kind: 'line', line },
    })
  const ask = async (channel: string, line: string) => {
    const change = changeOf(await say('U0SAM', channel, line))
    await harness.app.drain()
    return change
  }

  /**
   * One of four replicas takes the work that is due and is killed at its first step, in the next round at its second, and
   * so on until it lives to the end; the others go on. `prepare` makes work that is due in ten seconds, `judge` looks at it.
   */
  const atEveryStep = async <T>(
    prepare: (channel: string) => Promise<T>,
    judge: (made: T, channel: string, most: number) => Promise<void>,
  ): Promise<number> => {
    for (let steps = 0; ; steps++) {
      const channel = `C${steps}`
      const made = await prepare(channel)
      const life: Life = {
        left: steps,
        end: Promise.withResolvers(),
        isOver: false,
        hasUnstoredPost: false,
      }
      clock.now += 10 * second
      const killed = replica(life)
        .drain()
        .catch(() => undefined)
      await Promise.race([killed, life.end.promise])
      const others = [replica(), replica(), replica()]
      for (let round = 0; round < 2; round++) {
        clock.now += 2 * second
        await Promise.all(others.map((other) => other.drain()))
      }
      // A messenger cannot be asked whether it got a message whose sender died before its answer came.
      await judge(made, channel, life.isOver && life.hasUnstoredPost ? 2 : 1)
      if (!life.isOver) return steps
    }
  }
  const kindsOf = async (id: string) =>
    (await harness.store.audit.find({ changeId: id, limit: 50 })).map(({ kind }) => kind).reverse()
  return { harness, slack, clock, say, ask, atEveryStep, kindsOf, replica }
}

const expectOnce = (texts: readonly string[], most: number) => {
  expect(texts.length).toBeGreaterThanOrEqual(1)
  expect(texts.length).toBeLessThanOrEqual(most)
}

describe('four replicas, of which one is killed at any step', () => {
  it.each([
    ['reminder', 10, 'reminded', /^Reminder/],
    ['escalation', 20, 'escalated', /^Escalated to cfo/],
  ])('make each %s once', async (_, amount, kind, words) => {
    const { harness, slack, ask, atEveryStep, kindsOf } = await open()
    const steps = await atEveryStep(
      (channel) => ask(channel, `refund ${harness.payment()} ${amount}`),
      async ({ id }, channel, most) => {
        expect(await kindsOf(id)).toEqual(['asked', kind])
        expectOnce(
          slack.shown(channel).filter((text) => words.test(text)),
          most,
        )
      },
    )
    expect(steps).toBeGreaterThan(5)
  })

  it('carry out once what was asked for this time, or say that nobody knows', async () => {
    const { harness, say, ask, atEveryStep, replica } = await open()
    const made: { change: Change; payment: string }[] = []
    const steps = await atEveryStep(
      async (channel) => {
        const payment = harness.payment()
        const change = await ask(channel, `refund ${payment} 100 --at "in 10s"`)
        await say('U0FAY', channel, `approval approve ${change.id}`)
        made.push({ change, payment })
      },
      async () => undefined,
    )
    // Whoever starts looks for what dead processes had begun.
    const finder = replica(undefined, true)
    await finder.start()
    await finder.stop(0)
    const ends = await Promise.all(
      made.map(async ({ change, payment }) => ({
        state: (await harness.stored(change)).state,
        sent: harness.effects('refundPayment').filter(({ path }) => path.endsWith(`/${payment}`)).length,
      })),
    )
    expect(steps).toBeGreaterThan(5)
    expect(new Set(ends.map(({ state }) => state))).toEqual(new Set(['applied', 'unknown']))
    for (const { state, sent } of ends) {
      expect(sent).toBeLessThanOrEqual(1)
      if (state === 'applied') expect(sent).toBe(1)
    }
  })

  it('make each scheduled run once, or say once that it was lost', async () => {
    const { harness, slack, say, atEveryStep } = await open()
    const said = new Set<string>()
    const steps = await atEveryStep(
      async (channel) => {
        await say('U0FAY', channel, `schedule create "away list" --every 10s --in ${channel}R`)
      },
      async (_, channel, most) => {
        // Between the kill and now, the others had time for this run alone.
        await emptyTable(harness.store, 'schedules')
        const texts = slack.shown(`${channel}R`)
        expectOnce(texts, most)
        said.add(texts[0]?.includes('did not take place') ? 'lost' : 'run')
      },
    )
    expect(steps).toBeGreaterThan(5)
    expect([...said].sort()).toEqual(['lost', 'run'])
  })
})
