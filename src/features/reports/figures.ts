import type { AuditEntry } from '../../kernel/model/audit-entry.ts'
import type { ChangeState } from '../../kernel/model/change.ts'
import { purposeOf, recordOf, textOf } from '../../kernel/model/purpose.ts'

/** What the audit log says of one change, and nothing but the log: whoever has the export can work it out again. */
export type ChangeRecord = {
  id: string
  command: string
  names: readonly string[]
  requester: { person: string; name: string }
  rule: string
  amount: number | null
  currency: string | null
  reason: string | null
  customer: string | null
  /** What it is taken from, as far as its plan says so. */
  target: string | null
  askedAt: number
  /** It was asked for where nothing is sent, or decided on there, which ended it. */
  withheld?: 'asked' | 'decided'
  /** Somebody else than the requester had to agree. */
  neededApproval: boolean
  state: ChangeState
  /** When it came into this state. */
  changedAt: number
  decision: { state: 'approved' | 'rejected'; at: number } | undefined
  /** `isInAdvance`: by a grant, before there was the request. */
  votes: { person: string; name: string; at: number; isYes: boolean; isInAdvance?: true }[]
}

/** The changes that these entries are about, the first asked first. Entries come in the order of the log. */
export const changesIn = async (entries: AsyncIterable<AuditEntry>): Promise<ChangeRecord[]> => {
  const changes = new Map<string, ChangeRecord>()
  for await (const entry of entries) {
    if (entry.changeId === null) continue
    const known = changes.get(entry.changeId) ?? startOf(entry, entry.changeId)
    if (known !== undefined) changes.set(entry.changeId, after(known, entry))
  }
  return [...changes.values()].sort((one, other) => one.askedAt - other.askedAt)
}

/** A change as a report counts it. Somebody who may not see it learns neither its id nor whom it is about. */
export type CountedChange = ChangeRecord & {
  isSeen: boolean
  /** The same for all requests of one person, whether they may be named or not. */
  requesterKey: number
}

/** How the person behind a change is called that the reader may not see. */
export const notShown = { person: '', name: 'not shown' }

/** All of them, without names where the reader does not see the change; without a question, all are seen. */
export const namedAsFarAs = async (
  changes: readonly ChangeRecord[],
  seenAmong?: (ids: readonly string[]) => Promise<{ id: string }[]>,
): Promise<CountedChange[]> => {
  const seen = new Set<string>()
  for (let at = 0; seenAmong !== undefined && at < changes.length; at += atOnce) {
    const some = await seenAmong(changes.slice(at, at + atOnce).map(({ id }) => id))
    for (const { id } of some) seen.add(id)
  }
  const keys = new Map<string, number>()
  return changes.map((change) => {
    const { person } = change.requester
    const requesterKey = keys.get(person) ?? keys.size
    keys.set(person, requesterKey)
    return seenAmong === undefined || seen.has(change.id)
      ? { ...change, isSeen: true, requesterKey }
      : {
          ...change,
          id: '',
          requester: notShown,
          reason: null,
          customer: null,
          target: null,
          votes: change.votes.map((vote) => ({ ...vote, ...notShown })),
          isSeen: false,
          requesterKey,
        }
  })
}

const atOnce = 500

/** A change whose request is older than these entries says itself, at its end, what it was. */
const startOf = ({ kind, who, name, at, command, doc }: AuditEntry, id: string): ChangeRecord | undefined => {
  const about = kind === 'asked' ? doc : recordOf(doc.of)
  if (kind !== 'asked' && doc.of === undefined) return undefined
  const {
    reason,
    customer,
    target = null,
  } = kind === 'asked' ? purposeOf(doc.plan) : (about as ReturnType<typeof purposeOf>)
  return {
    id,
    command,
    names: Array.isArray(about.names) ? about.names.map(String) : [command],
    requester:
      kind === 'asked' ? { person: who, name } : { person: String(about.person), name: String(about.name) },
    rule: String(doc.rule ?? ''),
    amount: typeof about.amount === 'number' ? about.amount : null,
    currency: textOf(about.currency),
    reason,
    customer,
    target,
    askedAt: kind === 'asked' ? at : Number(about.askedAt),
    neededApproval: isApprovalAmong(about.clauses) || about.neededApproval === true,
    state: 'pending',
    changedAt: at,
    decision: undefined,
    votes: [],
  }
}

const after = (change: ChangeRecord, { kind, who, name, at, doc }: AuditEntry): ChangeRecord => {
  const state = kind === 'asked' ? startState(doc.clauses) : stateIn(doc.state)
  if (state === undefined) return change
  const isVote = kind === 'approved' || kind === 'rejected'
  const decision =
    state === 'approved' || state === 'rejected'
      ? (change.decision ?? { state, at })
      : kind === 'asked again' || kind === 'changed' || kind === 'votes lapsed'
        ? undefined
        : change.decision
  return {
    ...change,
    ...(kind === 'asked again' || kind === 'changed' ? termsIn(doc, change) : sumIn(doc, change)),
    ...(doc.withheld === undefined ? {} : { withheld: kind === 'asked' ? 'asked' : 'decided' }),
    state,
    changedAt: at,
    decision,
    votes: isVote
      ? [
          ...change.votes,
          {
            ...{ person: who, name, at, isYes: kind === 'approved' },
            ...(doc.inAdvance === undefined ? {} : { isInAdvance: true as const }),
          },
        ]
      : change.votes,
  }
}

/** What people were asked anew, where it differs. */
const termsIn = (doc: AuditEntry['doc'], change: ChangeRecord): Partial<ChangeRecord> => {
  const of = recordOf(doc.of)
  return {
    rule: String(doc.rule ?? change.rule),
    amount: typeof of.amount === 'number' ? of.amount : change.amount,
    currency: textOf(of.currency) ?? change.currency,
    neededApproval: change.neededApproval || isApprovalAmong(doc.clauses),
  }
}

/** What the end says of the sum, where nobody knew it before. */
const sumIn = (doc: AuditEntry['doc'], { amount, currency }: ChangeRecord): Partial<ChangeRecord> => {
  const of = recordOf(doc.of)
  return {
    amount: amount ?? (typeof of.amount === 'number' ? of.amount : null),
    currency: currency ?? textOf(of.currency),
  }
}

const startState = (clauses: unknown): ChangeState =>
  Array.isArray(clauses) && clauses.length === 0 ? 'approved' : 'pending'

const isApprovalAmong = (clauses: unknown): boolean =>
  Array.isArray(clauses) && clauses.some((clause) => recordOf(clause).kind === 'approvals')

const stateIn = (value: unknown): ChangeState | undefined =>
  typeof value === 'string' ? (value as ChangeState) : undefined
