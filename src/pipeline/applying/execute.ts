import { isHeld, type LawEvent, type Weighed } from '../../approvals/law.ts'
import { transition } from '../../approvals/transition.ts'
import { type KeyOwners, signingKeysOf, weigh } from '../../approvals/weigh.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { definitionOf } from '../../command/registry.ts'
import { claimLeaseOf, createFence } from '../../core/claims/claim-lease.ts'
import { untilStored } from '../../core/claims/until-stored.ts'
import { applyContext } from '../../core/context/command-context.ts'
import { refusalOf, serviceRefusal } from '../../core/context/error-refusals.ts'
import type { Core } from '../../core/core.ts'
import { rolesOfOther, whyFrozen, whyNotRunNow } from '../../core/people/authorization.ts'
import { askGroups, type GroupsNow } from '../../core/people/membership.ts'
import { defined } from '../../defined.ts'
import { startJob } from '../../jobs/job-start.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import type { Change, Outcome, Party } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { asksMore, ballotOf, combine, isSatisfied, partiesOf } from '../../policy/clauses.ts'
import { isListed, whyNobody } from '../../policy/listed.ts'
import { rolesNow } from '../../policy/people.ts'
import { FenceError } from '../../services/client/fence.ts'
import { isServiceError } from '../../services/errors.ts'
import type { Absence } from '../../storage/absences.ts'
import type { Store } from '../../storage/store.ts'
import { type Refusal, refusal } from '../../view/refusals.ts'
import type { Words } from '../../view/words.ts'
import { askAgain } from '../asking/ask-again.ts'
import { whyUnmet } from '../asking/demands.ts'
import { digestOfTerms, type Prepared, prepare } from '../asking/prepare.ts'
import { decideClauses, type Judgement, judgedAgain } from '../deciding/decide-clauses.ts'

/**
 * An approved change, once: prepared again, claimed by one process, applied, and its end stored. Safe to call from
 * anywhere and any number of times; whoever does not win the claim finds nothing left to do.
 */
export const execute = async (core: Core, id: string, known?: Change): Promise<Change> => {
  const change = known ?? (await mustGet(core, id))
  if (change.state !== 'approved' || isHeld(change, core.now())) return change
  return core.tracing.ofChange(change, 'apply', async (note) => {
    const after = await executeApproved(core, change)
    note({ state: after.state })
    return after
  })
}

const executeApproved = async (core: Core, change: Change): Promise<Change> => {
  const { id } = change
  const definition = definitionOf(core.registry, change)
  if (change.pinned === undefined) core.services.expect(definition?.uses ?? [])
  const ready = await readyToClaim(core, change, definition)
  if ('kind' in ready) {
    await transition(core, id, async (current) => unlessSaid(current, ready))
    return mustGet(core, id)
  }
  let isOurs = false
  try {
    const claimed = await transition<Ahead>(
      core,
      id,
      async (current, store, ahead) => {
        const isAsKnown = current.version === change.version
        const seen = isAsKnown ? ahead : await lookAhead(core, store, current, ready)
        const event = await claimOrAskAgain(core, current, ready, seen)
        if (event.kind === 'claim' && current.state === 'approved') {
          isOurs = true
          core.applying.add(id)
          await store.leases.give(claimLeaseOf(id), core.process, core.timings.lifeMs)
        }
        return unlessSaid(current, event)
      },
      { ahead: (store) => lookAhead(core, store, change, ready) },
    )
    if (!claimed.ok || claimed.value.change.state !== 'applying') return mustGet(core, id)
    core.onStep('claimed', id)
    const end = await applyOnce(core, claimed.value.change, ready)
    core.onStep('answered', id)
    const stored = await record(core, id, end)
    core.onStep('stored', id)
    return stored ?? (await mustGet(core, id))
  } finally {
    if (isOurs) core.applying.delete(id)
  }
}

/** A change that waits for the same as before is left as it is: its card says so already. */
const unlessSaid = ({ waiting }: Change, event: LawEvent): Result<LawEvent> =>
  event.kind === 'wait' && waiting === event.message ? no(refusal('not_pending', event.message)) : ok(event)

