import { plural } from '../../lib/view/button-labels.ts'
import { when } from '../../lib/view/format.ts'
import { facts, note, type View } from '../../lib/view/view.ts'
import { sentence } from '../../lib/view/words.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'
import { tellAdministrators } from '../telling/administrators.ts'
import { deliver } from '../telling/deliver.ts'
import type { Missing } from './compare.ts'
import type { Loss } from './hold.ts'
import { tellPeople } from './tell-people.ts'

/** Whoever did something that is lost, all administrators, and by a task everybody in the approvals channels. */
export const tellLoss = async (
  core: Core,
  loss: Loss,
  { batches, steps }: Pick<Missing, 'batches' | 'steps'>,
  back: readonly Change[],
): Promise<void> => {
  await tellPeople(core, loss, steps, back)
  // Whoever notices the same once more tells only what others could not know.
  if (!loss.isNew && back.length + batches.length === 0) return
  const view = lossView(loss, back, batches.length)
  const key = `store lost:${loss.entry.id}`
  for (const [n, { platform, channel }] of core.policy.approvals.entries())
    await core.store.tasks.put({
      kind: 'store_lost',
      key: `${key}:${n}`,
      doc: { platform, channel, view },
      dueAt: core.now(),
    })
  await tellAdministrators(core, key, view)
}

export type LossPost = { platform: string; channel: string; view: View }

export const postLoss = async (core: Core, { platform, channel, view }: LossPost): Promise<void> => {
  const place = { channel, handle: null, onlyFor: null }
  const message = { kind: 'notice' as const, to: channel, about: { command: 'bellhop status' } }
  await deliver(core, message, [{ platform, send: (messenger) => messenger.post(place, view) }])
}

const maxNamed = 10

const lossView = ({ since, until, words }: Loss, back: readonly Change[], batches: number): View => ({
  title: words,
  tone: 'bad',
  blocks: [
    note(
      'bad',
      sentence`Whatever was stored from ${when(since)} to ${when(until)} may be missing: requests, votes, outcomes and entries of the audit log. Nothing is changed in any service until somebody runs: unfreeze all`,
    ),
    facts({
      'Lost since': when(since),
      Noticed: when(until),
      'Known and put back': back.length === 0 ? 'no change' : plural(back.length, 'change'),
      ...(batches === 0 ? {} : { 'Batches not sent again': String(batches) }),
    }),
    ...back
      .slice(0, maxNamed)
      .map(({ preview, id }) => note('warn', `Nobody knows whether this happened: ${preview.title} (${id})`)),
    ...(back.length > maxNamed
      ? [note('plain', `${back.length - maxNamed} more are under approval list.`)]
      : []),
    note(
      'plain',
      'What was sent from another machine that is gone is known to nobody here: reports that take --compare show what a service lists since then and the log does not have. Compare the other services with audit find, say of each change above what happened, and then unfreeze. Open requests ask for their votes again.',
    ),
  ],
})
