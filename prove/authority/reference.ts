import type { Need, Policy, Rule } from '../../src/policy/policy.ts'
import type { Account, World } from './world.ts'

/** What was asked for, as the model remembers it. */
export type Asked = { names: readonly string[]; isMoney: boolean; amount: number; by: Account }
export type Press = { by: Account; digest: string }

/** Who an account is by the file as it is now: written a second time here, so that no fault is shared. */
export const personIn = (
  { policy }: Pick<World, 'policy'>,
  { platform, account, workspace }: Account,
): string =>
  (workspace === undefined
    ? policy.people.find((one) => one.accounts[platform] === account)?.id
    : undefined) ?? [platform, workspace, account].join(' ')

const rolesIn = ({ policy, members }: World, by: Account): string[] => {
  if (by.workspace !== undefined) return []
  const listed = policy.people.find((one) => one.accounts[by.platform] === by.account)?.roles ?? []
  const inGroups = by.platform === 'slack' ? (members.get(by.account) ?? []) : []
  return [...listed, ...inGroups.flatMap((group) => policy.groups.slack?.[group] ?? [])]
}

const isAbout = (patterns: readonly string[], name: string): boolean =>
  patterns.some((pattern) => pattern === '*' || pattern === name)

export const mayAsk = (world: World, { names, by }: Asked): boolean =>
  names.some(
    (name) =>
      isAbout(world.policy.everyone.run, name) ||
      rolesIn(world, by).some((role) => isAbout(world.policy.roles[role]?.run ?? [], name)),
  )

export const mayApproveIn = (world: World, { names }: Pick<Asked, 'names'>, by: Account): boolean =>
  names.some((name) =>
    rolesIn(world, by).some((role) => isAbout(world.policy.roles[role]?.approve ?? [], name)),
  )

/** What the rules of a file ask for: of each name the first that matches. */
export const needsIn = (policy: Policy, { names, isMoney, amount }: Asked): Need[] => {
  const fits = (rule: Rule, name: string) =>
    isAbout(rule.commands, name) && amount <= (rule.amount?.upTo ?? Infinity)
  const rules = names.flatMap((name) => policy.policies.find((rule) => fits(rule, name)) ?? [])
  const asked = rules.flatMap(({ require }) => require)
  const least: Need = isMoney ? { kind: 'approvals', count: 1, from: [] } : { kind: 'confirm' }
  return rules.length === 0 || (isMoney && asked.length === 0) ? [least] : asked
}

/** The needs that nobody has met who may do so now; none, if the change may run. */
export const unmet = (
  world: World,
  asked: Asked,
  needs: readonly Need[],
  presses: readonly Press[],
  digest: string,
): Need[] => {
  const requester = personIn(world, asked.by)
  const current = presses.filter((press) => press.digest === digest)
  const approvers = current
    .map(({ by }) => by)
    .filter((by) => personIn(world, by) !== requester && mayApproveIn(world, asked, by))
  const isConfirmed = current.some(({ by }) => personIn(world, by) === requester)
  return needs.filter((need) => {
    // An approval says more than a confirmation.
    if (need.kind === 'confirm') return !isConfirmed && approvers.length === 0
    const people = approvers
      .filter((by) => need.from.length === 0 || rolesIn(world, by).some((role) => need.from.includes(role)))
      .map((by) => personIn(world, by))
    return new Set(people).size < need.count
  })
}
