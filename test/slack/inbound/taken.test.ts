import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general, approvals } = channels

describe('what a person hands in', async () => {
  const { sam, fay, wes, fake, sandbox, app, slack, counted } = await openSlackHarness()
  const { store } = app.core
  const taken = async () => (await store.tasks.pending()).intake ?? 0
  const open = async (line: string) => {
    const before = fake.state.modals.length
    await sam.types(line, general)
    await until(() => expect(fake.state.modals.length).toBeGreaterThan(before))
  }

  test('a form is stored when it is acknowledged, until it is answered', async () => {
    await open('/subscriber get')
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    await sam.submits({ Who: 'ada@example.com' })
    expect(await taken()).toBe(1)
    sandbox.clearFaults()
    await until(() => sam.finds('Ada Lindqvist', general))
    await until(async () => expect(await taken()).toBe(0))
  })

  test('a look-up asks its service while it is being stored, and is acknowledged and answered after that', async () => {
    const { take } = app.bot.intake
    const stored = Promise.withResolvers<void>()
    app.bot.intake.take = async (...given) => {
      await stored.promise
      return take(...given)
    }
    // Of whoever is not there the nearest is looked for too, once nobody is found.
    const asked = () => sandbox.wire.filter(({ row }) => row === 'getSubscriber').length
    const before = asked()
    let isAcknowledged = false
    const typed = sam.types('/subscriber get milo@example.com', general).then(() => {
      isAcknowledged = true
    })
    await until(() => expect(asked()).toBe(before + 1))
    await wait(100)
    expect(isAcknowledged).toBe(false)
    expect(sam.sees(general).join()).not.toContain('milo@example.com')
    app.bot.intake.take = take
    stored.resolve()
    await typed
    await until(() => sam.finds('milo@example.com', general))
    expect(asked()).toBe(before + 1)
  })

  test('a form that a dead process had acknowledged asks for its change once', async () => {
    const payloads: unknown[] = []
    const { intake } = app.bot
    const { take } = intake
    intake.take = (platform, delivery, what) => {
      payloads.push(what.payload)
      return take(platform, delivery, what)
    }
    await open('/refund')
    await sam.submits({ Payment: 'pay_1001', Amount: '60' })
    intake.take = take
    await until(() => fay.finds('pay_1001', approvals))
    const submitted = payloads.find((payload) => (payload as { type?: string }).type === 'view_submission')
    await slack.messenger.redeliver?.(submitted)
    await app.drain()
    expect(await store.changes.list({ limit: 9 })).toHaveLength(1)
  })

  test('a form that a dead process had not worked on is answered by the next', async () => {
    await open('/refund')
    const [modal] = fake.state.modals.filter(({ user }) => user === sam.id)
    const { take } = app.bot.intake
    let payload: unknown
    // Dies between storing and working.
    app.bot.intake.take = async (platform, delivery, what) => {
      payload = what.payload
      await take(platform, delivery, what)
      return false
    }
    await sam.submits({ Payment: 'pay_1003', Amount: '70' })
    app.bot.intake.take = take
    expect(modal).toBeDefined()
    await slack.messenger.redeliver?.(payload)
    await until(() => fay.finds('pay_1003', approvals))
  })

  test('a press that asks for something is stored when it is acknowledged, and answered by the next process when its own dies', async () => {
    await sam.types('/bellhop transaction find cus_1007', general)
    await until(() => sam.finds('INV-509', general))
    await sam.types('/bellhop please refund 65 of pay_1009', general)
    const offer = await until(() => sam.finds('[Ask finance] [Change it]', general))
    const { take } = app.bot.intake
    let payload: unknown
    app.bot.intake.take = async (platform, delivery, what) => {
      payload = what.payload
      await take(platform, delivery, what)
      return false
    }
    await sam.clicks('Ask finance', { on: offer })
    app.bot.intake.take = take
    expect(payload).toMatchObject({ type: 'block_actions' })
    expect(await taken()).toBe(1)
    await slack.messenger.redeliver?.(payload)
    await until(() => fay.finds('pay_1009', approvals))
    await until(async () => expect(await taken()).toBe(0))
  })

  test('a form that cannot be stored in time stays open and says so, and nothing is done', async () => {
    await open('/refund')
    const { take } = app.bot.intake
    const stored = Promise.withResolvers<void>()
    app.bot.intake.take = async (...given) => {
      await stored.promise
      return take(...given)
    }
    await sam.submits({ Payment: 'pay_1004', Amount: '60' })
    app.bot.intake.take = take
    stored.resolve()
    expect(Object.values(sam.modalErrors())).toEqual([expect.stringContaining('Send it again')])
    await until(async () => expect(await taken()).toBe(0))
    const changes = await store.changes.list({ limit: 9 })
    expect(changes.filter(({ line }) => line.includes('pay_1004'))).toEqual([])
    await sam.submits({ Payment: 'pay_1004', Amount: '60' })
    await until(() => fay.finds('pay_1004', approvals))
  })

  test('a form that was not stored in time counts once when it is sent again while the first is still being stored', async () => {
    await open('/refund')
    const { take } = app.bot.intake
    const slow = Promise.withResolvers<void>()
    app.bot.intake.take = async (...given) => {
      await slow.promise
      return take(...given)
    }
    await sam.submits({ Payment: 'pay_1005', Amount: '60' })
    app.bot.intake.take = take
    const again = sam.submits({ Payment: 'pay_1005', Amount: '60' })
    slow.resolve()
    await again
    await until(() => fay.finds('pay_1005', approvals))
    await app.drain()
    const changes = await store.changes.list({ limit: 9 })
    expect(changes.filter(({ line }) => line.includes('pay_1005'))).toHaveLength(1)
  })

  test('a form of somebody who may not run it is not read: they are told that, whatever stands in it', async () => {
    await open('/refund')
    for (const modal of fake.state.modals) if (modal.user === sam.id) modal.user = wes.id
    const refused = await wes.submits({ Amount: '1.5' })
    expect(refused.body ?? {}).not.toHaveProperty('errors')
    const results = () => counted.flatMap((event) => (event.kind === 'command' ? event.result : []))
    await until(() => expect(results()).toContain('stranger'))
  })

  test('a shortcut is stored when it is acknowledged, and its message is read only for those who may look', async () => {
    sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 60_000 })
    await sam.looksUp('write to ada@example.com', general)
    expect(await taken()).toBe(1)
    sandbox.clearFaults()
    await until(async () => expect(await taken()).toBe(0))
    const before = wes.answers(general).length
    await wes.looksUp('no address here', general)
    await until(() => expect(wes.answers(general).length).toBeGreaterThan(before))
    expect(wes.sees(general).at(-1)).toContain('not linked to anybody')
  })
})

