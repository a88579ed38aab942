import { refuseNonDecider } from '../../kernel/actors/authorization.ts'
import type { TypedAmount } from '../../kernel/command/amount.ts'
import type { Actor } from '../../kernel/command/context.ts'
import { isMoneyCommand } from '../../kernel/command/moves-money.ts'
import type { Core } from '../../kernel/core.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import { mayApprove, mayRun } from '../../kernel/policy/people.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { fewNames, money } from '../../lib/view/format.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { type GrantRule, grantRulesOf, isCoverable, ruleDigestOf } from './section.ts'
import type { GrantTerms } from './store.ts'

export type WantedGrant = {
  to: string
  run?: readonly string[] | undefined
  approve?: readonly string[] | undefined
  endsAt: number
  upTo?: TypedAmount | undefined
  inAll?: TypedAmount | undefined
  times?: number | undefined
  payer?: string | undefined
  list?: string | undefined
  reason?: string | undefined
}

const bad = (message: string, field: string, next: string) =>
  no(refusal('bad_value', message, { field, next }))
const notGiven = (message: string, next: string): Refusal => refusal('not_granted', message, { next })

/** What would be given: refused where no rule of the file lets it be given, or where it would be nothing. */
export const grantTermsOf = (
  core: Core,
  actor: Actor,
  person: { id: string; name: string } | undefined,
  wanted: WantedGrant,
): Result<GrantTerms> => {
  const { policy, now } = core
  const does = wanted.approve === undefined ? 'run' : 'approve'
  const commands = [...new Set(wanted.approve ?? wanted.run ?? [])]
  if (!actor.known) return no(refusal('stranger', 'Only people whom bellhop.yml lists give and have grants.'))
  const agent = policy.agents.find(({ id, name }) => [id, name].includes(wanted.to.trim()))
  const holder = agent ?? person
  if (holder === undefined)
    return bad(
      `Nobody in bellhop.yml goes by ${asTyped(wanted.to.slice(0, 40))}.`,
      'to',
      'Write the id of a person or an agent there.',
    )
  if ((wanted.run === undefined) === (wanted.approve === undefined) || commands.length === 0)
    return bad(
      'A grant lets somebody run commands, or approves requests in advance.',
      'run',
      'Name commands with one of run and approve.',
    )
  const refused =
    refuseCommands(core, commands) ??
    (does === 'run' ? refuseRun(wanted) : refuseAdvance(core, actor, holder.id, commands, wanted))
  if (refused !== undefined) return no(refused)
  const roles = agent === undefined ? rolesOf(core, actor, holder.id) : agent.roles
  if (does === 'run' && commands.every((name) => mayRun({ ...policy, granted: [] }, { roles }, [name])))
    return no(
      refusal('nothing_to_change', `${holder.name} may run ${fewNames(commands)} already.`, {
        next: 'Run it.',
      }),
    )
  if (wanted.endsAt <= now())
    return no(notGiven('Its time would be over already.', 'Ask anew, with a later time.'))
  const rules = grantRulesOf(policy)
  if (rules.length === 0)
    return no(
      notGiven(
        'bellhop.yml lets nobody be given anything for a while: it has no grants.',
        'Ask who keeps bellhop.yml, or ask for the change of the file.',
      ),
    )
  const misfits = rules.map((rule) => ({
    rule,
    why: whyNot(rule, { does, commands, roles, endsAt: wanted.endsAt - now(), wanted }),
  }))
  const rule = misfits.find(({ why }) => why === undefined)?.rule
  if (rule === undefined) {
    const why = misfits.map((one) => `${one.rule.name}: ${one.why}`)
    return no(
      notGiven(
        `No rule under grants of bellhop.yml lets this be given. ${why.slice(0, 3).join('; ')}.`,
        'Ask for less, or ask who keeps bellhop.yml.',
      ),
    )
  }
  const { upTo, inAll, times, payer, list, reason } = wanted
  const sum = (given: TypedAmount | undefined) =>
    given && { value: given.value, currency: given.currency ?? rule.currency ?? '' }
  const bounds = { upTo: sum(upTo), inAll: sum(inAll), times, payer, list, reason }
  const given = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined))
  return ok({
    does,
    commands,
    holder: { id: holder.id, name: holder.name },
    endsAt: wanted.endsAt,
    rule: rule.name,
    digest: ruleDigestOf(rule),
    ...given,
  })
}

/** Whoever may not run a command asks for it with one press, where a rule of the file lets it be given to them. */
export const withGrant = (
  { policy, registry }: Core,
  actor: Actor,
  name: string,
  refused: Refusal,
): Refusal => {
  if (refused.code !== 'may_not_run' || !actor.known || actor.agent !== undefined) return refused
  const isGiven = grantRulesOf(policy).some(
    ({ run = [], to }) =>
      isAnyMatch(run, [name]) && (to.length === 0 || to.some((role) => actor.roles.includes(role))),
  )
  const isAskable = registry.get(name)?.name === name && mayRun(policy, actor, ['grant create'])
  return isGiven && isAskable && isCoverable(name)
    ? { ...refused, actions: [{ verb: 'ask_grant', id: name }] }
    : refused
}

/** How long a right lasts where nobody says: a day, or as long as its rule lets it. */
export const usualMs = (policy: Policy, { run, approve }: Pick<WantedGrant, 'run' | 'approve'>): number => {
  const longest = grantRulesOf(policy).flatMap((rule) => {
    const patterns = approve === undefined ? rule.run : rule.approve
    return (approve ?? run ?? []).every((name) => isAnyMatch(patterns ?? [], [name])) ? rule.for : []
  })
  return Math.min(dayMs, longest[0] ?? dayMs)
}

