import type { Outcome, Change as Stored } from '../approvals/change.ts'
import type { LawEvent } from '../approvals/law.ts'
import { transition } from '../approvals/transition.ts'
import { canonicalJson } from '../audit/canonical.ts'
import type { Asker } from '../command/context.ts'
import type { Change } from '../command/define.ts'
import type { Registry } from '../command/registry.ts'
import { isSatisfied } from '../policy/evaluate.ts'
import { mayApprove } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import { ok, type Result } from '../result.ts'
import { isServiceError } from '../services/errors.ts'
import { rolesNow, whyNotRun } from './asker.ts'
import { askedOf, type Prepared, prepare, whyFrozen } from './prepare.ts'
import { refusalOf, serviceRefusal } from './refuse.ts'
import { weigh } from './weigh.ts'
import type { World } from './world.ts'

/**
 * An approved change, once: prepared again, claimed by one process, applied, and its end stored. Safe to call from
 * anywhere and any number of times; whoever does not win the claim finds nothing left to do.
 */
export const execute = async (world: World, id: string): Promise<Stored> => {
  const change = await mustGet(world, id)
  if (change.state !== 'approved') return change
  const definition = definitionOf(world.registry, change)
  const ready = await readyToClaim(world, change, definition)
  const claimed = await transition(world, id, async (current, store) => {
    if ('kind' in ready) return ok(ready)
    const at = world.now()
    const decision = await weigh(world, store, current, ['applying', 'applied', 'unknown'])
    const asked = askedOf(definition, ready, decision, at)
    const drift = driftOf(world.policy, current, asked)
    if (drift === undefined) return ok({ kind: 'claim', process: world.process, isStillEnough: true, at })
    const requirement = asked.requirement.kind === 'none' ? ({ kind: 'confirm' } as const) : asked.requirement
    return ok({ kind: 'ask_again', asked: { ...asked, requirement }, drift, at })
  })
  if (!claimed.ok || claimed.value.change.state !== 'applying') return mustGet(world, id)
  world.onStep('claimed', id)
  const { state, outcome } = await applyOnce(world, claimed.value.change, definition)
  world.onStep('answered', id)
  const stored = await store(world, id, { kind: 'finish', process: world.process, state, outcome })
  world.onStep('stored', id)
  return stored.ok ? stored.value.change : mustGet(world, id)
}

export const definitionOf = (registry: Registry, { command, input }: Stored): Change => {
  const found = registry.get(command)
  if (found?.kind === 'change') return found
  const chosen = found?.kind === 'switch' ? found.choose(input) : undefined
  if (chosen?.ok && chosen.value.kind === 'change') return chosen.value
  throw new Error(`${command} is no longer a change`)
}

/** Everything is looked at again: the requester's right, freezes, and the world the plan was made for. */
const readyToClaim = async (
  world: World,
  change: Stored,
  definition: Change,
): Promise<Prepared | Extract<LawEvent, { kind: 'fail' | 'void' }>> => {
  const { requester } = change
  const asker: Asker = { ...requester, known: true, roles: rolesNow(world.policy, requester) }
  const refused = whyNotRun(world.policy, asker, change.names) ?? (await whyFrozen(world, change.area))
  if (refused !== undefined) return { kind: 'fail', message: refused.message, at: world.now() }
  try {
    const prepared = await prepare(world, asker, definition, change.input)
    if (prepared.ok) return prepared.value
    return { kind: 'void', message: prepared.refusal.message, at: world.now() }
  } catch (error) {
    const { message } = refusalOf(world, error)
    return { kind: 'fail', message: `${message} Nothing was done.`, at: world.now() }
  }
}

/** Why people must be asked again: another plan than they saw, or more votes needed than there are. */
const driftOf = (policy: Policy, change: Stored, asked: ReturnType<typeof askedOf>): string | undefined => {
  if (canonicalJson(asked.plan) !== canonicalJson(change.plan)) {
    return 'What would be changed is no longer what was shown. Votes so far are void; please look again.'
  }
  const votes = change.votes.map(({ by }) => {
    const roles = rolesNow(policy, by)
    return { person: by.person, roles, mayApprove: mayApprove(policy, { roles }, change.names) }
  })
  return isSatisfied(asked.requirement, { requester: change.requester.person, votes })
    ? undefined
    : 'The policy now asks for more than was given. Please decide again.'
}

type End = { state: 'applied' | 'failed' | 'unknown'; outcome: Outcome }

const applyOnce = async (world: World, change: Stored, definition: Change): Promise<End> => {
  const { services, store, now } = world
  const end = (state: End['state'], message: string, more: Partial<Outcome> = {}): End => ({
    state,
    outcome: { at: now(), message, warning: null, view: null, ...more },
  })
  try {
    const done = await definition.apply(definition.plan.parse(change.plan), {
      email: services.email,
      chat: services.chat,
      billing: services.billing,
      call: services.call,
      now: now(),
      requester: change.requester,
      freezes: {
        set: (freeze) => store.freezes.set(freeze),
        clear: async (area) => {
          await store.freezes.clear(area)
        },
      },
    })
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

/** The deed is done and must be recorded: a database that is away for a moment is waited for. */
const store = async (world: World, id: string, event: LawEvent): Promise<Result<{ change: Stored }>> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transition(world, id, async () => ok(event))
    } catch (error) {
      if (attempt === 8) throw error
      world.log.error({ err: error, changeId: id, attempt }, 'an outcome could not be stored yet')
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt))
    }
  }
}

const mustGet = async (world: World, id: string): Promise<Stored> => {
  const change = await world.store.changes.get(id)
  if (change === null) throw new Error(`change ${id} is gone`)
  return change
}
