import { defined } from '../../lib/defined.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import type { Durability } from '../../lib/sql/database.ts'
import { noSuchChange } from '../../lib/view/refusals.ts'
import { plainWords } from '../../lib/view/words.ts'
import type { Core } from '../core.ts'
import { followStep } from '../feature.ts'
import { isConfirmOnly, needsApproval, partiesOf } from '../law/clauses.ts'
import { isEnded, isSettled, type LawEvent, step } from '../law/law.ts'
import { escalationAt } from '../law/remind.ts'
import { hopedFor, standing } from '../law/standing.ts'
import { type AuditEntry, type AuditInput, bellhop, entryBy } from '../model/audit-entry.ts'
import { type Change, isAtService, type Party } from '../model/change.ts'
import { type Freeze, freezeOn } from '../model/freeze.ts'
import { purposeOf } from '../model/purpose.ts'
import { stepOf } from '../model/stored-step.ts'
import type { Policy } from '../policy/policy.ts'
import type { Absence } from '../store/absences.ts'
import type { Store } from '../store/store.ts'
import type { Task, TaskInput } from '../store/tasks.ts'
import { reviewDueAt } from './emergency.ts'

export type StepCore = Pick<
  Core,
  'store' | 'now' | 'timings' | 'process' | 'wake' | 'takesOwn' | 'begin' | 'count' | 'newest'
>

/**
 * Takes one step of a change: the change, its audit entry and the follow-up tasks are written in one
 * transaction. The version is compared first; a caller that comes second decides again based on the new
 * version.
 */
export const transition = async <A = undefined>(
  core: StepCore & {
    policy: Pick<Core['policy'], 'digest'> & Partial<Core['policy']>
  },
  id: string,
  eventOf: (change: Change, store: Store, ahead: A) => Promise<Result<LawEvent>>,
  {
    durability,
    ahead,
  }: {
    durability?: Durability
    /** Reads that need nothing of the change as it is now: they are made in the same trip, with who is away. */
    ahead?: (store: Store, away: Promise<Absence[]>) => Promise<A>
  } = {},
): Promise<Result<{ change: Change; before: Change; entry: AuditEntry }>> => {
  const done = await core.store.tx(async (store) => {
    const taken = store.changes.take(id)
    const away = store.absences.active()
    const [before, known, absences, freezes] = await Promise.all([
      taken,
      ahead?.(store, away),
      away,
      store.freezes.all(),
    ])
    if (before === null) return no(noSuchChange(id))
    const event = await eventOf(before, store, known as A)
    if (!event.ok) return event
    const next = step(before, event.value)
    if (!next.ok) return next
    const change = standingNow(core.policy, next.value, absences, freezes)
    const entry = await store.audit.append(entryOf(change, event.value, core.policy.digest))
    // Its row is locked since it was taken, so nobody else has moved it.
    const swapped = store.changes.swap(change)
    swapped.catch(() => undefined)
    if (isAside.has(event.value.kind)) {
      const stuck = stuckTasks(core, change, before)
      if (stuck.length > 0) await store.tasks.put(...stuck)
      await store.tasks.put(cardsTask(core, change))
      return ok({ change, before, entry, swapped, held: undefined })
    }
    await followStep(store, { before, after: change, policy: core.policy })
    const isReminded = change.reminder?.n !== before.reminder?.n
    const held = await putTasks(core, store, change, [
      ...(isReminded ? [reminderTask(core, change)] : []),
      ...newsTasks(core, before, change, event.value),
      ...stuckTasks(core, change, before),
      ...membersTasks(core, change, absences),
      ...(change.state !== before.state && isCompleted(change) ? [completeTask(core, change)] : []),
    ])
    return ok({ change, before, entry, swapped, held })
  }, durability)
  if (done.ok) {
    if (!(await done.value.swapped)) throw new Error(`change ${id} moved inside its own transaction`)
    core.newest.entry = stepOf(done.value.entry, done.value.change)
    // A change that runs immediately is claimed next, and the claim cannot be on disk before this write is.
    if (durability === 'buffered' && !runsNow(done.value.change)) await core.store.synced()
    if (done.value.held === undefined) core.wake()
    else await follow(core, done.value.change, done.value.held)
  }
  return done
}

/** What moves nothing: the cards show it, and nothing else follows. */
const isAside: ReadonlySet<LawEvent['kind']> = new Set(['reach', 'review', 'stand'])

