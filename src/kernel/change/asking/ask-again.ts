import type { ChangeCommand } from '../../command/define.ts'
import { addedTo, combine, leastClause, needsOf } from '../../law/clauses.ts'
import { driftBetween } from '../../law/drift.ts'
import type { LawEvent } from '../../law/law.ts'
import type { Change } from '../../model/change.ts'
import type { PolicyDecision } from '../../policy/evaluate.ts'
import { type Prepared, termsOf } from './prepare.ts'

/**
 * The change with its plan as it is now and all that is asked for it, then and now: votes so far are void. What once
 * was asked for stays, and somebody confirms at least.
 */
export const askAgain = (
  definition: ChangeCommand,
  change: Change,
  { isOther = false, ...prepared }: Prepared & { isOther?: boolean },
  decision: PolicyDecision,
  at: number,
): Extract<LawEvent, { kind: 'ask_again' }> => {
  const all = combine(change.clauses, decision.clauses)
  const clauses = all.length === 0 ? [leastClause(change.requester.agent)] : all
  const holdMs = Math.max(change.holdMs ?? 0, decision.holdMs ?? 0)
  const terms = termsOf(
    definition,
    { ...prepared, recipient: change.recipient, tell: change.tell },
    { ...decision, clauses, ...(holdMs === 0 ? {} : { holdMs }) },
    at,
    change.round,
  )
  const added = addedTo(change.clauses, decision.clauses)
  const why =
    isOther || added.length === 0
      ? otherThanShown
      : `The policy now also asks for ${added.map(withReason).join(' and ')}. Votes so far are void; please decide again.`
  return { kind: 'ask_again', terms, drift: driftBetween(change, terms, why), at }
}

const otherThanShown =
  'What would be changed is no longer what was shown. Votes so far are void; please look again.'

const withReason = (clause: Change['clauses'][number]): string =>
  clause.kind === 'confirm' ? needsOf(clause) : `${needsOf(clause)} (${clause.because})`
