import fc from 'fast-check'
import { expect, it } from 'vitest'
import { weigh } from '../../src/kernel/law/weigh.ts'
import type { Change, Clause, Party } from '../../src/kernel/model/change.ts'
import type { Signature } from '../../src/kernel/model/passkey.ts'
import { votesFor } from '../../src/kernel/policy/delegation.ts'
import { assertUntil } from '../harness/assert-until.ts'
import { policyOf } from '../policy/example.ts'
import { approvals, changeIn, party } from './sample.ts'

/** Whose each account is today; the last one is nobody's. */
const ownerOf: Record<string, string | undefined> = {
  'slack U0ANN': 'ann',
  'discord 1': 'ann',
  'slack U0BOB': 'bob',
  'discord 2': 'bob',
  'slack U0CAT': 'cat',
  'slack T2/U0DAN': 'dan',
  'slack U0NEW': undefined,
}
const policy = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: ann, name: Ann, slack: U0ANN, discord: "1", roles: [support] }
  - { id: bob, name: Bob, slack: [U0BOB, T2/U0BOB], discord: "2" }
  - { id: cat, name: Cat, slack: U0CAT }
  - { id: dan, name: Dan, slack: T2/U0DAN }
roles:
  finance: { approve: [refund], delegate: true }
  cfo: { approve: [refund], delegate: true }
  legal: { approve: [refund] }
  mail: { approve: ["campaign *"], delegate: true }
  support: { run: [refund] }