/** The change with how it stands: no step leaves one that can no longer be approved, or not now, without a word. */
export const standingNow = (
  policy: Partial<Policy>,
  change: Change,
  absences: readonly Absence[],
  freezes: readonly Freeze[],
): Change => {
  const stuck = isWholePolicy(policy) ? standing(policy, change, absences) : undefined
  const frozen = change.state === 'pending' ? freezeOn(freezes, change.area, change.requester) : undefined
  return {
    ...change,
    ...(stuck === undefined && change.stuck === undefined ? {} : { stuck }),
    ...(frozen === undefined && change.frozen === undefined ? {} : { frozen }),
  }
}

const isWholePolicy = (policy: Partial<Policy>): policy is Policy =>
  policy.people !== undefined && policy.roles !== undefined

/** Where it hangs on the groups of a messenger whether enough people are left, their messengers are asked. */
export const membersTasks = (
  { policy, now }: Pick<Core, 'now'> & { policy: Partial<Policy> },
  change: Change,
  absences: readonly Absence[],
): TaskInput[] =>
  isWholePolicy(policy) && change.state === 'pending' && hopedFor(policy, change, absences).length > 0
    ? [{ kind: 'members', key: `members:${change.id}`, doc: { id: change.id }, dueAt: now() }]
    : []

/** The requester and administrators are told when a change gets stuck, once for each time. */
export const stuckTasks = (
  { now }: Pick<Core, 'now'>,
  { id, version, stuck }: Change,
  before?: Pick<Change, 'stuck'>,
): TaskInput[] =>
  stuck === undefined || before?.stuck !== undefined
    ? []
    : [
        {
          kind: 'stuck',
          key: `stuck:${id}:${version}`,
          doc: { id, isFirst: before === undefined },
          dueAt: now(),
        },
      ]

/** After a step is stored: what follows from it begins. */
export const follow = async (core: StepCore, change: Change, { held }: HeldTasks): Promise<void> => {
  core.count({ kind: 'change', state: change.state })
  if (held === undefined) core.wake()
  else core.begin(await held, change)
  if (isPassing(change)) core.wake(core.timings.passingMs)
}

/** The tasks that this process holds, known when the transaction is over; without them, whoever takes them first. */
type HeldTasks = { held: Promise<Task[]> | undefined }

/**
 * The tasks that must follow a state even after a crash. This process normally does them at once; these are
 * for when it cannot.
 */
export const putTasks = async (
  core: StepCore,
  store: Store,
  change: Change,
  tasks: TaskInput[] = [],
  cardsAfterMs = 0,
): Promise<HeldTasks> => {
  const now = core.now()
  const { id } = change
  const add = (kind: string, dueAt: number, key = `${kind}:${id}`, more: object = {}) =>
    tasks.push({ kind, key, doc: { id, ...more }, dueAt })
  tasks.push(cardsTask(core, change, isPassing(change) ? core.timings.passingMs : cardsAfterMs))
  if (change.state === 'pending' || change.waiting !== undefined) add('expire', change.expiresAt)
  if (change.state === 'pending') {
    const step = change.reminded ?? 0
    const remindMs = change.remindMs?.[step]
    if (remindMs !== undefined) add('remind', change.createdAt + remindMs, `remind:${id}:${step}`, { step })
    const escalateAt = escalationAt(change)
    if (escalateAt !== undefined) add('escalate', escalateAt, `escalate:${id}:${escalateAt}`)
  }
  if (change.state === 'approved') {
    const { holdUntil } = change
    add('apply', holdUntil ?? now + core.timings.applyGraceMs)
    if (holdUntil !== undefined) add('hold', now)
  }
  if (isEnded(change.state)) {
    const over = isSettled(change.state) ? [`ask_service:${id}`] : []
    await store.tasks.drop([`expire:${id}`, `apply:${id}`, `hold:${id}`, ...over])
  }
  const wait = core.timings.checksMs[0]
  if (change.state === 'unknown' && change.checked === undefined && wait !== undefined) {
    add('check_outcome', now + wait)
  }
  if (isAtService(change.state)) add('ask_service', now + core.timings.asksMs.first)
  // A look for the outcome shows on the card, and is no news of an end.
  const isLook = change.checked?.at === change.updatedAt && change.state === 'unknown'
  if (!isLook && change.late?.at === change.updatedAt) add('late', now, `late:${id}:${change.version}`)
  else if (
    !isLook &&
    isEnded(change.state) &&
    (isNews(change) || isEndedThere(change)) &&
    !isCompleted(change)
  )
    add('tell', now, `tell:${id}:${change.state}`)
  const isOwn = core.takesOwn(change.requester.person)
  if (!isOwn || tasks.every(({ dueAt }) => dueAt > now)) {
    await store.tasks.put(...tasks)
    return { held: isOwn ? Promise.resolve([]) : undefined }
  }
  const held = store.tasks.putHeld({ leaseMs: core.timings.leaseMs, owner: core.process }, ...tasks)
  held.catch(() => undefined)
  return { held }
}

