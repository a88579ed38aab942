import { cardOf } from '../approvals/card.ts'
import type { Change } from '../approvals/change.ts'
import { type LawEvent, step } from '../approvals/law.ts'
import { transition } from '../approvals/transition.ts'
import type { Asker } from '../command/context.ts'
import { no, ok, type Result } from '../result.ts'
import { type Refusal, refusal } from '../view/refusals.ts'
import type { Verb } from '../view/view.ts'
import { asksReason, labelOf } from '../view/words.ts'
import { mayDecide, partyOf, personNow } from './asker.ts'
import { executeOrLeave } from './execute.ts'
import type { Reply } from './inbound.ts'
import { whyFrozen } from './prepare.ts'
import type { World } from './world.ts'

export const decisions: ReadonlySet<Verb> = new Set([
  'approve',
  'confirm',
  'reject',
  'cancel',
  'happened',
  'did_not',
])

export type Press = { verb: Verb; id: string; reason?: string | undefined }

/** A decision about a change, by button or by line. */
export const decide = async (
  world: World,
  asker: Asker,
  press: Press,
  stored: () => void = () => undefined,
): Promise<Result<Reply>> => {
  const [id = '', seen] = press.id.split('.')
  const before = await world.store.changes.get(id)
  if (before === null) return no(refusal('no_such_change', `There is no change "${id.slice(0, 40)}".`))
  if (!decisions.has(press.verb)) return no(refusal('not_allowed_now', 'This button does nothing here.'))
  if (asksReason.has(press.verb) && !press.reason?.trim()) {
    const allowed = step(before, eventOf(world, asker, { ...press, reason: 'to be given' }, before))
    if (!allowed.ok) return no(await recordRefusal(world, asker, before, allowed.refusal))
    return ok({
      kind: 'reason',
      verb: press.verb,
      id: press.id,
      title: `${labelOf[press.verb]}: ${before.preview.title}`,
    })
  }
  const isYes = press.verb === 'approve' || press.verb === 'confirm'
  const frozen = isYes ? await whyFrozen(world.store, before.area) : undefined
  if (frozen !== undefined) return no(frozen)
  const done = await transition(
    world,
    id,
    async (change) => ok(eventOf(world, asker, press, change, seen)),
    'at once',
  )
  if (!done.ok) {
    return no(await recordRefusal(world, asker, before, done.refusal))
  }
  stored()
  world.onStep('voted', id)
  const { change } = done.value
  const after = change.state === 'approved' ? await executeOrLeave(world, change) : change
  return ok({ kind: 'change', change: after, view: cardOf(after, world.now()) })
}

/** A button carries the start of the digest that its card showed; a line speaks of what is there now. */
const eventOf = (
  world: World,
  asker: Asker,
  { verb, reason = '' }: Press,
  change: Change,
  seen?: string,
): LawEvent => {
  const by = partyOf(asker)
  const at = world.now()
  const isSelf = asker.person === personNow(world.policy, change.requester)
  const mayVote = !isSelf && mayDecide(world.policy, asker, change)
  switch (verb) {
    case 'reject':
      return { kind: 'reject', by, mayVote, reason, at }
    case 'cancel':
      return { kind: 'cancel', by, mayVote, at }
    case 'happened':
    case 'did_not':
      return { kind: 'resolve', by, mayVote, happened: verb === 'happened', reason, at }
    default: {
      const isCurrent = seen === undefined || (seen !== '' && change.digest.startsWith(seen))
      const digest = isCurrent ? change.digest : seen
      return { kind: 'vote', by, mayVote, digest, at }
    }
  }
}

const recorded: ReadonlySet<Refusal['code']> = new Set(['may_not_approve', 'own_request', 'not_requester'])

/** Somebody tried what they may not: that is worth an entry. */
const recordRefusal = async (
  world: World,
  asker: Asker,
  change: Change,
  refused: Refusal,
): Promise<Refusal> => {
  if (!recorded.has(refused.code)) return refused
  await world.store.audit.append({
    kind: 'refused',
    who: asker.person,
    name: asker.name,
    platform: asker.platform,
    command: change.command,
    changeId: change.id,
    doc: { code: refused.code, account: asker.account },
  })
  return refused
}
