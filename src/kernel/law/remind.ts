import { no, ok, type Result } from '../../lib/result.ts'
import { due } from '../../lib/view/format.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { sentence } from '../../lib/view/words.ts'
import type { ApprovalClause, Change, Clause, Escalation, Party } from '../model/change.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { needsApproval } from './clauses.ts'

export type ReminderEvent =
  /** The reminder of the policy with this number. */
  | { kind: 'remind'; step: number; at: number }
  /** One that somebody asks for. */
  | { kind: 'nudge'; by: Party; mayVote: boolean; at: number }
  | { kind: 'escalate'; at: number }

/** When the next escalation of a change is due; undefined once all of them are over. */
export const escalationAt = ({
  clauses,
  createdAt,
}: Pick<Change, 'clauses' | 'createdAt'>): number | undefined => {
  const waits = clauses.flatMap((clause) =>
    clause.kind === 'approvals'
      ? (clause.escalate ?? []).filter(isOpen(clause)).map(({ afterMs }) => afterMs)
      : [],
  )
  return waits.length === 0 ? undefined : createdAt + Math.min(...waits)
}

/**
 * What a reminder or an escalation makes of a change that waits; undefined when this step is over. Each step is taken
 * once, and no clause asks for less after it.
 */
export const remind = (change: Change, event: ReminderEvent): Result<Partial<Change>> | undefined => {
  const { reminded = 0, nudges = [], reminder } = change
  const next = (why: string, more: Partial<Change>) =>
    ok({ reminder: { n: (reminder?.n ?? 0) + 1, why }, ...more })
  switch (event.kind) {
    case 'remind':
      return event.step === reminded
        ? next(`Reminder${reminded === 0 ? '' : ` ${reminded + 1}`}`, { reminded: reminded + 1 })
        : undefined
    case 'nudge': {
      const refused = refuseNudge(change, event)
      if (refused !== undefined) return no(refused)
      const { person, name } = event.by
      return next(`${name} asks again`, { nudges: [...nudges, { person, at: event.at }] })
    }
    case 'escalate': {
      const { clauses, roles } = escalated(change, event.at)
      return roles.length === 0 ? undefined : next(`Escalated to ${roles.join(' and ')}`, { clauses })
    }
  }
}

const escalated = (change: Change, at: number): { clauses: Clause[]; roles: string[] } => {
  const roles = new Set<string>()
  const clauses = change.clauses.map((clause): Clause => {
    if (clause.kind !== 'approvals') return clause
    const due = (clause.escalate ?? [])
      .filter(({ afterMs }) => change.createdAt + afterMs <= at)
      .filter(isOpen(clause))
      .flatMap(({ to }) => to)
    for (const role of due) roles.add(role)
    return due.length === 0 ? clause : { ...clause, also: [...new Set([...(clause.also ?? []), ...due])] }
  })
  return { clauses, roles: [...roles] }
}

const isOpen =
  ({ also = [] }: Pick<ApprovalClause, 'also'>) =>
  ({ to }: Escalation): boolean =>
    !to.every((role) => also.includes(role))

/** How often people may ask for a reminder of one change, and how long they wait in between. */
const limit = { most: 3, pauseMs: 5 * 60_000 }

const refuseNudge = (
  { clauses, requester, changedBy, nudges = [] }: Change,
  { by, mayVote, at }: Extract<ReminderEvent, { kind: 'nudge' }>,
): Refusal | undefined => {
  if (!needsApproval(clauses)) {
    return refusal('not_allowed_now', `Only ${requester.name} can confirm this, so nobody is reminded.`, {
      next: 'Wait, or ask them.',
    })
  }
  if (!requestAuthors({ requester, changedBy }).includes(by.person) && !mayVote) {
    return refusal(
      'not_requester',
      `Only ${requester.name} and those who may approve this can remind people of it.`,
    )
  }
  if (nudges.length >= limit.most) {
    return refusal('not_allowed_now', `People were reminded of this ${limit.most} times by hand already.`, {
      next: 'Talk to one of them, or cancel the request.',
    })
  }
  const again = (nudges.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + limit.pauseMs
  return at < again
    ? refusal('not_allowed_now', 'People were reminded of this a moment ago.', {
        next: sentence`Remind them again at ${due(again)} or later.`,
      })
    : undefined
}
