import { beforeEach, describe, expect, it } from 'vitest'
import { type House, openHouse, refusalOf } from './house.ts'

let house: House

beforeEach(async () => {
  house = await openHouse({ tasks: false })
})

const freeze = async (area = 'billing') => {
  const change = await house.ask(`freeze ${area} --reason "month end"`, 'fay')
  expect(await house.click('confirm', change, 'fay')).toMatchObject({ state: 'applied' })
}

describe('a freeze', () => {
  it('stops a change when it is asked for, and says who froze it, why, and how it ends', async () => {
    await freeze()
    const refused = refusalOf(await house.say(`refund ${house.payment()} 60`))
    expect(refused).toMatchObject({
      code: 'frozen',
      message: 'The billing changes are frozen by Fay Finance: month end.',
      next: expect.stringContaining('unfreeze billing'),
    })
  })
  it('stops a vote, and the change goes on waiting', async () => {
    const change = await house.ask(`refund ${house.payment()} 60`)
    await freeze()
    expect((await house.refusedClick('approve', change, 'finn')).code).toBe('frozen')
    expect(await house.stored(change)).toMatchObject({ state: 'pending', votes: [] })
  })
  it('does not stop anybody from taking a change back or rejecting it', async () => {
    const change = await house.ask(`refund ${house.payment()} 60`)
    const other = await house.ask(`refund ${house.payment()} 60`)
    await freeze()
    expect(await house.click('cancel', change)).toMatchObject({ state: 'cancelled' })
    expect(await house.click('reject', other, 'finn', 'frozen anyway')).toMatchObject({ state: 'rejected' })
  })
  it('stops a change that was approved just before it', async () => {
    const change = await house.ask(`refund ${house.payment()} 60`)
    // The vote of a process that died before it could claim.
    const stored = await house.stored(change)
    const by = { ...stored.requester, person: 'fay', name: 'Fay Finance', account: 'fay', roles: ['finance'] }
    const votes = [{ by, at: Date.now(), digest: stored.digest }]
    await house.store.changes.swap({ ...stored, votes, state: 'approved', version: stored.version + 1 })
    await house.store.tasks.put({ kind: 'apply', key: 'apply:again', doc: { id: change.id }, dueAt: 0 })
    await freeze()
    await house.app.drain()
    expect(await house.stored(change)).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('frozen by Fay Finance') },
    })
    expect(house.effects()).toEqual([])
  })
  it('stops a change that is being prepared again when it comes', async () => {
    const change = await house.ask('subscriber update ada@example.com --company Acme')
    house.sandbox.wire.length = 0
    house.sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 300 })
    const pressed = house.click('confirm', change)
    await expect.poll(() => house.sandbox.wire.length, { interval: 5 }).toBeGreaterThan(0)
    await house.store.freezes.set({ area: 'email', by: 'fay', name: 'Fay', reason: 'now', at: Date.now() })
    expect(await pressed).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('frozen') },
    })
    expect(house.effects()).toEqual([])
  })
  it('of one service leaves the others alone, and of all of them stops every one', async () => {
    await freeze('billing')
    const update = 'subscriber update ada@example.com --company'
    expect(await house.ask(`${update} One`)).toMatchObject({ state: 'pending' })
    await freeze('all')
    expect(refusalOf(await house.say(`${update} Two`)).code).toBe('frozen')
  })
  it('never stops look-ups, nor the way out of it', async () => {
    await freeze('all')
    expect((await house.say('subscriber get ada@example.com')).kind).toBe('answer')
    const unfreeze = await house.ask('unfreeze all', 'fay')
    await house.click('confirm', unfreeze, 'fay')
    expect(await house.ask(`refund ${house.payment()} 60`)).toMatchObject({ state: 'pending' })
  })
})
