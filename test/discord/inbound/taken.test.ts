import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../../harness/until.ts'
import { textOf } from '../fake/person.ts'
import type { FakeMessage } from '../fake/state.ts'
import { channels, openDiscordHarness } from '../harness.ts'

const { general, approvals } = channels

describe('what a person hands in', async () => {
  const harness = await openDiscordHarness()
  const { fake, sam, fay, app, store, sandbox, discord } = harness
  const taken = async () => (await store.tasks.pending()).intake ?? 0
  const { intake } = app.bot
  const { take } = intake
  const changesAbout = async (payment: string) =>
    (await store.changes.list({ limit: 20 })).filter(({ line }) => line.includes(payment))
  /** Stores what comes and does nothing for it, as a process does that dies then. */
  const dies = (): unknown[] => {
    const payloads: unknown[] = []
    intake.take = async (platform, delivery, what) => {
      payloads.push(structuredClone(what.payload))
      await take(platform, delivery, what)
      return false
    }
    return payloads
  }

  it('a line is stored before anything is done for it, until it is answered', async () => {
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    sam.say(sam.direct, 'subscriber get ada@example.com')
    await until(async () => expect(await taken()).toBe(1))
    sandbox.clearFaults()
    await until(() => expect(sam.reads(sam.direct)).toContain('Ada Lindqvist'))
    await until(async () => expect(await taken()).toBe(0))
  })

  it('a line that a dead process had taken in is worked on by the next, and asks once', async () => {
    const payloads = dies()
    sam.say(sam.direct, 'refund pay_1001 60')
    await until(() => expect(payloads).toHaveLength(1))
    intake.take = take
    expect(await changesAbout('pay_1001')).toHaveLength(0)
    await discord.messenger.redeliver?.(payloads[0])
    await discord.messenger.redeliver?.(payloads[0])
    expect(await changesAbout('pay_1001')).toHaveLength(1)
  })

  it('a form that a dead process had acknowledged is worked on by the next, and asks once', async () => {
    const opened = await sam.slash(general, 'refund', { amount: 70 })
    const payloads = dies()
    void sam.submit(opened, { 'payment-id': 'pay_1003' }).catch(() => undefined)
    await until(() => expect(payloads).toHaveLength(1))
    intake.take = take
    await discord.messenger.redeliver?.(payloads[0])
    await discord.messenger.redeliver?.(payloads[0])
    expect(await changesAbout('pay_1003')).toHaveLength(1)
  })

  it('a form that cannot be stored in time says so, and nothing is done', async () => {
    const opened = await sam.slash(general, 'refund', { amount: 70 })
    const stored = Promise.withResolvers<void>()
    intake.take = async (...given) => {
      await stored.promise
      return take(...given)
    }
    await sam.submit(opened, { 'payment-id': 'pay_1004' })
    intake.take = take
    stored.resolve()
    await until(() => expect(sam.reads(general)).toContain('was not taken in'))
    await until(async () => expect(await taken()).toBe(0))
    expect(await changesAbout('pay_1004')).toHaveLength(0)
  })

  it('a look-up asks its service while it is being stored, and shows nothing before', async () => {
    const stored = Promise.withResolvers<void>()
    intake.take = async (...given) => {
      await stored.promise
      return take(...given)
    }
    // Of whoever is not there the nearest is looked for too, once nobody is found.
    const asked = () => sandbox.wire.filter(({ row }) => row === 'getSubscriber').length
    const before = asked()
    const answered = sam.slash(general, 'subscriber get', { who: 'milo@example.com' })
    await until(() => expect(asked()).toBe(before + 1))
    await wait(100)
    expect(sam.reads(general)).not.toContain('milo@example.com')
    intake.take = take
    stored.resolve()
    await answered
    await until(() => expect(sam.reads(general)).toContain('milo@example.com'))
    expect(asked()).toBe(before + 1)
  })

  it('a press that is not stored in time says so, and counts when it is pressed again', async () => {
    await sam.slash(general, 'refund', { 'payment-id': 'pay_1005', amount: 60 })
    const cards = () => fake.seen(fay.id, approvals).filter((one) => textOf(one).includes('pay\\_1005'))
    await until(() => expect(cards()).toHaveLength(1))
    const [card] = cards() as [FakeMessage]
    await until(async () => expect(await store.tasks.pending()).not.toHaveProperty('cards'))
    const { get } = store.changes
    const frozen = Promise.withResolvers<void>()
    store.changes.get = async (id) => {
      await frozen.promise
      return get(id)
    }
    await fay.press(card, 'Approve')
    await until(() => expect(fay.reads(approvals)).toContain('Not counted yet'))
    store.changes.get = get
    await fay.press(card, 'Approve')
    await until(() => expect(textOf(card)).toMatch(/refunded/i))
    frozen.resolve()
    await app.drain()
    const posted = sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes('pay_1005'))
    expect(posted).toHaveLength(1)
  })

  it('a command whose store stands still after it was stored shows that work goes on', async () => {
    const { append } = store.audit
    const frozen = Promise.withResolvers<void>()
    store.audit.append = async (entry) => {
      await frozen.promise
      return append(entry)
    }
    await sam.slash(general, 'subscriber get', { who: 'ada@example.com' })
    await until(() => expect(sam.reads(general)).toContain('Working on it'))
    frozen.resolve()
    store.audit.append = append
    await until(() => expect(sam.reads(general)).toContain('Ada Lindqvist'))
    expect(sam.reads(general)).not.toContain('Working on it')
  })
})
