import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Change as Stored } from '../approvals/change.ts'
import { driftBetween } from '../approvals/drift.ts'
import { type Asked, isHeld, type LawEvent } from '../approvals/law.ts'
import { transition } from '../approvals/transition.ts'
import { canonicalJson } from '../audit/canonical.ts'
import { startJob } from '../bulk/start.ts'
import type { Asker } from '../command/context.ts'
import type { Change } from '../command/define.ts'
import { isSatisfied } from '../policy/evaluate.ts'
import { mayApprove } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import { stricterOf } from '../policy/requirement.ts'
import { ok } from '../result.ts'
import { isServiceError } from '../services/errors.ts'
import type { Store } from '../storage/store.ts'
import { personNow, rolesNow, whyNotRun } from './asker.ts'
import { applyContext } from './context.ts'
import { definitionOf } from './definition.ts'
import { askedOf, digestOfTerms, type Prepared, prepare, whyFrozen } from './prepare.ts'
import { refusalOf, serviceRefusal } from './refuse.ts'
import { weigh } from './weigh.ts'
import type { World } from './world.ts'

/**
 * An approved change, once: prepared again, claimed by one process, applied, and its end stored. Safe to call from
 * anywhere and any number of times; whoever does not win the claim finds nothing left to do.
 */
export const execute = async (world: World, id: string): Promise<Stored> => {
  const change = await mustGet(world, id)
  if (change.state !== 'approved' || isHeld(change, world.now())) return change
  const ready = await readyToClaim(world, change)
  let isOurs = false
  try {
    const claimed = await transition(world, id, async (current, store) => {
      if ('kind' in ready) return ok(ready)
      const event = await claimOrAskAgain(world, store, current, ready)
      if (event.kind === 'claim' && current.state === 'approved') {
        isOurs = true
        world.inHand.add(id)
      }
      return ok(event)
    })
    if (!claimed.ok || claimed.value.change.state !== 'applying' || 'kind' in ready) return mustGet(world, id)
    world.onStep('claimed', id)
    const end = await applyOnce(world, claimed.value.change, ready.definition)
    world.onStep('answered', id)
    const stored = await record(world, id, end)
    world.onStep('stored', id)
    return stored ?? (await mustGet(world, id))
  } finally {
    if (isOurs) world.inHand.delete(id)
  }
}

/** As `execute`, for whoever has an answer to give: what cannot run now stays approved, and the worker runs it later. */
export const executeOrLeave = async (world: World, change: Stored): Promise<Stored> => {
  try {
    return await execute(world, change.id)
  } catch (error) {
    world.log.error({ err: error, changeId: change.id }, 'an approved change is left to the worker')
    return change
  }
}

type Ready = { definition: Change; prepared: Prepared }
type Stop = Extract<LawEvent, { kind: 'fail' | 'void' }>

/** Everything is looked at again: the requester's right, freezes, and the world the plan was made for. */
const readyToClaim = async (world: World, change: Stored): Promise<Ready | Stop> => {
  const stop = (kind: Stop['kind'], message: string): Stop => ({ kind, message, at: world.now() })
  const { policy, registry, store } = world
  const definition = definitionOf(registry, change)
  if (definition === undefined) return stop('void', `${change.command} can no longer be run.`)
  const { requester } = change
  const asker: Asker = { ...requester, known: true, roles: rolesNow(policy, requester) }
  const refused = whyNotRun(policy, asker, change.names) ?? (await whyFrozen(store, change.area))
  if (refused !== undefined) return stop('fail', refused.message)
  try {
    const prepared = await prepare(world, asker, definition, change.input, change.pinned)
    return prepared.ok ? { definition, prepared: prepared.value } : stop('void', prepared.refusal.message)
  } catch (error) {
    return stop('fail', refusalOf(world, error).message)
  }
}

