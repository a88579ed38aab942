import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareClauses } from '../../../src/features/replay/compare.ts'
import { isSatisfied } from '../../../src/kernel/law/clauses.ts'
import type { ApprovalClause, Clause } from '../../../src/kernel/model/change.ts'
import { mayApprove } from '../../../src/kernel/policy/people.ts'
import type { Policy } from '../../../src/kernel/policy/policy.ts'
import { policyOf } from '../../policy/example.ts'

const fileOf = (people: string, groups = ''): string => `version: 1
people:
  - { id: req, name: Rita, slack: U0R, roles: [finance] }
${people
  .split('; ')
  .map((one) => {
    const [id, name, roles] = one.split(' ')
    return `  - { id: ${id}, name: ${name}, slack: U0${id?.toUpperCase()}, roles: [${roles ?? ''}] }`
  })
  .join('\n')}
${groups}
roles:
  finance: { approve: ["*"] }
  owner: { approve: [refund] }
  support: { run: ["*"] }
`
const clause = (count: number, from: string[], more: Partial<ApprovalClause> = {}): Clause => ({
  kind: 'approvals',
  count,
  from,
  because: 'x',
  ...more,
})
const three = 'ann Ann finance; bo Bo finance; cy Cy owner'
const groups = 'groups: { slack: { S0FIN: [finance], S0OWN: [owner] } }'
const toFirst = [{ person: 'ann', name: 'Ann' }] as unknown as ApprovalClause['people']
const named = (...people: string[]) =>
  people.map((person) => ({ person, name: person })) as unknown as ApprovalClause['people']
const after = (minutes: number, to: string) => ({ afterMs: minutes * 60_000, to: [to] })
const compared = (
  [oldPeople, oldClauses]: readonly [string, readonly Clause[]],
  [people, clauses]: readonly [string, readonly Clause[]],
) => {
  const sideOf = (text: string, some: readonly Clause[]) => ({
    policy: policyOf(fileOf(...(text.split(' | ') as [string, string?]))),
    names: ['refund'],
    clauses: some,
  })
  return compareClauses(sideOf(oldPeople, oldClauses), sideOf(people, clauses), 'req').map(
    ({ direction, words }) => `${direction}: ${words}`,
  )
}

