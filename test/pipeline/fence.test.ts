import { expect, it } from 'vitest'
import { transition } from '../../src/kernel/change/transition.ts'
import { ok } from '../../src/lib/result.ts'
import { eachEngine } from '../harness/database.ts'
import { type Harness, openHarness } from './harness.ts'

/** Runs something in the moment before the process asks the store whether the claim is still its own. */
const beforeSending = (harness: Harness, work: () => Promise<unknown>): void => {
  const { leases } = harness.app.core.store
  const { renew } = leases
  leases.renew = async (...given) => {
    leases.renew = renew
    await work()
    return renew(...given)
  }
}

/** As another replica does it when the process has not shown itself for too long. */
const giveUp = async (harness: Harness, id: string): Promise<void> => {
  const { core } = harness.app
  await core.store.leases.release(`claim:${id}`, core.process)
  const given = await transition(core, id, async () => ok({ kind: 'lost', message: 'It died.', at: 1 }))
  expect(given.ok).toBe(true)
}

eachEngine('a process that was given up', (engine) => {
  it('sends nothing when it wakes, and says so on the card of the unknown change', async () => {
    const harness = await openHarness({ engine })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    beforeSending(harness, () => giveUp(harness, change.id))
    await harness.click('confirm', change)
    expect(harness.effects('refundPayment')).toHaveLength(0)
    const stored = await harness.stored(change)
    expect(stored.state).toBe('unknown')
    expect(stored.outcome?.message).toContain('Nothing was sent to the billing service')
  })

  it('sends nothing of the bot’s own memory either', async () => {
    const harness = await openHarness({ engine })
    await harness.ask('freeze billing --reason "quarter end"', 'finn')
    const change = await harness.ask('unfreeze billing', 'finn')
    beforeSending(harness, () => giveUp(harness, change.id))
    await harness.click('confirm', change, 'finn')
    expect(await harness.store.freezes.all()).toHaveLength(1)
  })

  it('keeps its claim when it shows itself in time: nobody can give up what was just renewed', async () => {
    const timings = { heartbeatMs: 30, lifeMs: 60_000 }
    const harness = await openHarness({ engine, timings })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    const { core } = harness.app
    beforeSending(harness, async () => {
      await core.store.leases.renew(`claim:${change.id}`, core.process, 60_000)
      expect(await core.store.leases.end(`claim:${change.id}`)).toBe(false)
    })
    expect(await harness.click('confirm', change)).toMatchObject({ state: 'applied' })
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })
})