const dayMs = 24 * 3_600_000

/** Those of the file; whoever asks for themselves is known by their groups too. */
const rolesOf = ({ policy }: Core, actor: Actor, id: string): readonly string[] =>
  actor.person === id && actor.agent === undefined
    ? actor.roles
    : (policy.people.find((one) => one.id === id)?.roles ?? [])

const refuseCommands = ({ registry }: Core, commands: readonly string[]): Refusal | undefined => {
  const unknown = commands.find((name) => registry.get(name)?.name !== name)
  if (unknown !== undefined)
    return refusal('bad_value', 'One of these is no command.', {
      next: 'Name whole commands, such as "audit verify": bellhop help all lists them.',
    })
  const never = commands.find((name) => !isCoverable(name))
  return never === undefined
    ? undefined
    : notGiven(
        `Nobody is given ${never} for a while: it is about rights, keys, people or the brake.`,
        'Ask who keeps bellhop.yml.',
      )
}

const refuseRun = ({ upTo, inAll, times, payer, list }: WantedGrant): Refusal | undefined =>
  [upTo, inAll, times, payer, list].every((bound) => bound === undefined)
    ? undefined
    : refusal(
        'bad_value',
        'Sums, counts, a payer and a list bound what is approved in advance, not what somebody may run.',
        { next: 'Leave them out, or name the commands with approve.' },
      )

/** Nobody approves in advance what they could not approve, what they ask for themselves, or what nobody has counted. */
const refuseAdvance = (
  { policy, registry }: Core,
  actor: Actor,
  holder: string,
  commands: readonly string[],
  { upTo, times }: WantedGrant,
): Refusal | undefined => {
  const unknown = refuseNonDecider(actor, 'approve')
  if (unknown !== undefined) return unknown
  const own = policy.agents.find(({ id }) => id === holder)?.owner ?? holder
  if (own === actor.person)
    return refusal('own_request', 'Nobody approves their own requests, in advance or otherwise.', {
      next: 'Somebody else who may approve them can.',
    })
  const notTheirs = commands.find((name) => !mayApprove({ ...policy, granted: [] }, actor, [name]))
  if (notTheirs !== undefined)
    return refusal('may_not_approve', `You may not approve ${notTheirs}, so you cannot do so in advance.`, {
      next: 'Somebody who may approve it can.',
    })
  const changes = commands.flatMap((name) => {
    const command = registry.get(name)
    return command?.kind === 'change' ? command : []
  })
  if (changes.length < commands.length)
    return refusal('bad_value', 'Only changes are approved.', {
      next: 'Name commands that change something.',
    })
  if (times === undefined)
    return refusal('bad_value', 'How many requests is that?', {
      field: 'times',
      next: (as) => `Say it with ${as.flag('times')}.`,
    })
  const moving = changes.filter(
    (command) => isMoneyCommand(command) || typeof command.movesMoney === 'function',
  )
  const uncounted = moving.find(({ amountOf }) => amountOf === undefined)
  if (uncounted !== undefined)
    return notGiven(
      `The sum of ${uncounted.name} is never known before, so nobody approves it in advance.`,
      'Approve each as it comes.',
    )
  if (moving.length === 0 && upTo !== undefined)
    return refusal('bad_value', `${fewNames(commands)} moves no money that a sum could bound.`, {
      field: 'up-to',
      next: 'Leave the sum out.',
    })
  return moving.length > 0 && upTo === undefined
    ? refusal('bad_value', 'Up to which sum for one request?', {
        field: 'up-to',
        next: (as) => `Say it with its currency, with ${as.flag('up-to')}.`,
      })
    : undefined
}

type Asked = Pick<GrantTerms, 'does' | 'commands'> & {
  roles: readonly string[]
  endsAt: number
  wanted: WantedGrant
}

/** Why a rule does not let this be given; undefined where it does. */
const whyNot = (
  rule: GrantRule,
  { does, commands, roles, endsAt: ms, wanted }: Asked,
): string | undefined => {
  const patterns = rule[does]
  if (patterns === undefined || !commands.every((name) => isAnyMatch(patterns, [name])))
    return `it is about ${does === 'run' ? 'running' : 'approving in advance'} other commands`
  if (rule.to.length > 0 && !rule.to.some((role) => roles.includes(role)))
    return `it is for ${rule.to.join(' and ')}`
  if (ms > rule.for) return 'it is for a shorter time'
  const { upTo, inAll, times } = wanted
  if (times !== undefined && times > (rule.times ?? 0)) return `it is for ${rule.times ?? 0} requests at most`
  const currencies = [upTo, inAll].flatMap((sum) => sum?.currency ?? [])
  if (currencies.some((one) => one !== rule.currency))
    return `its sums are in ${rule.currency ?? 'no currency'}`
  if ([upTo, inAll].some((sum) => sum !== undefined) && rule.currency === undefined) return 'it has no sums'
  if (upTo !== undefined && rule.upTo !== undefined && upTo.value > rule.upTo)
    return `it is for ${money(rule.upTo, { code: rule.currency ?? null })} at most`
  if (upTo !== undefined && rule.upTo === undefined) return 'it says no upTo'
  return rule.inAll !== undefined && inAllOf(wanted) > rule.inAll
    ? `it is for ${money(rule.inAll, { code: rule.currency ?? null })} in all`
    : undefined
}

/** What all requests together can come to. */
const inAllOf = ({ upTo, inAll, times = 0 }: WantedGrant): number =>
  Math.min(inAll?.value ?? Number.POSITIVE_INFINITY, (upTo?.value ?? 0) * times)