export const cardsTask = (
  { now }: Pick<Core, 'now'>,
  { id }: Pick<Change, 'id'>,
  afterMs = 0,
): TaskInput => ({
  kind: 'cards',
  key: `cards:${id}`,
  doc: { id },
  dueAt: now() + afterMs,
})

/** One for each change: the next reminder is posted when the one before it is, and so can take its place. */
const reminderTask = ({ now }: Pick<Core, 'now'>, { id }: Change) => ({
  kind: 'reminder',
  key: `reminder:${id}`,
  doc: { id },
  dueAt: now(),
})

/** Whether a program waited for this, which is told by itself. */
const isCompleted = ({ origin, state }: Change): boolean => origin.waits === true && isSettled(state)

const completeTask = ({ now }: Pick<Core, 'now'>, { id }: Change): TaskInput => ({
  kind: 'complete',
  key: `complete:${id}`,
  doc: { id },
  dueAt: now(),
})

/** Those who talk about a request are told in person; each piece of news once. */
const newsTasks = (
  { now }: Pick<Core, 'now'>,
  before: Change,
  { id, version, requester, emergency }: Change,
  event: LawEvent,
): TaskInput[] => {
  const told = (to: Party, why: string, n: number): TaskInput => ({
    kind: 'news',
    key: `news:${id}:${version}:${n}`,
    doc: { id, news: { to, why } },
    dueAt: now(),
  })
  if (event.kind === 'vote' && emergency !== undefined) {
    const loud = (isOverdue: boolean, dueAt: number): TaskInput => ({
      kind: 'emergency',
      key: `emergency:${id}:${isOverdue ? 'overdue' : 'used'}`,
      doc: { id, isOverdue },
      dueAt,
    })
    return [loud(false, now()), loud(true, reviewDueAt(event.at))]
  }
  if (event.kind === 'suggest') {
    const { sum = 'a change' } = event.suggestion
    return [told(requester, `${event.by.name} suggests ${sum}`, 0)]
  }
  if (event.kind === 'expire' && before.standby !== undefined)
    return [told(requester, 'The new time was not approved: it stays as it was approved', 0)]
  if (event.kind === 'amend') {
    const others = [requester, ...partiesOf(before.votes)].filter(({ person }) => person !== event.by.person)
    const people = new Map(others.map((one) => [one.person, one]))
    return [...people.values()].map((to, n) => told(to, `${event.by.name} changed it`, n))
  }
  if (event.kind !== 'note') return []
  return event.news(before).map(({ to, why }, n) => told(to, why, n))
}

/**
 * A requester who confirms is looking at the card and sees the outcome on it, unless somebody else decided
 * later.
 */
const isNews = ({ clauses, ended, requester }: Change): boolean =>
  needsApproval(clauses) || (ended !== null && ended.by.person !== requester.person)

/** The service ended it, later than it was sent: nobody is looking. */
const isEndedThere = ({ atService, updatedAt, state }: Change): boolean =>
  atService !== undefined && isSettled(state) && updatedAt > atService.since

/** States that usually end at once. Platforms limit edits, so cards show them only when they last. */
const isPassing = (change: Change): boolean => change.state === 'applying' || runsNow(change)

const runsNow = ({ state, holdUntil, waiting }: Change): boolean =>
  state === 'approved' && holdUntil === undefined && waiting === undefined

