import { describe, expect, it } from 'vitest'
import { turnOf } from '../../../src/kernel/actors/turn.ts'
import type { Change, Clause } from '../../../src/kernel/model/change.ts'
import type { Absence } from '../../../src/kernel/store/absences.ts'
import { approvals, changeIn, party } from '../../approvals/sample.ts'
import { policyOf } from '../../policy/example.ts'

const policy = policyOf(`version: 1
people:
  - { id: ann, name: Ann, slack: U0ANN, roles: [support, finance] }
  - { id: fay, name: Fay, slack: U0FAY, discord: "400000000000000001", roles: [finance] }
  - { id: gil, name: Gil, slack: U0GIL, roles: [finance, mail] }
  - { id: lee, name: Lee, slack: U0LEE, roles: [legal] }
  - { id: moe, name: Moe, slack: U0MOE, roles: [mail] }
groups:
  slack: { S0FIN: [finance], S0MAIL: [mail], S0BOTH: [support, finance, legal] }
roles:
  support: { run: [refund] }
  finance: { approve: [refund], delegate: true }
  legal: { approve: [refund] }
  mail: { approve: ["campaign *"] }
`)
const away = (person: string, to: string | null): Absence => ({ by: party(person), to, at: 0, endsAt: 9 })
const named = (person: string): Clause => ({
  ...(approvals(1, []) as Extract<Clause, { kind: 'approvals' }>),
  people: [{ person, name: person, as: 'asked' }],
})
const turn = (over: Partial<Change> = {}, ...absences: Absence[]) =>
  turnOf(policy, changeIn('pending', over), absences).map(({ name, isGroup }) =>
    isGroup ? `group ${name}` : name,
  )

describe('whose turn it is', () => {
  it.each<[string, string[], Partial<Change>, Absence[]]>([
    ['those with the role, not who asked', ['Fay', 'Gil', 'group finance', 'group finance'], {}, []],
    [
      'everybody who may, where no role is named',
      ['Fay', 'Gil', 'Lee', 'group finance', 'group finance and legal'],
      { clauses: [approvals(1, [])] },
      [],
    ],
    [
      'of two clauses either',
      ['Fay', 'Gil', 'Lee', 'group finance', 'group finance and legal'],
      { clauses: [approvals(1), approvals(1, ['legal'])] },
      [],
    ],
    ['the one who is named, and no group', ['Lee'], { clauses: [named('lee')] }, []],
    [
      'nobody who has voted',
      ['Gil', 'group finance', 'group finance'],
      {
        clauses: [approvals(2)],
        votes: [{ by: party('fay'), verdict: 'approve', at: 1, digest: '0123456789abcdef' } as never],
      },
      [],
    ],
    [
      'in the place of somebody who is away who may vote for them',
      ['Moe', 'Gil', 'group finance', 'group finance'],
      {},
      [away('fay', 'moe')],
    ],
    [
      'nobody in the place of somebody who named nobody, or who asked',
      ['Gil', 'group finance', 'group finance'],
      {},
      [away('fay', null)],
    ],
    [
      'not who asked, for somebody who is away',
      ['Gil', 'group finance', 'group finance'],
      {},
      [away('fay', 'ann')],
    ],
    ['each once', ['Gil', 'group finance', 'group finance'], {}, [away('fay', 'gil')]],
    [
      'those who are away, where nobody else is left',
      ['Fay', 'Gil', 'group finance', 'group finance'],
      {},
      [away('fay', null), away('gil', null)],
    ],
    ['nobody else’s where its requester confirms it', [], { clauses: [{ kind: 'confirm' }] }, []],
    [
      'nobody in the place of somebody whose role nobody else may have',
      ['Fay', 'Gil', 'group finance', 'group finance and legal'],
      { clauses: [approvals(1, ['finance', 'legal'])] },
      [away('lee', 'moe')],
    ],
    ['nobody of another workspace', [], { requester: party('ann', { space: 'slack:T9' as never }) }, []],
    [
      'of those with the role only who may approve such a change',
      ['Gil'],
      { clauses: [approvals(1, ['mail'])] },
      [],
    ],
  ])('%s', (_, expected, over, absences) => {
    expect(turn(over, ...absences)).toEqual(expected)
  })

  it('is nobody’s once it is decided', () => {
    expect(turnOf(policy, changeIn('approved'), [])).toEqual([])
    expect(turnOf(policy, changeIn('applied'), [])).toEqual([])
  })

  it('is said with the accounts that people have there', () => {
    expect(turnOf(policy, changeIn('pending'), [])[0]).toMatchObject({
      name: 'Fay',
      accounts: { slack: 'U0FAY', discord: '400000000000000001' },
      isGroup: false,
    })
    expect(turnOf(policy, changeIn('pending'), [])[2]).toEqual({
      name: 'finance',
      accounts: { slack: 'S0FIN' },
      isGroup: true,
    })
  })
})
