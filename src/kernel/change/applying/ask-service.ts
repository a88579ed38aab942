import { no, ok } from '../../../lib/result.ts'
import { type LaterState, type ServiceStanding, standingIn } from '../../../lib/services/endpoints/later.ts'
import { isServiceError } from '../../../lib/services/errors.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import type { Core } from '../../core.ts'
import type { LawEvent, ServiceSays } from '../../law/law.ts'
import { askRowOf, atServiceOf, canAskService, standingWords } from '../../model/at-service.ts'
import { type Change, isAtService } from '../../model/change.ts'
import { transition } from '../transition.ts'
import { mustGet } from './execute.ts'

/** Asks the service how it settled the change, and takes its word. A service that does not answer is asked again later. */
export const askService = async (core: Core, change: Change): Promise<Change> => {
  const { atService } = change
  const reading = atService && isAtService(change.state) ? askRowOf(atService) : undefined
  if (atService === undefined || reading === undefined) return change
  const answer = await core.services.call(reading.id, reading.input).catch((error: unknown) => {
    if (!isServiceError(error)) throw error
    core.log.warn({ err: error, changeId: change.id }, 'a service did not say how it settled a change')
    return undefined
  })
  const standing = answer && standingIn(reading.forms, answer.body, answer.status)
  if (standing !== undefined) await takeWord(core, change.id, standing, 'asked')
  return mustGet(core, change.id)
}

/** When to ask the next time; undefined when it has ended, or nothing reads it. */
export const nextAskAt = (
  { timings, now }: Pick<Core, 'timings' | 'now'>,
  change: Change,
): number | undefined => {
  if (!canAskService(change)) return undefined
  const { first, longest } = timings.asksMs
  const passed = now() - (change.atService?.since ?? 0)
  return now() + Math.min(longest, Math.max(first, passed / 2))
}

/** What a service says of a change that it settles later; false where that is no news. */
export const takeWord = async (
  core: Core,
  id: string,
  standing: ServiceStanding,
  told: Extract<LawEvent, { kind: 'service' }>['told'],
): Promise<boolean> => {
  const done = await transition(core, id, async ({ atService }) => {
    if (atService === undefined) return no(refusal('not_pending', 'No service settles this later.'))
    // Another object of the service, such as the refund that an approval there has made, keeps the name of the first.
    const next = { ...atServiceOf(atService, standing, core.now()), id: atService.id }
    const outcome = { at: core.now(), message: standingWords(next, standing), warning: null, view: null }
    return ok({ kind: 'service', says: says[standing.state], outcome, atService: next, told })
  })
  return done.ok
}

const says: Readonly<Record<LaterState, ServiceSays>> = {
  held: 'held',
  accepted: 'accepted',
  done: 'applied',
  failed: 'failed',
}