/** As `execute`, for whoever has an answer to give: what cannot run now stays approved, and the worker runs it later. */
export const executeOrLeave = async (core: Core, change: Change): Promise<Change> => {
  try {
    return await execute(core, change.id, change)
  } catch (error) {
    core.log.error({ err: error, changeId: change.id }, 'an approved change is left to the worker')
    return change
  }
}

type Ready = { definition: ChangeCommand; prepared: Prepared; groups: GroupsNow }
type Stop = Extract<LawEvent, { kind: 'fail' | 'void' | 'wait' }>

/** Everything is looked at again: the requester's right, freezes, and the state the plan was made for. */
const readyToClaim = async (
  core: Core,
  change: Change,
  definition: ChangeCommand | undefined,
): Promise<Ready | Stop> => {
  const stop = (kind: Stop['kind'], message: string): Stop => ({ kind, message, at: core.now() })
  const { policy } = core
  if (definition === undefined) return stop('void', `${change.command} can no longer be run.`)
  const { requester, votes } = change
  const groups = await askGroups(core, [requester, ...partiesOf(votes)])
  const asker: Asker = {
    ...requester,
    known: isListed(policy, requester),
    roles: rolesNow(policy, requester, groups(requester)),
  }
  // Freezes are looked at once, where the claim locks them.
  const refused = whyNotRunNow(policy, asker, change, rolesOfOther(requester))
  if (refused !== undefined) return stop('fail', refused.message)
  const sure = { ...asker, roles: rolesNow(policy, requester, groups(requester) ?? []) }
  if (whyNotRunNow(policy, sure, change) !== undefined) return stop('wait', waitingFor([requester]))
  try {
    const prepared = await prepare(core, asker, definition, change.input, change.pinned, change.askedAt)
    if (!prepared.ok) return stop('void', prepared.refusal.message)
    const unmet = whyUnmet(policy, definition, prepared.value, change)
    return unmet === undefined
      ? { definition, prepared: prepared.value, groups }
      : stop('fail', unmet.message)
  } catch (error) {
    return stop('fail', refusalOf(core, error).message)
  }
}

/** What the claim depends on, with freezes, budgets and the intent locked: they stay as they are until it is over. */
type Ahead = { frozen: Refusal | undefined; absences: Absence[]; decision: Judgement; owners: KeyOwners }

const lookAhead = async (
  core: Core,
  store: Store,
  change: Change,
  { prepared, groups }: Ready,
): Promise<Ahead> => {
  const requester = {
    ...change.requester,
    roles: rolesNow(core.policy, change.requester, groups(change.requester) ?? []),
  }
  await store.lock({ shared: ['freeze', 'passkeys'] })
  const [frozen, absences, decision, owners] = await Promise.all([
    whyFrozen(store, change.area, change.requester),
    store.absences.active(),
    decideClauses(core, store, { ...judgedAgain(core, change), requester, amount: prepared.amount }, 'claim'),
    store.passkeys.ownersOf(signingKeysOf(change)),
  ])
  return { frozen, absences, decision, owners }
}

/** Inside the claim's transaction. */
const claimOrAskAgain = async (
  core: Core,
  change: Change,
  { definition, prepared, groups }: Ready,
  { frozen, absences, decision, owners }: Ahead,
): Promise<LawEvent> => {
  const at = core.now()
  const { policy } = core
  const all = { ...change, clauses: combine(change.clauses, decision.clauses) }
  const refused = frozen ?? whyNobody(policy, change.requester, all.clauses)
  if (refused !== undefined) return { kind: 'fail', message: refused.message, at }
  const isAsSeen =
    digestOfTerms(definition, change) === change.digest &&
    canonicalJson(prepared.plan) === canonicalJson(change.plan)
  if (!isAsSeen) return askAgain(definition, change, prepared, decision, at)
  const enough = ({ votes }: Weighed) => isSatisfied(all.clauses, ballotOf({ ...change, votes }))
  // By what is known for sure: the roles of the file, and those of the groups that were asked.
  const weighed = weigh(core, all, (party) => rolesNow(policy, party, groups(party) ?? []), absences, owners)
  if (enough(weighed)) {
    return { kind: 'claim', process: core.process, weighed, clauses: decision.clauses, at }
  }
  // What may still hold differs from that only by groups that nobody could be asked about.
  const hoped = weigh(core, all, (party) => rolesNow(policy, party, groups(party)), absences, owners)
  if (enough(hoped)) {
    const unasked = partiesOf(change.votes).filter((party) => groups(party) === undefined)
    return { kind: 'wait', message: waitingFor(unasked), at }
  }
  return asksMore(change.clauses, decision.clauses)
    ? askAgain(definition, change, prepared, decision, at)
    : { kind: 'lapse', weighed: hoped, expiresAt: at + decision.expiresInMs, at }
}

