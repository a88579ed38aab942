import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clause, Party } from '../../src/kernel/model/change.ts'
import { isDelegated, votesFor } from '../../src/kernel/policy/delegation.ts'
import { approvals, changeIn, party } from '../approvals/sample.ts'
import { assertUntil } from '../harness/assert-until.ts'
import { policyOf } from './example.ts'

const policy = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: ann, name: Ann, slack: U0A, roles: [support] }
  - { id: bob, name: Bob, slack: U0B, roles: [finance] }
  - { id: cat, name: Cat, slack: [U0C, T2/U0C], roles: [cfo] }
  - { id: dan, name: Dan, slack: T2/U0D, roles: [finance, cfo] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"], delegate: true }
  cfo: { run: ["*"], approve: [refund] }
`)
const accounts: Record<string, string> = { ann: 'U0A', bob: 'U0B', cat: 'U0C', dan: 'T2/U0D', zed: 'U9' }
const inT2 = (id: string) => (id === 'dan' ? { space: 'slack:T2' } : {})
/** As they were called when they asked, which may be no longer who they are. */
const somebody = fc
  .record({ id: fc.constantFrom('ann', 'bob', 'cat', 'dan', 'zed'), isOld: fc.boolean() })
  .map(({ id, isOld }) => party(isOld ? `old-${id}` : id, { account: accounts[id] as string, ...inT2(id) }))
const idOf = ({ account }: Party): string => {
  const found = Object.keys(accounts).find((id) => accounts[id] === account) as string
  return found === 'zed' ? 'slack:U9' : found
}
const rolesToday: Record<string, string[]> = {
  ann: ['support'],
  bob: ['finance'],
  cat: ['cfo'],
  dan: ['finance', 'cfo'],
}
const isListedIn = (id: string, space: string | undefined): boolean =>
  (space === undefined ? ['ann', 'bob', 'cat'] : ['cat', 'dan']).includes(id)

const change = fc
  .record({
    requester: somebody,
    isT2: fc.constantFrom(false, false, true),
    changedBy: fc.option(somebody, { nil: undefined }),
    vote: fc.option(fc.tuple(somebody, fc.option(somebody, { nil: undefined })), { nil: undefined }),
    clauses: fc.constantFrom<Clause[]>(
      [approvals(2)],
      [approvals(1, ['cfo'])],
      [approvals(3, [])],
      [{ ...approvals(1, ['cfo']), people: [{ person: 'bob', name: 'Bob', as: 'asked' }] } as Clause],
      [{ kind: 'confirm' }],
    ),
  })
  .map(({ requester: { space: _, ...requester }, isT2, changedBy, vote, clauses }) =>
    changeIn('pending', {
      requester: { ...requester, ...(isT2 && { space: 'slack:T2' }) },
      ...(changedBy && { changedBy: [changedBy] }),
      votes: vote ? [{ by: vote[0], at: 1, digest: 'd', ...(vote[1] && { for: vote[1] }) }] : [],
      clauses,
    }),
  )
const absence = fc
  .record({ by: somebody, to: fc.constantFrom('ann', 'bob', 'cat', 'dan', null) })
  .map((one) => ({ ...one, at: 0, endsAt: 9e9 }))
const roles = fc.subarray(['support', 'finance', 'cfo'])

/** Whether one of the clauses that still wait takes such a vote; nobody behind the request counts for any. */
const isWanted = (one: ReturnType<typeof changeIn>, who: { person?: string; roles: string[] }): boolean => {
  const behind = [one.requester, ...(one.changedBy ?? [])].map(({ person }) => person)
  const [clause] = one.clauses
  if (clause === undefined || clause.kind === 'confirm') return false
  const mayApprove = who.roles.some((role) => role !== 'support')
  const takes = (by: string | undefined, has: readonly string[]) =>
    clause.people?.some(({ person }) => person === by) ||
    clause.from.length === 0 ||
    clause.from.some((role) => has.includes(role))
  const counted = one.votes.filter(
    ({ by, for: away }) =>
      ![by.person, away?.person].some((person) => person !== undefined && behind.includes(person)) &&
      takes(away ? undefined : by.person, (away ?? by).roles),
  )
  return counted.length < clause.count && mayApprove && Boolean(takes(who.person, who.roles))
}

test('somebody votes for another only where their own vote would not count, and only for who named them', async () => {
  const seen = new Set<string>()
  await assertUntil(
    fc.property(
      change,
      fc.constantFrom('ann', 'bob', 'cat', 'dan'),
      roles,
      fc.array(absence, { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('ann', 'bob', 'cat', 'dan', 'slack:U9'), roles),
      (one, person, own, absences, groups) => {
        const { space } = one.requester
        const rolesOf = (who: Party) => [...(rolesToday[idOf(who)] ?? []), ...(groups[idOf(who)] ?? [])]
        const delegate = { person, platform: 'slack', roles: own, ...inT2(person) } as never
        const isHere = (id: string, at: string | undefined) => at === space || isListedIn(id, space)
        const behind = [one.requester, ...(one.changedBy ?? [])].map(idOf)
        const why = (() => {
          if (behind.includes(person)) return 'they stand behind it'
          if (!isHere(person, inT2(person).space)) return 'not of the workspace'
          if (isWanted(one, { person, roles: own })) return 'their own vote counts'
          if (idOf(one.requester) === 'slack:U9') return 'nobody knows who asks'
          return undefined
        })()
        const taken = [
          ...behind,
          person,
          ...one.votes.flatMap(({ by, for: away }) => [by.person, away?.person]),
        ]
        const able = absences.filter(({ by, to }) => {
          const delegated = rolesOf(by).filter((role) => role === 'finance')
          return (
            to === person &&
            idOf(by) !== 'slack:U9' &&
            isHere(by.person, by.space) &&
            !taken.includes(idOf(by)) &&
            isWanted(one, { roles: delegated })
          )
        })
        const expected = why === undefined ? able[0]?.by : undefined
        seen.add(why ?? (expected === undefined ? 'nobody has named them' : 'for somebody'))
        const found = votesFor(policy, one, delegate, absences, rolesOf)
        expect(found).toEqual(
          expected && {
            ...expected,
            person: idOf(expected),
            roles: rolesOf(expected).filter((role) => role === 'finance'),
          },
        )
      },
    ),
    2_000,
    () => seen.size === 6,
  )
  expect(seen.size).toBe(6)
})

test('an absence lets one person vote for the other by who both are today', () => {
  const away = (id: string, to: string) => ({
    by: party(`old-${id}`, { account: accounts[id] as string }),
    to,
    at: 0,
    endsAt: 9e9,
  })
  const absences = [away('ann', 'cat'), away('bob', 'cat'), away('cat', 'ann')]
  const people = ['ann', 'bob', 'cat'].map((id) => party(`then-${id}`, { account: accounts[id] as string }))
  const pairs = people.flatMap((one) =>
    people.flatMap((other) =>
      isDelegated(policy, absences, one, other) ? `${one.account} to ${other.account}` : [],
    ),
  )
  expect(pairs).toEqual(['U0A to U0C', 'U0B to U0C', 'U0C to U0A'])
})
