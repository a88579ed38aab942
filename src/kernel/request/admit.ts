import { no, ok, type Result } from '../../lib/result.ts'
import { DatabaseError } from '../../lib/sql/database.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { actorOf, refuseFrozen } from '../actors/authorization.ts'
import type { Core } from '../core.ts'
import { refuseTooLarge, textLengthOf } from '../messenger/bounds.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import { isTakenIn } from '../messenger/intake.ts'
import { coreNow } from '../policy/in-force/policy-now.ts'
import { withLinkedIds } from '../things/linked.ts'
import { type Admitted, deliveryKey } from './admitted.ts'
import { refuseCommand, resolve } from './carry-out.ts'
import { beginQuery, dropQuery } from './look-ups/query.ts'
import { typedReading } from './read-typed.ts'
import { isUrgent } from './urgent.ts'

type Answer = (request: Admitted) => Promise<Result<Reply>>

/** Beside what others asked for, whatever one person sends. Decisions and the brake have room of their own. */
export const admit = async (
  core: Core,
  inbound: Inbound,
  name: string,
  answer: Answer,
): Promise<Result<Reply>> => {
  const tooLarge = refuseTooLarge(inbound)
  if (tooLarge !== undefined) return no(tooLarge)
  const { admission } = core
  const { person } = actorOf(core.policy, inbound.from)
  const urgent = isUrgent(core.registry, inbound.intent)
  const refused = async (why: Refusal) => {
    await admission.paceRefused(person)
    return no(why)
  }
  if (!urgent && admission.isTooOften(person)) return refused(tooOften)
  if (!urgent && admission.isTooMuchText(person, textLengthOf(inbound))) return refused(tooMuchText)
  const work = async () => {
    await admission.pace(person, urgent)
    await core.refreshMembers()
    // A copy: whatever is taken in meanwhile, one version of the policy judges the whole request.
    return core.eventLoopWatch.during(name, async () =>
      whenStored(requestOf(await coreNow(core), inbound), answer),
    )
  }
  return admission.inLane<Result<Reply>>(urgent ? `urgent ${person}` : person, work, () =>
    refused(tooManyAtOnce),
  )
}

const tooManyAtOnce = refusal('too_many_requests', 'Too many of your requests are waiting already.', {
  next: 'Send it again in a minute. Freezing and deciding are never held back.',
})
const tooOften = refusal('too_many_requests', 'You have sent thousands of requests within a few minutes.', {
  next: 'Send it again in a minute, and fewer of them. Freezing and deciding are never held back.',
})
const tooMuchText = refusal('too_many_requests', 'You have sent more than 2 MB of text within an hour.', {
  next: 'Send it again in an hour, or attach a file where the command takes one.',
})

const requestOf = (core: Core, inbound: Inbound): Admitted => {
  let claimed: Promise<boolean> | undefined
  const request: Admitted = {
    core,
    actor: actorOf(core.policy, inbound.from),
    inbound,
    claim: () => (claimed ??= isFirst(core, request.inbound)),
  }
  return request
}

/** A look-up is begun while its delivery is being stored; nothing else is done before it is. */
const whenStored = async (request: Admitted, answer: Answer): Promise<Result<Reply>> => {
  const { core, actor, inbound } = request
  if (inbound.storing !== undefined) {
    request.begun = await beginLookUp(request).catch(() => undefined)
    const stored = await inbound.storing
    if (!isTakenIn(stored)) {
      if (request.begun !== undefined) dropQuery(request.begun.query)
      return ok({ kind: 'repeated' })
    }
    request.inbound = { ...inbound, taken: stored === 'first' }
  }
  const frozen = actor.agent === undefined ? undefined : await refuseFrozen(core.store, 'bellhop', actor)
  return frozen === undefined ? answer(request) : no(frozen)
}

/** Where a line asks for a look-up that the actor may run, and nothing is left to ask. It only reads, so a copy does no harm. */
const beginLookUp = async (request: Admitted): Promise<Admitted['begun']> => {
  const { core, actor, inbound } = request
  if (Object.keys(inbound.attached ?? {}).length > 0 || actor.agent !== undefined) return undefined
  const reading = typedReading(request)
  if (!reading?.ok || reading.value.command.kind !== 'query') return undefined
  const { command } = reading.value
  if (refuseCommand(core, actor, command) !== undefined) return undefined
  const { parsed } = await resolve(request, reading.value)
  if (!parsed?.ok || parsed.value.missing.length > 0) return undefined
  const linked = await withLinkedIds(core, actor, parsed.value)
  if (!linked.ok || 'choices' in linked.value) return undefined
  return { reading: reading.value, query: beginQuery(core, actor, command, command, linked.value.input) }
}

/**
 * Handles each delivery once. When the database is down the bot still answers look-ups, and later steps
 * refuse everything else.
 */
const isFirst = async (core: Core, inbound: Inbound): Promise<boolean> => {
  if (inbound.taken) return true
  try {
    const first = await core.store.deliveries.first(deliveryKey(inbound))
    if (!first) core.count({ kind: 'repeated', platform: inbound.from.platform })
    return first
  } catch (error) {
    if (error instanceof DatabaseError && inbound.intent.kind !== 'press') return true
    throw error
  }
}
