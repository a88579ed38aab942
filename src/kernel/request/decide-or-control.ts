import { no, ok } from '../../lib/result.ts'
import { isBatch, isReopening, verbs } from '../../lib/view/button-labels.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import { refuseNonDecider } from '../actors/authorization.ts'
import { changeFor } from '../actors/delegates.ts'
import { decide, type Press } from '../change/deciding/decide.ts'
import { decideRead, decideSeveral, isSeveral, reviewMarked } from '../change/deciding/several.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import { ownPress } from '../feature.ts'
import { entryBy } from '../model/audit-entry.ts'
import { readButton } from '../model/shown.ts'
import { type Admitted, deliveryKey, type IntendedOrEnd } from './admitted.ts'
import { reopen } from './reopen.ts'

/** A decision about a change, what a button of a feature does, or the form of a request once more. */
export const decideOrControl = async (
  request: Admitted,
  press: Press,
  inbound: Admitted['inbound'] = request.inbound,
): Promise<IntendedOrEnd> => {
  const { core, actor } = request
  const { stored, intent } = inbound
  if (isReopening(press.verb)) return reopen(core, actor, { ...press, verb: press.verb }, inbound)
  const { isSafe } = verbs[press.verb]
  const refused = isSafe && actor.agent === undefined ? undefined : refuseNonDecider(actor, press.verb)
  if (refused !== undefined) return no(await recordNoDecider(core, actor, press, refused))
  if (press.verb === 'review') return reviewMarked(core, actor, press.id, inbound)
  if (isBatch(press.verb)) return decideRead(core, actor, { ...press, verb: press.verb }, inbound)
  if (isSeveral(press)) return decideSeveral(core, actor, press, inbound)
  const own = ownPress(press.verb)
  if (own === undefined) return decide(core, actor, press, { delivery: deliveryKey(inbound), stored })
  if (intent.kind !== 'press' && !(await request.claim())) return ok({ kind: 'repeated' })
  return own.act(core, actor, press)
}

/** Somebody tried to decide where nobody can tell who it is. */
const recordNoDecider = async (
  core: Core,
  actor: Actor,
  { verb, id }: Press,
  refused: Refusal,
): Promise<Refusal> => {
  const { id: changeId } = readButton(id)
  const change = await changeFor(core, actor, changeId)
  const about = { command: change?.command ?? `press ${verb}`, id: change?.id ?? null }
  await core.store.audit.append(entryBy(actor, 'refused', about, { code: refused.code, verb }))
  return refused
}
