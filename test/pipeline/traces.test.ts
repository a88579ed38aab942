import { expect, test } from 'vitest'
import { claimLeaseOf } from '../../src/kernel/claims/claim-lease.ts'
import { openHarness } from './harness.ts'

test('a change that ended leaves no claim behind', async () => {
  const { ask, click, payment, store } = await openHarness({ tasks: false })
  const change = await ask(`refund ${payment()} 60`)
  expect((await click('approve', change, 'fay')).state).toBe('applied')
  expect(await store.leases.holder(claimLeaseOf(change.id))).toBeNull()
})

test('a vote on one’s own request is on record, with who tried it from where', async () => {
  const { ask, refusedClick, payment, store } = await openHarness({ tasks: false })
  const change = await ask(`refund ${payment()} 60`)
  const { code } = await refusedClick('approve', change, 'sam')
  const [entry] = (await store.audit.find({ changeId: change.id, limit: 9 })).filter(
    ({ kind }) => kind === 'refused',
  )
  expect(entry).toMatchObject({ who: 'sam', platform: 'terminal', doc: { code, account: 'sam' } })
})