const waitingFor = (parties: readonly Party[]): string => {
  const platforms = [...new Set(parties.map(({ platform }) => platform))].join(' and ')
  const names = [...new Set(parties.map(({ name }) => name))].join(', ')
  return `It waits for ${platforms} to say which groups ${names} is in.`
}

const lostTheRight = 'Nothing was done: this process stood still for too long and had lost the right to.'
const unreadable = 'The service accepted it with an answer that we could not read.'

type End = { state: 'applied' | 'failed' | 'unknown'; outcome: Outcome }

/** The plan is as it is stored: no other is claimed. */
const applyOnce = async (core: Core, change: Change, { definition, prepared }: Ready): Promise<End> => {
  const { now } = core
  const end = (state: End['state'], message: Words, more: Partial<Outcome> = {}): End => ({
    state,
    outcome: { at: now(), message, warning: null, view: null, ...more },
  })
  try {
    if (change.pinned !== undefined) return end('applied', await startJob(core, change, change.pinned))
    const fence = createFence(core, (ttlMs) =>
      core.store.leases.renew(claimLeaseOf(change.id), core.process, ttlMs),
    )
    const done = await definition.apply(prepared.plan, applyContext(core, change, fence))
    return end('applied', done.message, {
      view: done.view ?? null,
      ...defined({ moved: done.moved }),
      warning: done.understood ? done.warnings?.join(' ') || null : unreadable,
    })
  } catch (error) {
    if (error instanceof FenceError) return end('failed', lostTheRight)
    if (!isServiceError(error)) return end('unknown', refusalOf(core, error).message)
    const { message } = serviceRefusal(error)
    return error.outcome === 'not_done' ? end('failed', message) : end('unknown', message)
  }
}

const record = async (core: Core, id: string, { state, outcome }: End): Promise<Change | undefined> => {
  const finish: LawEvent = { kind: 'finish', process: core.process, state, outcome }
  const late: LawEvent = { kind: 'late', learned: state, outcome }
  const stored = await untilStored(core, { changeId: id }, () =>
    // Another replica may have given us up meanwhile.
    transition(core, id, async ({ state: now }, store) => {
      await store.leases.release(claimLeaseOf(id), core.process)
      return ok(now === 'applying' ? finish : late)
    }),
  )
  if (!stored.ok) {
    core.log.error({ changeId: id, state }, 'an outcome came after the change was settled')
    return undefined
  }
  if (stored.value.before.state !== 'applying') tellLateInside(core, stored.value.change)
  return stored.value.change
}

/** For whoever runs the bot; people are told by the worker. */
const tellLateInside = (core: Core, { id, late, state }: Change): void => {
  const contradicts = late?.contradicts?.happened === false
  core.count({ kind: 'late', contradicts })
  const fields = { changeId: id, learned: late?.learned, state }
  if (contradicts) core.log.error(fields, 'ALARM: a change that was said not to have happened was sent')
  else core.log.warn(fields, 'the outcome of a change was learned late')
}

export const mustGet = async (core: Core, id: string): Promise<Change> => {
  const change = await core.store.changes.get(id)
  if (change === null) throw new Error(`change ${id} is gone`)
  return change
}
