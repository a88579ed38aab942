import { fewNames } from '../../lib/view/format.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { isManagerless, needsApproval } from '../law/clauses.ts'
import type { Change, Clause, Party } from '../model/change.ts'
import { administratorsOf, mayRun, personOf } from './people.ts'
import type { Policy } from './policy.ts'
import { isListedIn } from './workspaces.ts'

type Account = Pick<Party, 'platform' | 'account' | 'workspace'>

/**
 * Whether the file says who this is. An account that it does not list could be anybody's, also that of the listed person
 * on the other side: where one person decides about what another asks, both are listed.
 */
export const isListed = (policy: Policy, party: Account): boolean =>
  personOf(policy, { ...party, groups: [] }).known

/** Why nobody can be asked to approve what this account asks for; undefined where they can, or where nobody need. */
export const refuseUndecidable = (
  policy: Policy,
  requester: Account,
  clauses: readonly Clause[],
): Refusal | undefined =>
  refuseUnlistedRequester(policy, requester, clauses) ?? refuseManagerless(policy, clauses)

const refuseManagerless = (policy: Policy, clauses: readonly Clause[]): Refusal | undefined => {
  const stuck = clauses.find(isManagerless)
  return stuck === undefined
    ? undefined
    : refusal(
        'no_manager',
        `This needs the approval of a manager (${stuck.because}), and bellhop.yml names none for whoever asks. Nobody was asked.`,
        { next: `${administratorWords(policy)} can add manager to that person in bellhop.yml.` },
      )
}

const refuseUnlistedRequester = (
  policy: Policy,
  requester: Account,
  clauses: readonly Clause[],
): Refusal | undefined =>
  !needsApproval(clauses) || isListed(policy, requester)
    ? undefined
    : refusal(
        'unlisted',
        `This needs somebody else’s approval, and bellhop.yml does not list ${wordsOf(requester)}, which asks for it: nobody could tell that it is somebody else.`,
        { next: whoCanList(policy) },
      )

/** Why somebody cannot decide about what another account asked for, whatever their roles. */
export const refuseUnlisted = (
  policy: Policy,
  decider: Account,
  { requester }: Pick<Change, 'requester'>,
): Refusal | undefined => {
  const missing = [decider, requester].find((one) => !isListed(policy, one))
  if (missing === undefined) return undefined
  const side = missing === decider ? 'you are not who asked' : 'somebody else asked'
  return refusal(
    'unlisted',
    `bellhop.yml does not list ${wordsOf(missing)}, so nobody can tell that ${side}.`,
    {
      next: whoCanList(policy),
    },
  )
}

const wordsOf = ({ platform, account }: Account): string => `the ${platform} account ${account}`

const whoCanList = (policy: Policy): string =>
  `${administratorWords(policy)} can add it to its person in bellhop.yml.`

/**
 * "The role finance may run it; ask one of: Fay, Finn." For whoever the file lists: those of one workspace know each other. An
 * agent reads the roles alone.
 */
export const whoMayRun = (
  policy: Policy,
  { space, agent }: Pick<Party, 'space' | 'agent'>,
  names: readonly string[],
): string => {
  const roles = Object.keys(policy.roles).filter((role) => mayRun(policy, { roles: [role] }, names))
  if (roles.length === 0) return 'No role may run it yet.'
  const people = policy.people.filter(
    ({ id, roles: own }) =>
      mayRun(policy, { roles: own }, names) && isListedIn(policy, id, { requester: { space } }),
  )
  const ask =
    people.length === 0 || agent !== undefined
      ? ''
      : `; ask one of: ${fewNames(people.map(({ name }) => name))}`
  return `The role${roles.length === 1 ? '' : 's'} ${roles.join(' and ')} may run it${ask}.`
}

/** Who can help, for a refusal to name. */
export const administratorWords = (policy: Policy): string =>
  fewNames(
    administratorsOf(policy).map(({ name }) => name),
    'Whoever keeps bellhop.yml',
  )
