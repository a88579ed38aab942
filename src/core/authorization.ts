import type { Asker } from '../command/context.ts'
import type { ChangeCommand } from '../command/define.ts'
import { defined } from '../defined.ts'
import type { Inbound } from '../messenger/inbound.ts'
import type { Change, Party } from '../model/change.ts'
import { isConfirmOnly } from '../policy/clauses.ts'
import { isFrozen, mayVote } from '../policy/evaluate.ts'
import { approveNamesOf, mayRun, personOf } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import type { Store } from '../storage/store.ts'
import { type Refusal, refusal } from '../view/refusals.ts'

export const askerOf = (policy: Policy, from: Inbound['from']): Asker => {
  const { operator } = from
  const person = personOf(policy, from)
  return {
    ...person,
    // On cards and in the audit log, wherever the name stands.
    name: operator === undefined ? person.name : `${person.name} (said by ${operator} on the machine)`,
    platform: from.platform,
    account: from.account,
    groups: from.groups,
    ...defined({ workspace: from.workspace, operator }),
  }
}

/** A decision is worth something only if it is known whose it is. */
export const whyNoDecider = ({ operator }: Asker): Refusal | undefined =>
  operator === undefined
    ? undefined
    : refusal('may_not_approve', 'Here nobody can tell who you are, so nothing is decided here.', {
        next: 'Decide in your messenger or in the console.',
      })

export const partyOf = ({ person, name, platform, account, workspace, roles }: Asker): Party => ({
  person,
  name,
  platform,
  account,
  ...defined({ workspace }),
  roles: [...roles],
})

/** Denies when no rule matches. */
export const whyNotRun = (policy: Policy, asker: Asker, names: readonly string[]): Refusal | undefined => {
  if (mayRun(policy, asker, names)) return undefined
  if (!asker.known && asker.roles.length === 0) {
    return refusal(
      'stranger',
      `Your ${asker.platform} account (${asker.account}) is not linked to anybody here.`,
    )
  }
  return refusal(
    'may_not_run',
    `None of your roles (${asker.roles.join(', ') || 'none'}) may run ${names[0]}.`,
  )
}

/** The right to ask for a change that was asked for: through a switch it takes the switch, and what it stands for. */
export const whyNotRunNow = (
  policy: Policy,
  asker: Asker,
  { command, names, standsFor }: Pick<Change, 'command' | 'names' | 'standsFor'>,
): Refusal | undefined =>
  standsFor === undefined
    ? whyNotRun(policy, asker, names)
    : (whyNotRun(policy, asker, [command]) ?? whyNotRun(policy, asker, standsFor))

export const whyFrozen = async (
  { freezes: kept }: Pick<Store, 'freezes'>,
  area: ChangeCommand['area'],
): Promise<Refusal | undefined> => {
  const freezes = await kept.all()
  const frozen = freezes.find((freeze) => isFrozen([{ area: freeze.area as ChangeCommand['area'] }], area))
  if (frozen === undefined) return undefined
  const reason = frozen.reason ? `: ${frozen.reason}` : ''
  return refusal(
    'frozen',
    `${frozen.area === 'all' ? 'All' : `The ${frozen.area}`} changes are frozen by ${frozen.name}${reason}.`,
    {
      next: `Wait, or ask somebody who may run: unfreeze ${frozen.area}`,
    },
  )
}

export const mayDecide = (policy: Policy, asker: Pick<Asker, 'roles'>, change: Change): boolean =>
  mayVote(policy, asker, change.clauses, approveNamesOf(change))

/** What somebody confirms alone is theirs alone, until nobody knows what became of it. */
export const maySee = (policy: Policy, asker: Asker, change: Change): boolean =>
  change.requester.person === asker.person ||
  ((!isConfirmOnly(change.clauses) || change.state === 'unknown') &&
    (mayDecide(policy, asker, change) || mayRun(policy, asker, ['approval list'])))
