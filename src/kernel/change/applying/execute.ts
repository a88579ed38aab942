import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { backoffMs, retry } from '../../../lib/retry.ts'
import { FenceError, passFence } from '../../../lib/services/client/fence.ts'
import type { ServiceStanding } from '../../../lib/services/endpoints/later.ts'
import { type NamedRow, type RowId, rowById } from '../../../lib/services/endpoints/tables.ts'
import { isServiceError } from '../../../lib/services/errors.ts'
import { DatabaseError, isAway } from '../../../lib/sql/database.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import { plainWords, type Words } from '../../../lib/view/words.ts'
import { refuseFrozen, refuseToRunNow, rolesOfOther } from '../../actors/authorization.ts'
import { askGroups, type GroupsNow } from '../../actors/membership.ts'
import { claimLeaseOf, createFence } from '../../claims/claim-lease.ts'
import { claimOf, SentLogError } from '../../claims/sent-log.ts'
import { untilStored } from '../../claims/until-stored.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { definitionOf } from '../../command/registry.ts'
import { applyContext } from '../../context/command-context.ts'
import { refusalOf, serviceRefusal } from '../../context/error-refusals.ts'
import type { Core } from '../../core.ts'
import { withheldByFeatures } from '../../feature.ts'
import { asksMore, ballotOf, combine, isSatisfied, partiesOf } from '../../law/clauses.ts'
import { hasClaim, isHeld, type LawEvent, type Weighed } from '../../law/law.ts'
import { type KeyOwners, signingKeysOf, weigh } from '../../law/weigh.ts'
import { atServiceOf, standingWords } from '../../model/at-service.ts'
import type { AuditEntry } from '../../model/audit-entry.ts'
import type { Change, Outcome, Party } from '../../model/change.ts'
import { coreNow, policyNow } from '../../policy/in-force/policy-now.ts'
import { isListed, refuseUndecidable } from '../../policy/listed.ts'
import { rolesNow } from '../../policy/people.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Absence } from '../../store/absences.ts'
import type { Store } from '../../store/store.ts'
import { askAgain } from '../asking/ask-again.ts'
import { refuseUnmet } from '../asking/demands.ts'
import { isAsDecided, type Planned, prepare } from '../asking/prepare.ts'
import { decideClauses, type Judgement, judgedAgain } from '../deciding/decide-clauses.ts'
import { transition } from '../transition.ts'
import { startJob } from './start-set.ts'

/**
 * An approved change, once: prepared again, claimed by one process, applied, and its end stored. Safe to call from
 * anywhere and any number of times; whoever does not win the claim finds nothing left to do.
 */
