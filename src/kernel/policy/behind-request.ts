import type { Change, Party } from '../model/change.ts'
import { personNow } from './people.ts'
import type { Policy } from './policy.ts'

type Requested = Pick<Change, 'requester' | 'changedBy'>

/** Whoever stands behind a request: who asked, and who has changed what was asked since. None of them approves it. */
export const partiesBehind = ({ requester, changedBy = [] }: Requested): Party[] => [requester, ...changedBy]

/** By their ids; with a policy, by who they are today. */
export const requestAuthors = (change: Requested, policy?: Policy): string[] =>
  partiesBehind(change).map((party) => (policy === undefined ? party.person : personNow(policy, party)))