it.each<[string, readonly [string, readonly Clause[]], readonly [string, readonly Clause[]], string[]]>([
  ['the same', [three, [clause(1, ['finance'])]], [three, [clause(1, ['finance'])]], []],
  ['nothing', [three, []], [three, []], []],
  [
    'somebody less, by the name of the old file',
    [three, [clause(1, ['finance'])]],
    ['ann Ann finance; cy Cy owner', [clause(1, ['finance'])]],
    ['stricter: fewer people count for 1 approval from finance (x): Bo'],
  ],
  [
    'somebody more, by the name of the new file',
    [three, [clause(1, ['finance'])]],
    ['ann Ann finance; bo Bo finance; cy Cyrus owner,finance', [clause(1, ['finance'])]],
    ['looser: more people count for 1 approval from finance (x): Cyrus'],
  ],
  [
    'the members of a group more',
    [three, [clause(1, ['finance'])]],
    [`${three} | ${groups}`, [clause(1, ['finance'])]],
    [
      'looser: more people count for 1 approval from finance (x): members of slack S0FIN, members of every group',
    ],
  ],
  [
    'the members of a group alone',
    [`cy Cy owner | ${groups}`, [clause(2, ['finance'])]],
    [`cy Cy owner | ${groups}`, [clause(3, ['finance'])]],
    ['stricter: more approvals: 3 approvals from finance (x) instead of 2 approvals from finance (x)'],
  ],
  [
    'fewer of them',
    [three, [clause(2, ['finance'])]],
    [three, [clause(1, ['finance'])]],
    ['looser: fewer approvals: 1 approval from finance (x) instead of 2 approvals from finance (x)'],
  ],
  [
    'fewer roles',
    [three, [clause(1, ['finance', 'owner'])]],
    [three, [clause(1, ['owner'])]],
    ['stricter: fewer roles: 1 approval from owner (x) instead of 1 approval from finance or owner (x)'],
  ],
  [
    'anybody instead of a role',
    [three, [clause(1, ['owner'])]],
    [three, [clause(1, [])]],
    ['looser: more roles: 1 approval (x) instead of 1 approval from owner (x)'],
  ],
  [
    'another clause',
    [three, [clause(1, ['finance'])]],
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    ['stricter: another clause: also 1 approval from owner (x)'],
  ],
  [
    'a clause less',
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    [three, [clause(1, ['finance'])]],
    ['looser: one clause less: no longer 1 approval from owner (x)'],
  ],
  [
    'a person instead of a role',
    [three, [clause(1, ['finance'])]],
    [three, [clause(1, [], { people: toFirst })]],
    ['stricter: another clause: also 1 approval from Ann (x)'],
  ],
  [
    'more of them, whatever the order of their names',
    [three, [clause(1, ['finance', 'owner'])]],
    [three, [clause(2, ['owner', 'finance'])]],
    [
      'stricter: more approvals: 2 approvals from owner or finance (x) instead of 1 approval from finance or owner (x)',
    ],
  ],
  [
    'more of those who are named, whatever their order',
    [three, [clause(1, [], { people: named('ann', 'bo') })]],
    [three, [clause(2, [], { people: named('bo', 'ann') })]],
    ['stricter: more approvals: 2 approvals from bo or ann (x) instead of 1 approval from ann or bo (x)'],
  ],
  [
    'somebody else who is named',
    [three, [clause(1, [], { people: named('ann') })]],
    [three, [clause(1, [], { people: named('bo') })]],
    [
      'stricter: another clause: also 1 approval from bo (x)',
      'looser: one clause less: no longer 1 approval from ann (x)',
    ],
  ],
  [
    'a role for somebody who is named',
    [three, [clause(1, [], { people: named('ann') })]],
    [three, [clause(1, ['owner'])]],
    [
      'stricter: another clause: also 1 approval from owner (x)',
      'looser: one clause less: no longer 1 approval from ann (x)',
    ],
  ],
  [
    'two of either role, where one of each was needed',
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    [three, [clause(1, ['finance']), clause(1, ['owner']), clause(2, ['finance', 'owner'])]],
    [],
  ],
  [
    'two of either role, where one person may have both',
    ['ann Ann finance; bo Bo finance; cy Cy finance,owner', [clause(1, ['finance']), clause(1, ['owner'])]],
    [
      'ann Ann finance; bo Bo finance; cy Cy finance,owner',
      [clause(1, ['finance']), clause(1, ['owner']), clause(2, ['finance', 'owner'])],
    ],
    ['stricter: another clause: also 2 approvals from finance or owner (x)'],
  ],
  [
    'three of either role, where two of each were needed and one person has both',
    ['ann Ann finance,owner; bo Bo finance; cy Cy owner', [clause(2, ['finance']), clause(2, ['owner'])]],
    [
      'ann Ann finance,owner; bo Bo finance; cy Cy owner',
      [clause(2, ['finance']), clause(2, ['owner']), clause(3, ['finance', 'owner'])],
    ],
    [],
  ],
  [
    'more than two for the same people, held against the first of them',
    [three, [clause(1, ['finance']), clause(1, ['finance'], { sign: 'passkey' })]],
    [three, [clause(2, ['finance'], { sign: 'passkey' })]],
    [
      'stricter: more approvals: 2 approvals from finance signed with a passkey (x) instead of 1 approval from finance (x)',
    ],
  ],
  [
    'one for fewer people than two, held against the first of them',
    [three, [clause(1, ['finance', 'owner']), clause(1, ['finance', 'support'])]],
    [three, [clause(2, ['finance'])]],
    ['stricter: fewer roles: 2 approvals from finance (x) instead of 1 approval from finance or owner (x)'],
  ],
  [
    'somebody less for what was signed and still is',
    [three, [clause(1, ['finance'], { sign: 'passkey' })]],
    ['ann Ann finance; cy Cy owner', [clause(1, ['finance'], { sign: 'passkey' })]],
    ['stricter: fewer people count for 1 approval from finance signed with a passkey (x): Bo'],
  ],
  [
    'the same person for a role of a stage',
    [three, [clause(1, ['owner'], { stage: 1 })]],
    [three, [clause(2, ['finance'], { stage: 1 })]],
    [
      'stricter: another clause: also 2 approvals from finance in stage 1 (x)',
      'looser: one clause less: no longer 1 approval from owner in stage 1 (x)',
      'stricter: in order: 2 approvals from finance in stage 1',
      'looser: no longer in order: 1 approval from owner in stage 1',
    ],
  ],
  [
    'anybody at all',
    [three, [clause(1, [])]],
    [three, [clause(1, ['owner'])]],
    ['stricter: fewer roles: 1 approval from owner (x) instead of 1 approval (x)'],
  ],
  [
    'one of two that stays, one that goes and one that comes',
    [three, [clause(1, ['finance']), clause(2, ['finance'], { because: 'y' })]],
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    [
      'stricter: another clause: also 1 approval from owner (x)',
      'looser: fewer approvals: 1 approval from finance (x) instead of 2 approvals from finance (y)',
    ],
  ],
  [
    'other escalations',
    [three, [clause(1, ['finance'], { escalate: [after(1, 'owner'), after(2, 'owner')] })]],
    [three, [clause(1, ['finance'], { escalate: [after(2, 'owner'), after(3, 'owner')] })]],
    ['looser: it now escalates to owner after 3 m', 'stricter: it no longer escalates to owner after 1 m'],
  ],
  [
    'one group alone',
    [three, [clause(1, ['finance'])]],
    [`${three} | groups: { slack: { S0FIN: [finance] } }`, [clause(1, ['finance'])]],
    ['looser: more people count for 1 approval from finance (x): members of slack S0FIN'],
  ],
  [
    'the same order',
    [three, [clause(1, ['finance'], { stage: 1 }), clause(1, ['owner'], { stage: 2 })]],
    [three, [clause(1, ['finance'], { stage: 1 }), clause(1, ['owner'], { stage: 2 })]],
    [],
  ],
  [
    'another stage',
    [three, [clause(1, ['finance', 'owner'], { stage: 1 })]],
    [three, [clause(1, ['owner'], { stage: 2 })]],
    [
      'stricter: another clause: also 1 approval from owner in stage 2 (x)',
      'stricter: in order: 1 approval from owner in stage 2',
      'looser: no longer in order: 1 approval from finance or owner in stage 1',
    ],
  ],
  [
    'a role and somebody who is named',
    [three, [clause(1, ['finance', 'owner'])]],
    [three, [clause(1, ['owner'], { people: toFirst })]],
    ['stricter: another clause: also 1 approval from Ann or owner (x)'],
  ],
  [
    'a role that was not among them',
    [three, [clause(1, ['finance', 'owner'])]],
    [three, [clause(1, ['owner', 'support'])]],
    ['stricter: another clause: also 1 approval from owner or support (x)'],
  ],
  [
    'two of anybody',
    [three, [clause(1, ['owner'])]],
    [three, [clause(2, [])]],
    [
      'stricter: another clause: also 2 approvals (x)',
      'looser: more roles: 2 approvals (x) instead of 1 approval from owner (x)',
    ],
  ],
  [
    'an approval for a confirmation',
    [three, [{ kind: 'confirm' }]],
    [three, [clause(1, ['finance'])]],
    ['stricter: 1 approval from finance (x) instead of a confirmation by the requester'],
  ],
  [
    'a confirmation for nothing',
    [three, []],
    [three, [{ kind: 'confirm' }]],
    ['stricter: a confirmation by the requester instead of nothing'],
  ],
  [
    'an order',
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    [three, [clause(1, ['finance'], { stage: 1 }), clause(1, ['owner'], { stage: 2 })]],
    ['stricter: in order: 1 approval from finance in stage 1, then 1 approval from owner in stage 2'],
  ],
  [
    'no order any more',
    [three, [clause(1, ['finance'], { stage: 1 }), clause(1, ['owner'], { stage: 2 })]],
    [three, [clause(1, ['finance']), clause(1, ['owner'])]],
    ['looser: no longer in order: 1 approval from finance in stage 1, then 1 approval from owner in stage 2'],
  ],
  [
    'a signature',
    [three, [clause(1, ['finance'])]],
    [three, [clause(1, ['finance'], { sign: 'passkey' })]],
    [
      'stricter: signed approvals: 1 approval from finance signed with a passkey (x) instead of 1 approval from finance (x)',
    ],
  ],
  [
    'no signature any more, and one approval more',
    [three, [clause(1, ['finance'], { sign: 'passkey' })]],
    [three, [clause(2, ['finance'])]],
    [
      'stricter: more approvals: 2 approvals from finance (x) instead of 1 approval from finance signed with a passkey (x)',
      'looser: unsigned approvals: 2 approvals from finance (x) instead of 1 approval from finance signed with a passkey (x)',
    ],
  ],
  [
    'an escalation',
    [three, [clause(1, ['finance'])]],
    [three, [clause(1, ['finance'], { escalate: [{ afterMs: 3_600_000, to: ['owner', 'support'] }] })]],
    ['looser: it now escalates to owner or support after 1 h'],
  ],
  [
    'no escalation any more',
    [three, [clause(1, ['finance'], { escalate: [{ afterMs: 60_000, to: ['owner'] }] })]],
    [three, [clause(1, ['finance'])]],
    ['stricter: it no longer escalates to owner after 1 m'],
  ],
  [
    'a confirmation for an approval',
    [three, [clause(1, ['finance'])]],
    [three, [{ kind: 'confirm' }]],
    ['looser: a confirmation by the requester instead of 1 approval from finance (x)'],
  ],
  [
    'nothing for a confirmation',
    [three, [{ kind: 'confirm' }]],
    [three, []],
    ['looser: nothing instead of a confirmation by the requester'],
  ],
])('%s', (_, before, after, expected) => {
  expect(compared(before, after)).toEqual(expected)
})