export const execute = async (core: Core, id: string, known?: Change): Promise<Change> => {
  const change = known ?? (await mustGet(core, id))
  if (change.state !== 'approved' || isHeld(change, core.now())) return change
  return core.tracing.ofChange(change, 'apply', async (note) => {
    const after = await executeApproved(await coreNow(core), change)
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
  if (core.newest.comparison !== undefined) await core.doubtStore()
  await core.othersLooked()
  let isOurs = false
  let isInDoubt = false
  try {
    const claiming = transition<Ahead>(
      core,
      id,
      async (current, store, ahead) => {
        const isAsKnown = current.version === change.version
        const seen = isAsKnown ? ahead : await lookAhead(core, store, current, ready, ahead.absences)
        isInDoubt = knowsBetter(core, current, seen)
        const event = isInDoubt
          ? { kind: 'wait' as const, message: inDoubt, at: core.now() }
          : await claimOrAskAgain(core, current, ready, seen)
        if (event.kind === 'claim' && current.state === 'approved') {
          isOurs = true
          core.applying.add(id)
          await store.leases.give(claimLeaseOf(id), core.process, core.timings.lifeMs)
        }
        return unlessSaid(current, event)
      },
      { ahead: (store, away) => lookAhead(core, store, change, ready, away) },
    )
    const claimed = await claiming.then(
      (moved) => (moved.ok ? moved.value : undefined),
      (error) => claimedAfterAll(core, id, error),
    )
    if (isInDoubt) await core.doubtStore()
    if (claimed?.change.state !== 'applying') return mustGet(core, id)
    core.onStep('claimed', id)
    const end = await applyOnce(core, claimed, ready)
    core.onStep('answered', id)
    const stored = await record(core, claimed.change, end)
    core.onStep('stored', id)
    return stored ?? (await mustGet(core, id))
  } finally {
    if (isOurs) core.applying.delete(id)
  }
}

/** Whether the store has forgotten what this process or its folder remembers: then nothing is claimed in it. */
const knowsBetter = (core: Core, { id }: Change, { isWhole }: Ahead): boolean =>
  !isWhole || core.sent.find(id) !== undefined

const inDoubt = 'The database may have lost what was stored last: that is being looked at.'

/**
 * The connection was lost while the claim was being committed. Nothing has left, so the claim is ours if it is there when the
 * database is back; the fence asks for it once more before anything leaves.
 */
const claimedAfterAll = async (
  core: Core,
  id: string,
  error: unknown,
): Promise<{ change: Change; entry: AuditEntry }> => {
  if (!(error instanceof DatabaseError) || error.kind !== 'unsure') throw error
  const look = async () => ({
    change: await mustGet(core, id),
    entry: (await core.store.audit.find({ changeId: id, limit: 10 })).find(({ kind }) => kind === 'claimed'),
  })
  const { change, entry } = await retry(look, (again, failures) =>
    isAway(again) && failures < 10 ? backoffMs(lookPauses, failures) : undefined,
  )
  if (change.state !== 'applying' || change.claimedBy !== core.process || entry === undefined) throw error
  return { change, entry }
}
const lookPauses = { firstMs: 100, longestMs: 1_000 }

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

type Ready = { definition: ChangeCommand; prepared: Planned; groups: GroupsNow }
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
  const actor: Actor = {
    ...requester,
    known: isListed(policy, requester),
    roles: rolesNow(policy, requester, groups(requester)),
  }
  // Freezes are looked at once, where the claim locks them.
  const refused = refuseRequester(policy, change, groups)
  if (refused !== undefined) return stop('fail', refused.message)
  const sure = { ...actor, roles: rolesNow(policy, requester, groups(requester) ?? []) }
  if (refuseToRunNow(policy, sure, change) !== undefined) return stop('wait', waitingFor([requester]))
  try {
    const prepared = await prepare(core, actor, definition, change.input, change.pinned, change.askedAt)
    if (!prepared.ok) return stop('void', prepared.refusal.message)
    const unmet = refuseUnmet(policy, definition, prepared.value, change)
    return unmet === undefined
      ? { definition, prepared: prepared.value, groups }
      : stop('fail', unmet.message)
  } catch (error) {
    // It stays approved, and is looked at again when the database is back.
    if (isAway(error)) throw error
    return stop('fail', refusalOf(core, error).message)
  }
}

/** What the claim depends on, with freezes, grants, budgets and the intent locked: they stay as they are until it is over. */
type Ahead = {
  /** With the grants of this moment. */
  policy: Policy
  frozen: Refusal | undefined
  absences: Absence[]
  decision: Judgement
  owners: KeyOwners
  /** Whether the store has the last step that this process has stored. */
  isWhole: boolean
}

const lookAhead = async (
  core: Core,
  store: Store,
  change: Change,
  { prepared, groups }: Ready,
  away: Absence[] | Promise<Absence[]>,
): Promise<Ahead> => {
  await store.lock({ shared: ['freeze', 'grants', 'passkeys'] })
  const policy = await policyNow({ ...core, store })
  const requester = {
    ...change.requester,
    roles: rolesNow(policy, change.requester, groups(change.requester) ?? []),
  }
  const newest = core.newest.entry
  const [frozen, absences, decision, owners, isWhole] = await Promise.all([
    refuseFrozen(store, change.area, change.requester),
    away,
    decideClauses(core, store, { ...judgedAgain(core, change), requester, amount: prepared.amount }, 'claim'),
    store.passkeys.ownersOf(signingKeysOf(change)),
    newest === undefined || store.audit.has(newest.id),
  ])
  return { policy, frozen, absences, decision, owners, isWhole }
}

/** Inside the claim's transaction. */
const claimOrAskAgain = async (
  core: Core,
  change: Change,
  { definition, prepared, groups }: Ready,
  { policy, frozen, absences, decision, owners }: Ahead,
): Promise<LawEvent> => {
  const at = core.now()
  const all = { ...change, clauses: combine(change.clauses, decision.clauses), beyond: decision.beyond }
  // Whether it was done before the loss, nobody can say.
  if (frozen?.code === 'store_lost') return { kind: 'wait', message: frozen.message, at }
  const refused =
    frozen ??
    refuseUndecidable(policy, change.requester, all.clauses) ??
    refuseRequester(policy, change, groups)
  if (refused !== undefined) return { kind: 'fail', message: refused.message, at }
  const weighing = { ...core, policy }
  if (!isAsDecided(definition, change, prepared)) {
    return askAgain(definition, change, { ...prepared, isOther: true }, decision, at)
  }
  const enough = ({ votes }: Weighed) => isSatisfied(all.clauses, ballotOf({ ...change, votes }))
  // By what is known for sure: the roles of the file, and those of the groups that were asked.
  const weighed = weigh(
    weighing,
    all,
    (party) => rolesNow(policy, party, groups(party) ?? []),
    absences,
    owners,
  )
  if (enough(weighed)) {
    const withheld = change.withheld ?? withheldByFeatures(policy, change)
    if (withheld !== undefined) return { kind: 'void', message: withheld.why, at, withheld }
    return { kind: 'claim', process: core.process, weighed, clauses: decision.clauses, at }
  }
  // What may still hold differs from that only by groups that nobody could be asked about.
  const hoped = weigh(weighing, all, (party) => rolesNow(policy, party, groups(party)), absences, owners)
  if (enough(hoped)) {
    const unasked = partiesOf(change.votes).filter((party) => groups(party) === undefined)
    return { kind: 'wait', message: waitingFor(unasked), at }
  }
  return asksMore(change.clauses, decision.clauses)
    ? askAgain(definition, change, prepared, decision, at)
    : { kind: 'lapse', weighed: hoped, expiresAt: at + decision.expiresInMs, at }
}

/** Whoever asks may still run it, by roles or by a grant. */
const refuseRequester = (policy: Policy, change: Change, groups: GroupsNow): Refusal | undefined => {
  const { requester } = change
  const known = isListed(policy, requester)
  const roles = rolesNow(policy, requester, groups(requester))
  return refuseToRunNow(policy, { ...requester, known, roles }, change, rolesOfOther(requester))
}

const waitingFor = (parties: readonly Party[]): string => {
  const platforms = [...new Set(parties.map(({ platform }) => platform))].join(' and ')
  const names = [...new Set(parties.map(({ name }) => name))].join(', ')
  return `It waits for ${platforms} to say which groups ${names} is in.`
}

const lostTheRight = 'Nothing was done: this process stood still for too long and had lost the right to.'
const sentBefore = 'Another process has sent the same: two databases took its approval.'
const notKept = 'Nothing was done: what is sent is written down in DATA_DIR first, and that failed.'
const saysLess = 'The service says that it was done, and leaves out what its document shows.'

type End = Pick<Extract<LawEvent, { kind: 'finish' }>, 'state' | 'outcome' | 'atService'>

/** The plan is as it is stored: no other is claimed. */
const applyOnce = async (
  core: Core,
  { change, entry }: { change: Change; entry: AuditEntry },
  { definition, prepared }: Ready,
): Promise<End> => {
  const { now } = core
  const end = (state: End['state'], message: Words, more: Partial<Outcome> = {}): End => ({
    state,
    outcome: { at: now(), message, warning: null, view: null, ...more },
  })
  /** By the answer of the service, which may settle later what it took. */
  let standing: { of: NamedRow; is: ServiceStanding } | undefined
  const atService = ({ of, is }: { of: NamedRow; is: ServiceStanding }) =>
    atServiceOf({ service: of.service, row: of.id }, is, now())
  try {
    const claim = {
      renew: (ttlMs: number) => core.store.leases.renew(claimLeaseOf(change.id), core.process, ttlMs),
      keep: () => core.sent.keep(claimOf(core, change, entry), change),
    }
    const fence = createFence(core, claim)
    if (change.pinned !== undefined) {
      await passFence(fence)
      return end('applied', await startJob(core, change, change.pinned))
    }
    const done = await definition.apply(
      prepared.plan,
      applyContext(core, change, fence, definition.requests && prepared.bound.sent, (of, answer) => {
        if (answer.standing !== undefined) standing = { of, is: answer.standing }
      }),
    )
    const known = standing && atService(standing)
    const isOpen = standing?.is.state === 'accepted'
    const message = isOpen && known && standing ? standingWords(known, standing.is) : done.message
    return {
      ...end(isOpen ? 'accepted' : 'applied', message, {
        view: done.view ?? null,
        ...defined({ moved: done.moved }),
        warning: done.understood ? done.warnings?.join(' ') || null : saysLess,
      }),
      ...defined({ atService: known }),
    }
  } catch (error) {
    if (error instanceof FenceError) {
      if (!(error.cause instanceof SentLogError)) return end('failed', lostTheRight)
      return error.cause.isSent ? end('unknown', sentBefore) : end('failed', notKept)
    }
    if (isAway(error)) return end('unknown', 'The database was lost while this was being done.')
    if (!isServiceError(error)) return end('unknown', refusalOf(core, error).message)
    if (error.standing !== undefined) {
      const known = atService({ of: rowById(`${error.service}.${error.row}` as RowId), is: error.standing })
      return { ...end('held', standingWords(known, error.standing)), atService: known }
    }
    const { message } = serviceRefusal(error)
    // What was taken before another request failed is not undone by that.
    if (standing !== undefined) return end('unknown', message)
    return error.outcome === 'not_done' ? end('failed', message) : end('unknown', message)
  }
}

const record = async (
  core: Core,
  sent: Change,
  { state, outcome, atService }: End,
): Promise<Change | undefined> => {
  const { id } = sent
  const known = { state, message: plainWords(outcome.message), at: outcome.at }
  await core.sent
    .end(id, known)
    .catch((error: unknown) =>
      core.log.warn({ err: error, changeId: id }, 'an outcome could not be written down in the folder'),
    )
  const finish: LawEvent = { kind: 'finish', process: core.process, state, outcome, atService }
  const late: LawEvent = { kind: 'late', learned: state, outcome, atService }
  const stored = await untilStored(core, { changeId: id }, () =>
    // Another replica may have given us up meanwhile.
    transition(core, id, async (current, store) => {
      if (!hasClaim(current, sent)) return no(lostClaim)
      await store.leases.release(claimLeaseOf(id), core.process)
      return ok(current.state === 'applying' ? finish : late)
    }),
  )
  if (!stored.ok) {
    const isLost = stored.refusal.code !== 'not_pending'
    core.log.error(
      { changeId: id, state },
      isLost ? 'the database has lost a claim' : 'an outcome came after the change was settled',
    )
    if (isLost) await core.doubtStore()
    return undefined
  }
  if (stored.value.before.state !== 'applying') tellLateInside(core, stored.value.change)
  return stored.value.change
}

const lostClaim = refusal('store_lost', 'The database has lost the claim.')

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
