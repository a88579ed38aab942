import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../src/kernel/store/store.ts'
import { DatabaseError } from '../../src/lib/sql/database.ts'
import { textOf } from '../discord/fake/person.ts'
import { channels as discordChannels, openDiscordHarness } from '../discord/harness.ts'
import { until } from '../harness/until.ts'
import { openSlackHarness, channels as slackChannels } from '../slack/harness.ts'

const down = async () => {
  throw new DatabaseError('down', 'The plug is out')
}

/** Nothing can be stored until it is undone. */
const unplug = (store: Store): (() => void) => {
  const { tx } = store
  store.tx = down
  return () => {
    store.tx = tx
  }
}

describe.each(['http', 'socket'] as const)('Slack over %s', async (over) => {
  const { sam, fay, app, store, fake } = await openSlackHarness({ over })
  const { general, approvals } = slackChannels
  const card = async (payment: string) => {
    await sam.types(`/refund ${payment} 60`, general)
    return until(() => fay.finds(payment, approvals))
  }

  it('a vote that could not be stored is acknowledged after its words', async () => {
    const on = await card('pay_1001')
    const plugIn = unplug(store)
    await fay.clicks('Approve', { on })
    expect(fay.sees(approvals).join()).toContain('nothing was done')
    plugIn()
  })

  it('a vote whose words reach nobody is not acknowledged', async () => {
    const on = await card('pay_1003')
    const plugIn = unplug(store)
    const refused = { status: 500 }
    fake.fail('response', ...Array.from({ length: 9 }, () => refused))
    for (const method of ['chat.postEphemeral', 'chat.postMessage'])
      fake.fail(method, ...Array(9).fill(refused))
    const acked = await fay.clicks('Approve', { on }).then(
      ({ status }) => status,
      () => 'no ack',
    )
    expect(acked).not.toBe(200)
    fake.state.faults.clear()
    plugIn()
  })

  it('a vote that is not stored in time is acknowledged after its words', async () => {
    const on = await card('pay_1004')
    const frozen = Promise.withResolvers<void>()
    const { get } = store.changes
    store.changes.get = async (id) => {
      await frozen.promise
      return get(id)
    }
    await fay.clicks('Approve', { on })
    expect(fay.sees(approvals).join()).toContain('Not counted yet')
    store.changes.get = get
    frozen.resolve()
    await app.drain()
  })

  it('a reason that is not stored in time stays in its form, which says so', async () => {
    const on = await card('pay_1005')
    await fay.clicks('Reject', { on })
    await until(() => fay.modal())
    // Bolt is loaded by the first event; that takes none of the time that is looked at here.
    await sam.mentions('bellhop help', general)
    const frozen = Promise.withResolvers<void>()
    onTestFinished(() => frozen.resolve())
    const { get } = store.changes
    store.changes.get = async (id) => {
      await frozen.promise
      return get(id)
    }
    await fay.submits({ Reason: 'Already refunded' })
    expect(Object.values(fay.modalErrors()).join()).toContain('Not counted yet')
    store.changes.get = get
    frozen.resolve()
    await app.drain()
  })

  it('a command that could not be stored is acknowledged with words, or after its answer', async () => {
    const { take } = app.bot.intake
    app.bot.intake.take = down
    const plugIn = unplug(store)
    const { body } = await sam.types('/refund pay_1006 60', general)
    expect(`${JSON.stringify(body)} ${sam.sees(general).join()}`).toContain('database cannot be reached')
    app.bot.intake.take = take
    plugIn()
  })
})

describe.each(['http', 'gateway'] as const)('Discord over %s', async (over) => {
  const { sam, fay, app, store, fake } = await openDiscordHarness({ over })
  const { general, approvals } = discordChannels
  const card = async (payment: string) => {
    await sam.slash(general, 'refund', { 'payment-id': payment, amount: 60 })
    return until(() => {
      const found = fake
        .seen(fay.id, approvals)
        .find((one) => textOf(one).includes(payment.replace('_', '\\_')))
      if (found === undefined) throw new Error('no card')
      return found
    })
  }
  const said = (original: string | undefined) => textOf(fake.state.messages.get(original ?? '') as never)

  it('a vote that could not be stored is acknowledged with its words', async () => {
    const on = await card('pay_1001')
    const plugIn = unplug(store)
    const pressed = await fay.press(on, 'Approve')
    expect(pressed.answered).toBe(4)
    expect(said(pressed.original)).toContain('nothing was done')
    plugIn()
  })

  it('a vote that is not stored in time is acknowledged with its words', async () => {
    const on = await card('pay_1003')
    const frozen = Promise.withResolvers<void>()
    const { get } = store.changes
    store.changes.get = async (id) => {
      await frozen.promise
      return get(id)
    }
    const pressed = await fay.press(on, 'Approve')
    expect(pressed.answered).toBe(4)
    expect(said(pressed.original)).toContain('Not counted yet')
    store.changes.get = get
    frozen.resolve()
    await app.drain()
  })

  it('a command that could not be stored is acknowledged with its words', async () => {
    const { take } = app.bot.intake
    app.bot.intake.take = down
    const plugIn = unplug(store)
    const asked = await sam.slash(general, 'refund', { 'payment-id': 'pay_1004', amount: 60 })
    expect(asked.answered).toBe(4)
    expect(said(asked.original)).toContain('database cannot be reached')
    app.bot.intake.take = take
    plugIn()
  })
})
