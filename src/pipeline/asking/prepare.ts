import type { Terms } from '../../approvals/law.ts'
import { isIntact } from '../../bulk/pinned-set.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import { defined } from '../../defined.ts'
import { digestOf } from '../../model/canonical-json.ts'
import type { Area, Change, Clause, Pinned } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import type { PolicyDecision } from '../../policy/evaluate.ts'
import { refusal } from '../../view/refusals.ts'

/** Whom a change is for, as people know them. */
export type Addressee = { [key in 'recipient' | 'tell']?: Change[key] | undefined }

/** `recipient`: the name of whom it is for, once it was looked up, and `tell` what writes to them. */
export type Prepared = {
  plan: unknown
  amount: number | null
  currency: string | null
} & Addressee

/** Prepares the plan and checks it with its schema; the stored plan is what will be applied. */
export const prepare = async (
  core: Core,
  asker: Asker,
  definition: ChangeCommand,
  input: Input,
  pinned?: Pinned,
  askedAt?: number,
): Promise<Result<Prepared>> => {
  if (pinned !== undefined && !(await isIntact(core.store, pinned))) {
    return no(refusal('changed_since', 'The stored items of this request are missing or have changed.'))
  }
  const planned = await definition.prepare(input, readContext(core, asker, askedAt), pinned)
  if (!planned.ok) return planned
  const plan = definition.plan.parse(planned.value)
  const amount = definition.amountOf?.(plan)
  return ok({ plan, amount: amount?.value ?? null, currency: amount?.currency ?? null })
}

/** What people are asked to decide on, identified by a digest that every vote carries. */
export const termsOf = (
  definition: ChangeCommand,
  { plan, amount, currency, recipient, tell }: Prepared,
  decision: PolicyDecision,
  now: number,
  round?: number,
) => {
  const { policy, rule, clauses, warnings, holdMs, canary, notify, remindMs } = decision
  const terms = { plan, rule, clauses, holdMs, canary, ...defined({ round }) }
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

type VotedTerms = Pick<Terms, 'plan' | 'rule' | 'clauses' | 'holdMs' | 'canary' | 'round'>

/** A vote is valid only for this digest of the command, the plan and the requirement. */
export const digestOfTerms = (
  { name }: Pick<ChangeCommand, 'name'>,
  { plan, rule, clauses, holdMs, canary, round }: VotedTerms,
): string =>
  digestOf({
    command: name,
    plan,
    rule,
    requirement: boundBy(clauses),
    holdMs,
    canary,
    ...defined({ round }),
  })

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