/** Inside the claim's transaction, where no other change is claimed meanwhile: budgets and freezes are as they are. */
const claimOrAskAgain = async (
  world: World,
  store: Store,
  change: Stored,
  { definition, prepared }: Ready,
): Promise<LawEvent> => {
  const at = world.now()
  const frozen = await whyFrozen(store, change.area)
  if (frozen !== undefined) return { kind: 'fail', message: frozen.message, at }
  const decision = await weigh(world, store, change, 'claim')
  const asked = askedOf(definition, prepared, decision, at)
  const isAsSeen = digestOfTerms(definition, change) === change.digest
  const why = isAsSeen ? whyAskAgain(world.policy, change, asked) : otherThanShown
  if (why === undefined) return { kind: 'claim', process: world.process, isStillEnough: true, at }
  const again =
    asked.requirement.kind === 'none'
      ? askedOf(definition, prepared, { ...decision, requirement: { kind: 'confirm' } }, at)
      : asked
  return { kind: 'ask_again', asked: again, drift: driftBetween(change, again, why), at }
}

const otherThanShown =
  'What would be changed is no longer what was shown. Votes so far are void; please look again.'

/** Another plan than people saw, or more votes needed than there are. A requirement that fell asks for no new votes. */
const whyAskAgain = (policy: Policy, change: Stored, asked: Asked): string | undefined => {
  if (canonicalJson(asked.plan) !== canonicalJson(change.plan)) {
    return otherThanShown
  }
  const votes = change.votes.map(({ by }) => {
    const roles = rolesNow(policy, by)
    return {
      person: personNow(policy, by),
      roles,
      mayApprove: mayApprove(policy, { roles }, change.names),
    }
  })
  const requester = personNow(policy, change.requester)
  return isSatisfied(stricterOf(change.requirement, asked.requirement), { requester, votes })
    ? undefined
    : 'The policy now asks for more than was given. Please decide again.'
}

type End = { state: 'applied' | 'failed' | 'unknown'; outcome: Outcome }

const applyOnce = async (world: World, change: Stored, definition: Change): Promise<End> => {
  const { now } = world
  const end = (state: End['state'], message: string, more: Partial<Outcome> = {}): End => ({
    state,
    outcome: { at: now(), message, warning: null, view: null, ...more },
  })
  const plan = definition.plan.safeParse(change.plan)
  if (!plan.success) return end('failed', 'The stored plan can no longer be read.')
  try {
    if (change.pinned !== undefined) return end('applied', await startJob(world, change, change.pinned))
    const done = await definition.apply(plan.data, applyContext(world, change.requester))
    return end('applied', done.message, {
      view: done.view ?? null,
      warning: done.understood ? null : 'The service accepted it with an answer that we could not read.',
    })
  } catch (error) {
    if (!isServiceError(error)) return end('unknown', refusalOf(world, error).message)
    const { message } = serviceRefusal(error)
    return error.outcome === 'not_done' ? end('failed', message) : end('unknown', message)
  }
}

/** The deed is done and must be recorded: a database that is away is waited for. */
const record = async (world: World, id: string, { state, outcome }: End): Promise<Stored | undefined> => {
  const finish: LawEvent = { kind: 'finish', process: world.process, state, outcome }
  const late: LawEvent = {
    kind: 'late',
    outcome: { ...outcome, message: `An answer came late: ${state}. ${outcome.message}` },
  }
  for (let attempt = 1; ; attempt++) {
    try {
      // Another replica may have given us up meanwhile.
      const stored = await transition(world, id, async ({ state: now }) =>
        ok(now === 'unknown' ? late : finish),
      )
      if (stored.ok) return stored.value.change
      world.log.error({ changeId: id, state }, 'an outcome came after the change was settled')
      return undefined
    } catch (error) {
      if (attempt === recordAttempts) throw error
      world.log.error({ err: error, changeId: id, attempt }, 'an outcome could not be stored yet')
      await sleep(Math.min(5_000, 100 * 2 ** attempt))
    }
  }
}

/** About ten minutes. */
const recordAttempts = 120

const mustGet = async (world: World, id: string): Promise<Stored> => {
  const change = await world.store.changes.get(id)
  if (change === null) throw new Error(`change ${id} is gone`)
  return change
}