`)
/** Where the file lists them besides the first workspace, or instead of it. */
const isIn = (person: string, space: string | undefined) =>
  space === undefined ? person !== 'dan' : person === 'bob' || person === 'dan'
const owners = new Map([
  ['key of ann', 'ann'],
  ['key of bob', 'bob'],
  ['key of cat', 'cat'],
])
const signature: Omit<Signature, 'key'> = {
  enrolled: 'c0',
  person: 'then',
  digest: 'd',
  purpose: 'approve',
  nonce: 'n',
  origin: 'https://bellhop.example',
  rpId: 'bellhop.example',
  authenticatorData: '',
  clientDataJSON: '',
  signature: '',
}
const approving = ['finance', 'cfo', 'legal']
const delegated = ['finance', 'cfo', 'mail']

const now = ({ platform, account }: Party) => ownerOf[`${platform} ${account}`]
const idNow = (one: Party) => now(one) ?? `${one.platform}:${one.account}`

/** Votes were cast under whatever name the account went by then. */
const someone = fc
  .constantFrom(...Object.keys(ownerOf))
  .map((key) => key.split(' ') as [string, string])
  .map(([platform, account]) => party(`then ${account}`, { platform, account, name: account }))
const someRoles = fc.constantFrom<string[]>([], ['finance'], ['cfo', 'support'], ['legal'], ['mail'])
const world = fc
  .record({
    requester: fc.oneof(
      { weight: 5, arbitrary: fc.constant(party('then', { platform: 'discord', account: '1' })) },
      someone,
    ),
    clauses: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom<Clause[]>(
          [approvals(1, [])],
          [approvals(2)],
          [approvals(1), approvals(1, ['cfo'])],
        ),
      },
      fc.constant<Clause[]>([{ kind: 'confirm' }]),
    ),
    votes: fc.array(
      fc
        .record({
          by: someone,
          for: fc.option(someone, { nil: undefined }),
          key: fc.oneof(
            { weight: 12, arbitrary: fc.constant(undefined) },
            fc.constantFrom(...owners.keys(), 'key that was removed'),
          ),
        })
        .map(({ by, for: away, key }) => ({
          by,
          ...(away && { for: away }),
          ...(key && { signed: { ...signature, key } }),
          at: 1_500,
          digest: 'd',
        })),
      { maxLength: 4 },
    ),
    space: fc.constantFrom(undefined, undefined, undefined, 'slack:T2'),
    roles: fc.record({ ann: someRoles, bob: someRoles, cat: someRoles, dan: someRoles }),
    absences: fc.array(
      fc.record({
        by: someone,
        to: fc.constantFrom('bob', 'bob', 'cat', 'ann', null),
        at: fc.constant(0),
        endsAt: fc.constant(9e9),
      }),
      { maxLength: 3 },
    ),
    mute: fc.constantFrom('nowhere', 'nowhere', 'discord'),
    /** Mostly, whoever is voted for is away and has named the voter. */
    isNamed: fc.constantFrom(true, true, false),
  })
  .map(({ isNamed, ...rest }) => {
    const named = rest.votes.flatMap(({ by, for: away }) =>
      away ? [{ by: away, to: idNow(by), at: 0, endsAt: 9e9 }] : [],
    )
    return isNamed ? { ...rest, absences: [...rest.absences, ...named] } : rest
  })

const behind = ({ by, for: away }: Pick<Change['votes'][number], 'by' | 'for'>): Party[] => [
  by,
  ...(away ? [away] : []),
]

it('a vote is worth what the people behind it are, may do and have said today', async () => {
  const seen = new Set<string>()
  await assertUntil(
    fc.property(world, ({ requester: asked, space, clauses, votes, roles, absences, mute }) => {
      const requester = { ...asked, space }
      const rolesOf = (one: Party): string[] => roles[now(one) as keyof typeof roles] ?? []
      const isConfirmed = clauses.some(({ kind }) => kind === 'confirm')
      const counted: Change['votes'] = []
      const lapsed: string[] = []
      const whyNot = (vote: Change['votes'][number], worth: string[]): string => {
        const parties = behind(vote)
        const people = parties.map(idNow)
        const isKeyGone = vote.signed !== undefined && owners.get(vote.signed.key) !== idNow(vote.by)
        const taken = counted.flatMap(behind).map(({ person }) => person)
        if (isConfirmed) {
          if (vote.by.platform === mute) return 'nobody can tell whose it is where it was cast'
          if (vote.signed !== undefined && owners.get(vote.signed.key) !== idNow(requester))
            return 'the passkey that signed it was removed'
          return idNow(vote.by) === idNow(requester) ? '' : 'it is from an account that is no longer theirs'
        }
        if (parties.some(({ platform }) => platform === mute))
          return 'nobody can tell whose it is where it was cast'
        if (isKeyGone) return 'the passkey that signed it was removed'
        if ([requester, ...parties].some((one) => now(one) === undefined))
          return 'bellhop.yml does not list both who asked and who voted'
        if (people.some((one) => !isIn(one, space)))
          return 'bellhop.yml no longer lists them in this workspace'
        if (people.includes(idNow(requester))) return 'it is from the person who asked'
        if (people[0] === people[1] || people.some((one) => taken.includes(one)))
          return 'the same person voted already'
        const [voter, away] = people
        if (away !== undefined && !absences.some(({ by, to }) => idNow(by) === away && to === voter))
          return `${vote.for?.name} is no longer away, or lets nobody vote in their place`
        if (!worth.some((role) => approving.includes(role))) return 'they may no longer approve this'
        return clauses.some(
          (one) =>
            one.kind === 'approvals' &&
            (one.from.length === 0 || one.from.some((role) => worth.includes(role))),
        )
          ? ''
          : 'they no longer have a role that is asked for'
      }
      for (const vote of votes) {
        const worth = vote.for
          ? rolesOf(vote.for).filter((role) => delegated.includes(role))
          : rolesOf(vote.by)
        const why = whyNot(vote, worth)
        seen.add(vote.for && why === '' ? 'for another' : why.replace(/^(T2\/)?U0\w+|^\d/, 'they'))
        const asNow = (one: Party, more = {}) => ({ ...one, person: idNow(one), ...more })
        if (why !== '') lapsed.push(`${vote.by.person}: ${why}`)
        else if (isConfirmed) counted.push(vote)
        else if (vote.for)
          counted.push({ ...vote, by: asNow(vote.by), for: asNow(vote.for, { roles: worth }) })
        else counted.push({ ...vote, by: asNow(vote.by, { roles: worth }) })
      }
      const core = { policy, vouchesFor: (platform: string) => platform !== mute }
      const weighed = weigh(
        core,
        changeIn('pending', { requester, clauses, votes }),
        rolesOf,
        absences,
        owners,
      )
      expect(weighed.votes).toEqual(counted)
      expect(weighed.lapsed.map(({ person, why }) => `${person}: ${why}`)).toEqual(lapsed)
    }),
    4_000,
    () => seen.size === 12,
  )
  expect(seen.size).toBe(12)
})

it('somebody votes for another only where their own vote would not count, and for the first who named them and would', async () => {
  const seen = new Set<string>()
  await assertUntil(
    fc.property(world, ({ requester, clauses, votes: cast, roles, absences }) => {
      // As they are once they were weighed: under the names of today, nobody behind two of them, none by who asked.
      const votes: Change['votes'] = []
      for (const vote of cast) {
        const people = [requester, ...votes.flatMap(behind), ...behind(vote)].map(idNow)
        if (new Set(people).size < people.length) continue
        const today = (one: Party) => ({ ...one, person: idNow(one), roles: ['finance'] })
        votes.push({ ...vote, by: today(vote.by), ...(vote.for && { for: today(vote.for) }) })
      }
      const actor = { ...requester, person: idNow(requester) }
      const rolesOf = (one: Party): string[] => roles[now(one) as keyof typeof roles] ?? []
      // All of these votes are from finance.
      const open = clauses.filter(
        (one) =>
          one.kind === 'approvals' &&
          (one.from.length === 0 || one.from.includes('finance') ? votes.length : 0) < one.count,
      )
      const counts = (held: string[]) =>
        held.some((role) => approving.includes(role)) &&
        open.some(
          (one) =>
            one.kind === 'approvals' &&
            (one.from.length === 0 || one.from.some((role) => held.includes(role))),
        )
      const passed = (one: Party) => rolesOf(one).filter((role) => delegated.includes(role))
      const taken = ['bob', idNow(requester), ...votes.flatMap(behind).map(idNow)]
      const expected =
        counts(roles.bob) || now(requester) === undefined || idNow(requester) === 'bob'
          ? undefined
          : absences.find(
              ({ by, to }) =>
                to === 'bob' && now(by) !== undefined && !taken.includes(idNow(by)) && counts(passed(by)),
            )?.by
      const change = changeIn('pending', { requester: actor, clauses, votes })
      const found = votesFor(
        policy,
        change,
        { person: 'bob', platform: 'slack', roles: roles.bob },
        absences,
        rolesOf,
      )
      seen.add(String(expected && idNow(expected)))
      expect(found).toEqual(expected && { ...expected, person: idNow(expected), roles: passed(expected) })
    }),
    3_000,
    () => seen.size === 4,
  )
  expect([...seen].sort()).toEqual(['ann', 'cat', 'dan', 'undefined'])
})
