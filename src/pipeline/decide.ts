import { cardOf } from '../approvals/card.ts'
import { type LawEvent, step } from '../approvals/law.ts'
import { transition } from '../approvals/transition.ts'
import type { Asker } from '../command/context.ts'
import { mayDecide, partyOf, personNow, whyFrozen } from '../core/authorization.ts'
import type { Core } from '../core/core.ts'
import type { Reply } from '../messenger/inbound.ts'
import type { Change } from '../model/change.ts'
import { no, ok, type Result } from '../model/result.ts'
import { asksReason, buttonLabelOf } from '../view/button-labels.ts'
import { type Refusal, refusal } from '../view/refusals.ts'
import type { Verb } from '../view/view.ts'
import { executeOrLeave } from './execute.ts'

export const decisions: ReadonlySet<Verb> = new Set([
  'approve',
  'confirm',
  'reject',
  'cancel',
  'happened',
  'did_not',
])

export type Press = { verb: Verb; id: string; reason?: string | undefined }

/** The delivery that a decision came with, and whom to tell once both are on the disk. */
type Delivered = { delivery: string; stored?: (() => void) | undefined }

/** A decision about a change, by button or by line. A copy of its delivery waits for the first one, and changes nothing. */
export const decide = async (
  core: Core,
  asker: Asker,
  press: Press,
  { delivery, stored = () => undefined }: Delivered,
): Promise<Result<Reply>> => {
  const [id = '', seen] = press.id.split('.')
  const before = await core.store.changes.get(id)
  if (before === null) return no(refusal('no_such_change', `There is no change "${id.slice(0, 40)}".`))
  if (!decisions.has(press.verb)) return no(refusal('not_allowed_now', 'This button does nothing here.'))
  if (asksReason.has(press.verb) && !press.reason?.trim()) {
    const allowed = step(before, eventOf(core, asker, { ...press, reason: 'to be given' }, before))
    if (!allowed.ok) return no(await recordRefusal(core, asker, before, allowed.refusal))
    return ok({
      kind: 'reason',
      verb: press.verb,
      id: press.id,
      title: `${buttonLabelOf[press.verb]}: ${before.preview.title}`,
    })
  }
  const isYes = press.verb === 'approve' || press.verb === 'confirm'
  const frozen = isYes ? await whyFrozen(core.store, before.area) : undefined
  if (frozen !== undefined) return no(frozen)
  let isFirst = true
  const done = await transition(
    core,
    id,
    async (change, store) => {
      isFirst = await store.deliveries.first(delivery)
      return isFirst ? ok(eventOf(core, asker, press, change, seen)) : no(repeated)
    },
    'buffered',
  )
  // What the first copy has written is on the disk too before any copy is answered.
  const durable = core.store.synced()
  if (!isFirst) {
    await durable
    core.count({ kind: 'repeated', platform: asker.platform })
    return ok({ kind: 'repeated' })
  }
  if (!done.ok) {
    await durable
    return no(await recordRefusal(core, asker, before, done.refusal))
  }
  const told = durable.then(stored)
  told.catch(() => undefined)
  core.onStep('voted', id)
  const { change } = done.value
  const after = change.state === 'approved' ? await executeOrLeave(core, change) : change
  await told
  return ok({ kind: 'change', change: after, view: cardOf(after, core.now()) })
}

const repeated = refusal('not_pending', 'This was decided by an earlier copy of the same delivery.')

/** A button carries the start of the digest that its card showed; a line speaks of what is there now. */
const eventOf = (
  core: Core,
  asker: Asker,
  { verb, reason = '' }: Press,
  change: Change,
  seen?: string,
): LawEvent => {
  const by = partyOf(asker)
  const at = core.now()
  const isSelf = asker.person === personNow(core.policy, change.requester)
  const mayVote = !isSelf && mayDecide(core.policy, asker, change)
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
  core: Core,
  asker: Asker,
  change: Change,
  refused: Refusal,
): Promise<Refusal> => {
  if (!recorded.has(refused.code)) return refused
  await core.store.audit.append({
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
