import { canonicalJson, digestOf } from '../../../lib/codecs/canonical-json.ts'
import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { serviceWords } from '../../../lib/services/endpoints/tables.ts'
import { isServiceError } from '../../../lib/services/errors.ts'
import { isSameButMarked, theirs } from '../../../lib/view/outside.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { boundOf } from '../../context/bound.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import type { Terms } from '../../law/law.ts'
import { type Bound, type Facts, isSameBound, isSameFact, isWholeFact } from '../../model/bound.ts'
import type { Area, Change, Clause, Pinned } from '../../model/change.ts'
import type { PolicyDecision } from '../../policy/evaluate.ts'
import { startOfIntact } from './pinned-set.ts'

/** Whom a change is for, as people know them. */
export type Addressee = { [key in 'recipient' | 'tell']?: Change[key] | undefined }

/** `recipient`: the name of whom it is for, once it was looked up, and `tell` what writes to them. */
export type Prepared = {
  plan: unknown
  bound?: Bound | undefined
  amount: number | null
  currency: string | null
} & Addressee

/** `bind` says what another plan of the same change would come to. */
export type Planned = Prepared & { bound: Bound; bind(plan: unknown): Bound }

/** Prepares the plan and checks it with its schema; the stored plan is what will be applied. */
export const prepare = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  input: Input,
  pinned?: Pinned,
  askedAt?: number,
): Promise<Result<Planned>> => {
  const members = pinned === undefined ? [] : await startOfIntact(core.store, pinned)
  if (members === undefined) {
    return no(refusal('changed_since', 'The stored items of this request are missing or have changed.'))
  }
  await core.services.ready(definition.uses)
  const bind = (one: unknown) => boundOf(definition, one, pinned && { digest: pinned.digest, members })
  const planned = await definition.prepare(input, readContext(core, actor, askedAt), pinned)
  if (!planned.ok) return planned
  const plan = definition.plan.parse(planned.value)
  const amount = definition.amountOf?.(plan)
  try {
    const bound = bind(plan)
    return ok({ plan, bound, bind, amount: amount?.value ?? null, currency: amount?.currency ?? null })
  } catch (error) {
    if (!isServiceError(error)) throw error
    const words = `${serviceWords(error.service)} does not take this: ${error.serviceMessage === undefined ? 'it does not fit' : theirs(error.serviceMessage, 300)}`
    return no(
      refusal('bad_value', `${words.replace(/^t/, 'T')}.`, {
        next: 'Nothing was sent. Correct it and try again.',
      }),
    )
  }
}

/** What people are asked to decide on, identified by a digest that every vote carries. */
export const termsOf = (
  definition: ChangeCommand,
  { plan, bound, amount, currency, recipient, tell }: Prepared,
  decision: PolicyDecision,
  now: number,
  round?: number,
) => {
  const { policy, rule, clauses, warnings, holdMs, canary, notify, remindMs } = decision
  const terms = { plan, bound, rule, clauses, holdMs, canary, ...defined({ round }) }
  return {
    ...terms,
    policy,
    ...defined({ notify, remindMs }),
    amount,
    currency,
    ...defined({ recipient, tell }),
    preview: { ...definition.preview(plan, recipient), ...defined({ quote: definition.reasonOf?.(plan) }) },
    warnings,
    expiresAt: now + decision.expiresInMs,
    lookUps: definition.lookUps?.(plan) ?? [],
    digest: digestOfTerms(definition, terms),
  }
}

type VotedTerms = Pick<Terms, 'plan' | 'bound' | 'rule' | 'clauses' | 'holdMs' | 'canary' | 'round'>

/**
 * A vote is valid only for this digest of the command, of what would be sent and was weighed, and of the requirement. Of a
 * change that an older version stored it is of the whole plan, as the votes for it are.
 */
export const digestOfTerms = (
  { name }: Pick<ChangeCommand, 'name'>,
  { plan, bound, rule, clauses, holdMs, canary, round }: VotedTerms,
): string =>
  digestOf({
    command: name,
    ...(bound === undefined ? { plan, rule } : { bound }),
    requirement: boundBy(clauses),
    holdMs,
    canary,
    ...defined({ round }),
  })

/** Whether what is planned now is what was decided on: the same is sent, and what was weighed is as it was. */
export const isAsDecided = (definition: ChangeCommand, change: Change, { plan, bound, bind }: Planned) => {
  if (digestOfTerms(definition, change) !== change.digest) return false
  if (change.bound === undefined && canonicalJson(plan) === canonicalJson(change.plan)) return true
  const stored = definition.plan.safeParse(change.plan)
  if (!stored.success) return false
  try {
    const then = bind(stored.data)
    if (!isSameBound(then, bound)) return false
    if (change.bound !== undefined) return isSameBound(change.bound, bound)
    // A fact that an older version did not store by itself stands in what it showed, which had no marks around words from outside.
    return (
      isWholeFact(then.facts, bound.facts) || isSameFact(stored.data as Facts, plan as Facts, isSameButMarked)
    )
  } catch (error) {
    if (!isServiceError(error)) throw error
    return false
  }
}

/** One clause is written as the one requirement that there was before: votes and buttons of that time stay good. */
const boundBy = (clauses: readonly Clause[]) => {
  const [first = { kind: 'none' }, ...more] = clauses.map((clause) =>
    clause.kind === 'confirm'
      ? clause
      : {
          kind: clause.kind,
          count: clause.count,
          from: clause.from,
          ...defined({
            stage: clause.stage,
            people: clause.people?.map(({ person }) => person),
            sign: clause.sign,
          }),
        },
  )
  return more.length === 0 ? first : [first, ...more]
}

/** Two requests of the same intent are the same request. */
export const intentOf = (definition: ChangeCommand, input: Input, pinned?: Pinned): string =>
  digestOf(
    definition.intent === undefined
      ? { command: policyNamesOf(definition).toSorted(), input }
      : definition.intent(input, pinned),
  )

/** The area that freezes and the policy judge it by. */
export const areaOf = (definition: Pick<ChangeCommand, 'area' | 'areaOf'>, input: Input): Area =>
  definition.areaOf?.(input) ?? definition.area

export const policyNamesOf = (definition: Pick<ChangeCommand, 'name' | 'sameAs'>): string[] => [
  ...new Set([definition.name, ...(definition.sameAs ?? [])]),
]

/** The names under any of which somebody may run it. */
export const ownNamesOf = (command: Command): string[] =>
  command.kind === 'change' ? policyNamesOf(command) : [command.name]