export const entryOf = (change: Change, event: LawEvent, policy: string): AuditInput =>
  entryBy('by' in event ? event.by : bellhop, kindOf(change, event), change, {
    state: change.state,
    digest: change.digest,
    rule: change.rule,
    policy,
    ...(change.requester.agent === undefined
      ? {}
      : { agent: change.requester.agent, owner: change.requester.person }),
    ...('for' in event && event.for !== undefined
      ? { for: { person: event.for.person, name: event.for.name } }
      : {}),
    ...('signed' in event ? defined({ signed: event.signed }) : {}),
    ...('inAdvance' in event ? defined({ inAdvance: event.inAdvance }) : {}),
    ...('shown' in event ? defined({ shown: event.shown }) : {}),
    ...('reason' in event ? { reason: event.reason } : {}),
    ...('text' in event ? { text: event.text } : {}),
    ...('reach' in event ? event.reach : {}),
    ...(event.kind === 'suggest' ? { suggested: event.suggestion.values } : {}),
    ...(change.stuck === undefined ? {} : { stuck: plainWords(change.stuck.why) }),
    ...('weighed' in event && event.weighed.lapsed.length > 0 ? { lapsed: event.weighed.lapsed } : {}),
    ...(event.kind === 'void' ? defined({ withheld: event.withheld?.why }) : {}),
    ...('process' in event ? { process: event.process } : {}),
    ...('sent' in event ? knownOf(event.sent) : {}),
    ...('check' in event ? { found: event.check } : {}),
    ...('says' in event ? { says: event.says, told: event.told } : {}),
    ...(change.atService === undefined ? {} : { atService: change.atService }),
    ...('learned' in event ? { learned: event.learned, contradicts: change.late?.contradicts } : {}),
    ...(isEnded(change.state) || 'drift' in event || event.kind === 'recover' ? { of: aboutOf(change) } : {}),
    ...(event.kind === 'amend' ? { line: change.line, ...defined({ runAt: change.runAt }) } : {}),
    ...(event.kind === 'remind' ? { step: event.step } : {}),
    ...(event.kind === 'escalate' ? { clauses: change.clauses } : {}),
    ...('drift' in event ? { drift: event.drift, plan: change.plan, clauses: change.clauses } : {}),
    ...(change.outcome === null
      ? {}
      : { message: plainWords(change.outcome.message), warning: change.outcome.warning }),
  })

/** What is known of something that the store had forgotten. */
const knownOf = ({ claimedBy, updatedAt, votes }: Change) => ({
  process: claimedBy,
  sentAt: updatedAt,
  votes: votes.map(({ by, at }) => ({ person: by.person, name: by.name, at })),
})

/** What the change was, beside its end: figures need no entry that is older. */
const aboutOf = ({ requester, names, amount, currency, createdAt, clauses, plan, outcome }: Change) => ({
  person: requester.person,
  name: requester.name,
  names,
  amount: amount ?? outcome?.moved?.value ?? null,
  currency: currency ?? outcome?.moved?.currency ?? null,
  askedAt: createdAt,
  neededApproval: needsApproval(clauses),
  ...purposeOf(plan),
})

const kindOf = (change: Change, event: LawEvent): string => {
  if (event.kind === 'vote') return isConfirmOnly(change.clauses) ? 'confirmed' : 'approved'
  if (event.kind === 'claim') return 'claimed'
  if (event.kind === 'ask_again') return 'asked again'
  if (event.kind === 'amend') return 'changed'
  if (event.kind === 'note') return event.as
  if (event.kind === 'suggest') return 'suggested'
  if (event.kind === 'expire' && change.state === 'approved') return 'new time expired'
  if (event.kind === 'stand') {
    const [isSo, words] =
      event.about === 'frozen'
        ? [change.frozen !== undefined, 'frozen']
        : [change.stuck !== undefined, 'stuck']
    return isSo ? words : `no longer ${words}`
  }
  if (event.kind === 'resolve') return 'resolved'
  if (event.kind === 'late') return 'late answer'
  if (event.kind === 'service')
    return change.late?.reversed && change.late.at === change.updatedAt ? 'reversed' : change.state
  if (event.kind === 'recover') return 'recovered'
  if (event.kind === 'recall') return 'votes lost'
  if (event.kind === 'checked') return 'looked'
  if (event.kind === 'lapse') return 'votes lapsed'
  if (event.kind === 'wait') return 'waiting'
  if (event.kind === 'review') return 'reviewed'
  if (event.kind === 'reach') return event.reach === undefined ? 'delivered' : 'undelivered'
  if (event.kind === 'remind' || event.kind === 'nudge') return 'reminded'
  if (event.kind === 'escalate') return 'escalated'
  return change.state
}
