import type { Core } from '../core/core.ts'
import type { Change, Party } from '../model/change.ts'
import { needsApproval } from '../policy/clauses.ts'
import { mayVote } from '../policy/evaluate.ts'
import { approveNamesOf, mayApprove, personNow } from '../policy/people.ts'
import type { Weighed } from './law.ts'

/**
 * What the votes are worth now: a vote counts as long as its voter may decide about the change, is somebody else than
 * who asked, and has not voted under another account. `rolesOf` says which roles somebody has at this moment.
 */
export const weigh = (
  { policy, vouchesFor }: Pick<Core, 'policy' | 'vouchesFor'>,
  change: Pick<Change, 'votes' | 'clauses' | 'names' | 'standsFor' | 'requester'>,
  rolesOf: (party: Party) => readonly string[],
): Weighed => {
  const { votes, clauses, requester } = change
  const names = approveNamesOf(change)
  const weighed: Weighed = { votes: [], lapsed: [] }
  const own = personNow(policy, requester)
  if (!needsApproval(clauses)) {
    // A confirmation is the requester's own; whether they may still ask is looked at apart.
    for (const vote of votes) {
      if (!vouchesFor(vote.by.platform)) weighed.lapsed.push({ ...namesOf(vote), why: nobodyKnows })
      else if (personNow(policy, vote.by) === own) weighed.votes.push(vote)
      else weighed.lapsed.push({ ...namesOf(vote), why: 'it is from an account that is no longer theirs' })
    }
    return weighed
  }
  for (const vote of votes) {
    const roles = [...rolesOf(vote.by)]
    const person = personNow(policy, vote.by)
    const why = !vouchesFor(vote.by.platform)
      ? nobodyKnows
      : person === own
        ? 'it is from the person who asked'
        : weighed.votes.some(({ by }) => by.person === person)
          ? 'the same person voted already'
          : mayVote(policy, { roles }, clauses, names)
            ? undefined
            : mayApprove(policy, { roles }, names)
              ? 'they no longer have a role that is asked for'
              : 'they may no longer approve this'
    if (why === undefined) weighed.votes.push({ ...vote, by: { ...vote.by, person, roles } })
    else weighed.lapsed.push({ ...namesOf(vote), why })
  }
  return weighed
}

const nobodyKnows = 'nobody can tell whose it is where it was cast'

const namesOf = ({ by: { person, name } }: Change['votes'][number]) => ({ person, name })
