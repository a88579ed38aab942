import type { GroupsNow } from '../../kernel/actors/membership.ts'
import type { Party } from '../../kernel/model/change.ts'
import { isListed } from '../../kernel/policy/listed.ts'
import { mayApprove, rolesNow } from '../../kernel/policy/people.ts'
import type { Granted, Policy } from '../../kernel/policy/policy.ts'
import { allAccountsOf } from '../../kernel/policy/workspaces.ts'
import { type GrantRule, grantRulesOf, isCoverable, ruleDigestOf } from './section.ts'
import type { Grant } from './store.ts'

/** The rule that a grant rests on, if the file still says it as it was. */
export const ruleOfGrant = (
  policy: Partial<Policy>,
  { rule, digest }: Pick<Grant, 'rule' | 'digest'>,
): GrantRule | undefined =>
  grantRulesOf(policy).find((one) => one.name === rule && ruleDigestOf(one) === digest)

/**
 * Why a grant is over by now: its time, the rule that it rests on, or somebody behind it who has left. Where no groups were
 * asked, the roles that somebody could have by groups count.
 */
export const whyOver = (
  policy: Policy,
  grant: Omit<Grant, 'id' | 'at' | 'endedAt' | 'why'>,
  now: number,
  groups: GroupsNow = () => undefined,
): string | undefined => {
  if (now >= grant.endsAt) return 'its time is over'
  const rule = ruleOfGrant(policy, grant)
  if (rule === undefined) return `the rule "${grant.rule}" of bellhop.yml is another by now`
  if (!grant.commands.every(isCoverable)) return 'nobody can be given this any more'
  const { holder } = grant
  const roles = rolesOfHolder(policy, holder.id)
  if (roles === undefined) return `bellhop.yml no longer lists ${holder.name}`
  if (rule.to.length > 0 && !rule.to.some((role) => roles.includes(role)))
    return `${holder.name} no longer has the role ${rule.to.join(' or ')}`
  const gone = giversOf(grant).find((party) => !isListed(policy, party))
  if (gone !== undefined) return `bellhop.yml no longer lists ${gone.name}`
  const rolesOf = (party: Party) => rolesNow(policy, party, groups(party))
  const { from } = rule.require
  const weak =
    grant.approvers.find((party) => {
      const own = rolesOf(party)
      const isAsked = from.length === 0 || from.some((role) => own.includes(role))
      return !isAsked || !mayApprove(policy, { roles: own }, ['grant create'])
    }) ?? (mayGive(policy, grant, rolesOf(grant.by)) ? undefined : grant.by)
  return weak && `${weak.name} no longer has the role that gave it`
}

/** Whoever approves in advance may approve each of these commands, now as then. */
const mayGive = (
  policy: Policy,
  { does, commands }: Pick<Grant, 'does' | 'commands'>,
  roles: readonly string[],
): boolean => does === 'run' || commands.every((name) => mayApprove(policy, { roles }, [name]))

/** Those who have given it: who approved it, and who asked for it where that is somebody else than its holder. */
export const giversOf = ({ by, approvers, holder }: Pick<Grant, 'by' | 'approvers' | 'holder'>): Party[] =>
  by.person === holder.id ? approvers : [by, ...approvers]

/** The roles of a person or an agent of the file, with those of every group that a person could be in. */
const rolesOfHolder = ({ people, agents, groups }: Policy, id: string): readonly string[] | undefined => {
  const person = people.find((one) => one.id === id)
  if (person === undefined) return agents.find((one) => one.id === id)?.roles
  const byGroup = allAccountsOf(person).flatMap(({ platform }) =>
    Object.values(groups[platform] ?? {}).flat(),
  )
  return [...person.roles, ...byGroup]
}

/** As the kernel looks at it. */
export const grantedOf = (policy: Policy, grant: Grant): Granted => {
  const { id, holder, endsAt, does, commands, by, upTo, payer, list } = grant
  const to = ruleOfGrant(policy, grant)?.to ?? []
  return does === 'run'
    ? { id, holder: holder.id, to, endsAt, run: commands }
    : {
        id,
        holder: holder.id,
        to,
        endsAt,
        run: [],
        advance: {
          giver: by.person,
          commands,
          ...(upTo === undefined ? {} : { upTo }),
          ...(payer === undefined ? {} : { payer }),
          ...(list === undefined ? {} : { list }),
        },
      }
}
