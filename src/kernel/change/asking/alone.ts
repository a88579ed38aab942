import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import type { Actor } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import { type EmergencyAsk, refuseEmergency } from '../../policy/emergency.ts'
import type { Store } from '../../store/store.ts'

/** Why somebody may not even ask to do this alone: by the policy, without a key, or without a word. */
export const refuseAlone = async (
  { policy, store, vouchesFor }: Pick<Core, 'policy' | 'store' | 'vouchesFor'>,
  { person, roles, agent, known, platform }: Actor,
  why: string,
  { isPlain, ...ask }: Omit<EmergencyAsk, 'roles' | 'agent'> & { isPlain: boolean },
): Promise<Refusal | undefined> => {
  const refused = refuseEmergency(policy, { ...ask, roles, agent })
  if (refused !== undefined) return refused
  if (!known || !vouchesFor(platform))
    return refusal('no_emergency', 'Nobody can tell here who you are, so you do nothing alone.')
  if (why.trim().length < minWords)
    return refusal('needs_reason', 'An emergency needs a reason.', {
      next: 'Say in a few words why it cannot wait.',
    })
  if (!isPlain)
    return refusal('no_emergency', 'An emergency is done now, and asks nobody else.', {
      next: 'Leave the time and the other person out.',
    })
  return (await store.passkeys.enrolled(person)).length === 0
    ? refusal('no_passkey', 'An emergency is signed with a passkey, and you have none that is enrolled.')
    : undefined
}

const minWords = 3

/** While somebody has not looked at the last one, there is no next, in whichever workspace it was. */
export const refuseUnreviewed = async (
  { emergencies, changes }: Pick<Store, 'emergencies' | 'changes'>,
  { space }: Pick<Actor, 'space'>,
  exceptId?: string,
): Promise<Refusal | undefined> => {
  const [open] = (await emergencies.open()).filter(({ changeId }) => changeId !== exceptId)
  if (open === undefined) return undefined
  const last = await changes.get(open.changeId)
  return last?.requester.space !== space
    ? refusal('no_emergency', 'The last emergency has not been reviewed yet, in another workspace.', {
        next: 'Ask for it with approvals, as usual.',
      })
    : refusal('no_emergency', `The last emergency (${open.changeId}) has not been reviewed yet.`, {
        next: `Somebody else than who did it reviews it first, with approval review ${open.changeId} and a reason that says what was found.`,
      })
}