describe('a store that stands still', async () => {
  const { sam, fay, app, sandbox } = await openSlackHarness()
  const { store } = app.core

  test('a press that is not stored in time says so, and counts when it is pressed again', async () => {
    await sam.types('/refund pay_1001 60', general)
    const card = await until(() => fay.finds('[Approve]', approvals))
    await until(async () => expect(await store.tasks.pending()).not.toHaveProperty('cards'))
    const { get } = store.changes
    const frozen = Promise.withResolvers<void>()
    store.changes.get = async (id) => {
      await frozen.promise
      return get(id)
    }
    await fay.clicks('Approve', { on: card })
    await until(() => fay.finds('Not counted yet', approvals))
    store.changes.get = get
    await fay.clicks('Approve', { on: card })
    await until(() => expect(card.text).toMatch(/refunded/i))
    frozen.resolve()
    await app.drain()
    expect(sandbox.wire.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test('a command whose store stands still after it was stored shows that work goes on', async () => {
    const { append } = store.audit
    const frozen = Promise.withResolvers<void>()
    store.audit.append = async (entry) => {
      await frozen.promise
      return append(entry)
    }
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => sam.finds('Working on it', general))
    frozen.resolve()
    store.audit.append = append
    await until(() => sam.finds('Ada Lindqvist', general))
  })
})
