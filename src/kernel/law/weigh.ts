import type { Core } from '../core.ts'
import type { Change, Party } from '../model/change.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { isDelegated } from '../policy/delegation.ts'
import { countsByRoles } from '../policy/evaluate.ts'
import { isListed } from '../policy/listed.ts'
import { approveNamesOf, delegatedRoles, mayApprove, personNow } from '../policy/people.ts'
import { isListedIn } from '../policy/workspaces.ts'
import type { Absence } from '../store/absences.ts'
import { type Beyond, type Covered, refuseInAdvance } from './advance.ts'
import { needsApproval, partiesOf } from './clauses.ts'
import type { Weighed } from './law.ts'

/** Whose each enrolled key is. */
export type KeyOwners = ReadonlyMap<string, string>

/**
 * What the votes are worth now: a vote counts as long as its voter may decide about the change, is somebody else than
 * who asked, both of them listed, and has not voted under another account. A vote for somebody who is away counts as long as they are, with the
 * roles of theirs that may be delegated. One that was signed counts as long as its key is enrolled. `rolesOf` says which
 * roles somebody has at this moment.
 */
export const weigh = (
  { policy, vouchesFor }: Pick<Core, 'policy' | 'vouchesFor'>,
  change: Pick<Change, 'votes' | 'clauses' | 'changedBy'> & Covered & Beyond,
  rolesOf: (party: Party) => readonly string[],
  absences: readonly Absence[],
  owners: KeyOwners,
): Weighed => {
  const { votes, clauses, requester } = change
  const names = approveNamesOf(change)
  const weighed: Weighed = { votes: [], lapsed: [] }
  const own = personNow(policy, requester)
  const behind = requestAuthors(change, policy)
  if (!needsApproval(clauses)) {
    // A confirmation is the requester's own; whether they may still ask is looked at apart.
    for (const vote of votes) {
      if (!vouchesFor(vote.by.platform)) weighed.lapsed.push({ ...namesOf(vote), why: nobodyKnows })
      else if (!isKeyKept(vote, own, owners)) weighed.lapsed.push({ ...namesOf(vote), why: keyGone })
      else if (personNow(policy, vote.by) === own) weighed.votes.push(vote)
      else weighed.lapsed.push({ ...namesOf(vote), why: 'it is from an account that is no longer theirs' })
    }
    return weighed
  }
  /** Why a vote is not that of one other person, whatever they may do. */
  const whyNobodys = (vote: Change['votes'][number]): string | undefined => {
    const parties = partiesOf([vote])
    const people = parties.map((party) => personNow(policy, party))
    if (!parties.every(({ platform }) => vouchesFor(platform))) return nobodyKnows
    if (!isKeyKept(vote, personNow(policy, vote.by), owners)) return keyGone
    const over = refuseInAdvance(policy, vote, change, rolesOf(requester))
    if (over !== undefined) return over
    if (![requester, ...parties].every((party) => isListed(policy, party)))
      return 'bellhop.yml does not list both who asked and who voted'
    if (!parties.every((party) => isListedIn(policy, personNow(policy, party), change)))
      return 'bellhop.yml no longer lists them in this workspace'
    if (people.some((one) => behind.includes(one))) return 'it is from the person who asked'
    if (new Set(people).size < people.length || people.some((one) => isTaken(weighed.votes, one)))
      return 'the same person voted already'
    return vote.for === undefined || isDelegated(policy, absences, vote.for, vote.by)
      ? undefined
      : `${vote.for.name} is no longer away, or lets nobody vote in their place`
  }
  for (const vote of votes) {
    const away = vote.for
    const roles = away === undefined ? [...rolesOf(vote.by)] : delegatedRoles(policy, rolesOf(away))
    const person = personNow(policy, vote.by)
    const voter = { person: away === undefined ? person : undefined, roles }
    const why =
      whyNobodys(vote) ??
      (countsByRoles(policy, voter, clauses, names)
        ? undefined
        : mayApprove(policy, { roles }, names)
          ? 'they no longer have a role that is asked for'
          : 'they may no longer approve this')
    if (why === undefined) {
      const { granted: _, ...cast } = vote
      const granted = mayApprove(policy, { roles }, names) ? {} : { granted: true as const }
      weighed.votes.push(
        away === undefined
          ? { ...cast, ...granted, by: { ...vote.by, person, roles } }
          : {
              ...cast,
              by: { ...vote.by, person },
              for: { ...away, person: personNow(policy, away), roles },
            },
      )
    } else weighed.lapsed.push({ ...namesOf(vote), why })
  }
  return weighed
}

const keyGone = 'the passkey that signed it was removed'

/** The keys that votes were signed with, to ask whose they are now. */
export const signingKeysOf = ({ votes }: Pick<Change, 'votes'>): string[] =>
  votes.flatMap(({ signed }) => signed?.key ?? [])

const isKeyKept = ({ signed }: Change['votes'][number], person: string, owners: KeyOwners): boolean =>
  signed === undefined || owners.get(signed.key) === person

const nobodyKnows = 'nobody can tell whose it is where it was cast'

/** Nobody stands behind two votes, under their own name or as the one who is away. */
const isTaken = (votes: Change['votes'], person: string): boolean =>
  votes.some(({ by, for: away }) => by.person === person || away?.person === person)

const namesOf = ({ by: { person, name } }: Change['votes'][number]) => ({ person, name })
