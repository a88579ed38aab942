import { expect, it } from 'vitest'
import type { ApprovalClause, Clause } from '../../../../src/model/change.ts'
import { compareClauses } from '../../../../src/pipeline/explaining/replay/compare.ts'
import { policyOf } from '../../../policy/example.ts'

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
    [three, [clause(1, ['finance'], { sign: 'passkey' } as never)]],
    ['stricter: fewer people count for 1 approval from finance signed with a passkey (x)'],
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