it('who counts is a kind of its own', () => {
  const [one, other] = [policyOf(fileOf(three)), policyOf(fileOf('ann Ann finance; cy Cy owner'))]
  const sideOf = (policy: Policy) => ({ policy, names: ['refund'], clauses: [clause(1, ['finance'])] })
  const kinds = (...[before, now]: [Policy, Policy]) =>
    compareClauses(sideOf(before), sideOf(now), 'req').map(({ kind }) => kind)
  expect([kinds(one, other), kinds(other, one)]).toEqual([['fewer people'], ['more people']])
})

/** However many people vote, and however many a group holds. */
it('lists compare as the votes that satisfy them do', () => {
  const roles = ['a', 'b', 'c', 'd']
  const base = policyOf(`version: 1
people: [{ id: p0, name: P0 }, { id: p1, name: P1 }, { id: p2, name: P2 }, { id: p3, name: P3 }, { id: p4, name: P4 }]
roles:
  a: { approve: [refund] }
  b: { approve: [refund] }
  d: { approve: [refund] }
  c: { approve: ["list *"], run: [refund] }
`)
  const clauses = (signs: readonly ('passkey' | undefined)[]): fc.Arbitrary<Clause[]> =>
    fc.array(
      fc
        .record({
          count: fc.constantFrom(1, 1, 1, 2, 2, 3),
          from: fc.subarray(roles, { maxLength: 2 }),
          sign: fc.constantFrom(...signs),
          isNamed: fc.constantFrom(false, false, true),
        })
        .map(({ count, from, sign, isNamed }) =>
          clause(count, from, {
            ...(sign && { sign }),
            ...(isNamed && { people: named('p1') }),
          } as Partial<ApprovalClause>),
        ),
      { minLength: 1, maxLength: 3 },
    )
  const holders = fc.array(fc.subarray(roles), { minLength: 6, maxLength: 6 })
  for (const { members, signs, numRuns } of [
    { members: 0, signs: [undefined], numRuns: 1_000 },
    { members: 4, signs: [undefined], numRuns: 60 },
    { members: 0, signs: [undefined, 'passkey' as const], numRuns: 100 },
  ]) {
    const policyWith = (held: string[][]): Policy => ({
      ...base,
      people: base.people.map((one, at) => ({ ...one, roles: held[at] ?? [] })),
      groups: members === 0 ? {} : { slack: { S0G: held[5] ?? [] } },
    })
    // Each of them: no vote, a vote, or one that is signed.
    const kinds = signs.length + 1
    const sets = Array.from({ length: kinds ** (5 + members) }, (_, set) =>
      Array.from({ length: 5 + members }, (_, at) => Math.floor(set / kinds ** at) % kinds),
    )
    const votersIn = (policy: Policy) =>
      [
        ...policy.people.map(({ id, roles: own }) => ({ person: id, roles: own })),
        ...Array.from({ length: members }, (_, at) => ({
          person: `g${at}`,
          roles: policy.groups.slack?.S0G ?? [],
        })),
      ].map((one) => ({ ...one, mayApprove: mayApprove(policy, one, ['refund']) }))
    const enoughIn = (policy: Policy, some: Clause[]) => {
      const voters = votersIn(policy)
      return sets.map((set) =>
        isSatisfied(some, {
          requester: 'p0',
          votes: voters.flatMap((one, at) => (set[at] === 0 ? [] : { ...one, isSigned: set[at] === 2 })),
        }),
      )
    }
    fc.assert(
      fc.property(holders, holders, clauses(signs), clauses(signs), (old, now, first, second) => {
        const [before, then] = [policyWith(old), policyWith(now)]
        const [enough, stillEnough] = [enoughIn(before, first), enoughIn(then, second)]
        const parts = compareClauses(
          { policy: before, names: ['refund'], clauses: first },
          { policy: then, names: ['refund'], clauses: second },
          'p0',
        )
        expect([
          parts.some(({ direction }) => direction === 'stricter'),
          parts.some(({ direction }) => direction === 'looser'),
        ]).toEqual([
          enough.some((one, at) => one && !stillEnough[at]),
          stillEnough.some((one, at) => one && !enough[at]),
        ])
      }),
      { numRuns },
    )
  }
})
