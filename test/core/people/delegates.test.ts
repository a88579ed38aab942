import { expect, it } from 'vitest'
import { delegatedVotes } from '../../../src/kernel/actors/delegates.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import type { Absence } from '../../../src/kernel/store/absences.ts'
import { changeIn, party } from '../../approvals/sample.ts'
import { policyOf } from '../../policy/example.ts'

const policy = policyOf(`version: 1
people:
  - { id: ann, name: Ann, slack: U0ANN, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: moe, name: Moe, slack: U0MOE, roles: [support] }
roles:
  support: { run: [refund] }
  finance: { approve: [refund], delegate: true }
`)
const fayAway = (to: string): Absence => ({ by: party('fay', { account: 'U0FAY' }), to, at: 0, endsAt: 9 })
const actor = (id: string) => ({ ...party(id, { roles: ['support'] }), known: true, groups: [] }) as never
const mayVote = async (person: string, absences: Absence[], over: Partial<Change> = {}) => {
  const { state = 'pending' } = over
  const store = { absences: { active: async () => absences } }
  const votes = await delegatedVotes({ policy, store } as never, actor(person))
  return votes(changeIn(state, { requester: party('ann', { account: 'U0ANN' }), ...over }))
}

it('somebody votes for who is away and named them, on what waits and on nothing that they stand behind', async () => {
  expect(await mayVote('moe', [fayAway('moe')])).toBe(true)
  expect(await mayVote('moe', [])).toBe(false)
  expect(await mayVote('moe', [fayAway('ann')])).toBe(false)
  expect(await mayVote('ann', [fayAway('ann')])).toBe(false)
  const changedBy = [party('moe', { account: 'U0MOE' })]
  expect(await mayVote('moe', [fayAway('moe')], { changedBy })).toBe(false)
  for (const state of ['unknown', 'applied', 'approved'] as const)
    expect(await mayVote('moe', [fayAway('moe')], { state }), state).toBe(false)
})
