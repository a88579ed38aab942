import { beforeEach, describe, expect, it } from 'vitest'
import { type Harness, openHarness, refusalOf } from './harness.ts'

let harness: Harness

beforeEach(async () => {
  harness = await openHarness({ tasks: false })
})

const freeze = async (area = 'billing') => {
  expect(await harness.ask(`freeze ${area} --reason "month end"`, 'fay')).toMatchObject({ state: 'applied' })
}

describe('a freeze', () => {
  it('is in force at once, whatever the rules hold back', async () => {
    const policy = `version: 1
people: [{ id: fay, name: Fay, roles: [finance] }]
roles: { finance: { run: ["*"], approve: ["*"] } }
policies: [{ name: slowly, commands: ["*"], require: [confirm], hold: 10m }]
`
    const { say, store } = await openHarness({ tasks: false, policy })
    await say('freeze billing --reason "month end"', 'fay')
    expect(await store.freezes.all()).toMatchObject([{ area: 'billing' }])
    expect(refusalOf(await say('refund pay_1001 10', 'fay')).code).toBe('frozen')
  })
  it('stops a change when it is asked for, and says who froze it, why, and how it ends', async () => {
    await freeze()
    const refused = refusalOf(await harness.say(`refund ${harness.payment()} 60`))
    expect(refused).toMatchObject({
      code: 'frozen',
      message: 'The billing changes are frozen by Fay Finance: month end.',
      next: expect.stringContaining('unfreeze billing'),
    })
  })
  it('stops a vote, and the change goes on waiting', async () => {
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const small = await harness.ask(`refund ${harness.payment()} 20`)
    await freeze()
    expect((await harness.refusedClick('approve', change, 'finn')).code).toBe('frozen')
    expect((await harness.refusedClick('confirm', small)).code).toBe('frozen')
    for (const one of [change, small])
      expect(await harness.stored(one)).toMatchObject({ state: 'pending', votes: [] })
  })
  it('does not stop anybody from taking a change back or rejecting it', async () => {
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const other = await harness.ask(`refund ${harness.payment()} 60`)
    await freeze()
    expect(await harness.click('cancel', change)).toMatchObject({ state: 'cancelled' })
    expect(await harness.click('reject', other, 'finn', 'frozen anyway')).toMatchObject({ state: 'rejected' })
  })
  it('stops a change that was approved just before it', async () => {
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    // The vote of a process that died before it could claim.
    const stored = await harness.stored(change)
    const by = { ...stored.requester, person: 'fay', name: 'Fay Finance', account: 'fay', roles: ['finance'] }
    const votes = [{ by, at: Date.now(), digest: stored.digest }]
    await harness.store.changes.swap({ ...stored, votes, state: 'approved', version: stored.version + 1 })
    await harness.store.tasks.put({ kind: 'apply', key: 'apply:again', doc: { id: change.id }, dueAt: 0 })
    await freeze()
    await harness.app.drain()
    expect(await harness.stored(change)).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('frozen by Fay Finance') },
    })
    expect(harness.effects()).toEqual([])
  })
  it('stops a change that is being prepared again when it comes', async () => {
    const change = await harness.ask('subscriber update ada@example.com --company Acme')
    harness.sandbox.wire.length = 0
    harness.sandbox.fault({ service: 'email', method: 'GET', kind: 'delay', ms: 300 })
    const pressed = harness.click('confirm', change)
    await expect.poll(() => harness.sandbox.wire.length, { interval: 5 }).toBeGreaterThan(0)
    await harness.store.freezes.set({ area: 'email', by: 'fay', name: 'Fay', reason: 'now', at: Date.now() })
    expect(await pressed).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('frozen') },
    })
    expect(harness.effects()).toEqual([])
  })
  it('of one service leaves the others alone, and of all of them stops every one', async () => {
    await freeze('billing')
    const update = 'subscriber update ada@example.com --company'
    expect(await harness.ask(`${update} One`)).toMatchObject({ state: 'pending' })
    await freeze('all')
    expect(refusalOf(await harness.say(`${update} Two`)).code).toBe('frozen')
  })
  it('never stops look-ups, nor the way out of it', async () => {
    await freeze('all')
    expect((await harness.say('subscriber get ada@example.com')).kind).toBe('answer')
    const unfreeze = await harness.ask('unfreeze all', 'fay')
    await harness.click('confirm', unfreeze, 'fay')
    expect(await harness.ask(`refund ${harness.payment()} 60`)).toMatchObject({ state: 'pending' })
  })
  it('is done as it is asked, is in the log with who and why, and is told to whoever wants it again', async () => {
    await freeze()
    const entries = await harness.store.audit.find({ command: 'freeze', limit: 10 })
    expect(entries.map(({ kind }) => kind).toSorted()).toEqual(['applied', 'asked', 'claimed'])
    expect(entries.find(({ kind }) => kind === 'asked')).toMatchObject({
      name: 'Fay Finance',
      doc: { line: 'freeze billing --reason "month end"' },
    })
    const again = refusalOf(await harness.say('freeze billing --reason "another"', 'fay'))
    expect(again).toMatchObject({
      code: 'nothing_to_change',
      message: 'Billing changes were already frozen by Fay Finance: month end.',
      actions: [{ verb: 'unfreeze', id: 'billing' }],
    })
    expect(await harness.store.freezes.all()).toMatchObject([{ reason: 'month end' }])
  })
  it.each([
    ['approve', 'finn'],
    ['change', 'finn'],
    ['change', 'sam'],
  ] as const)(
    'tells whoever presses %s of before what is frozen, and offers what ends it',
    async (verb, who) => {
      const change = await harness.ask(`refund ${harness.payment()} 60`)
      await freeze()
      const refused = await harness.refusedClick(verb, change, who)
      expect(refused).toMatchObject({
        message: 'The billing changes are frozen by Fay Finance: month end.',
        actions: [{ verb: 'unfreeze', id: 'billing' }],
      })
      // The card that was pressed no longer has what was refused.
      expect(await harness.stored(change)).toMatchObject({ frozen: { area: 'billing', reason: 'month end' } })
    },
  )
})
