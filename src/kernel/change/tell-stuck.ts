import { isDeepStrictEqual } from 'node:util'
import { ok } from '../../lib/result.ts'
import { note } from '../../lib/view/view.ts'
import { membersTask } from '../actors/absence.ts'
import { stuckBlocks } from '../cards/card.ts'
import { tellNews } from '../cards/outcome-publisher.ts'
import type { Core } from '../core.ts'
import { needsApproval } from '../law/clauses.ts'
import type { Change } from '../model/change.ts'
import { tellAdministrators } from '../telling/administrators.ts'
import type { DeliveryCore } from '../telling/deliver.ts'
import { askMembers } from './ask-members.ts'
import { type StepCore, standingNow, transition } from './transition.ts'

type StuckCore = DeliveryCore & StepCore & Pick<Core, 'policy' | 'ticks'>

/** The requester and every administrator read that a request can no longer be approved, and who can help. */
export const tellStuck = async (
  core: StuckCore,
  before: Change,
  /** Just asked for: its requester reads it where they asked. */
  isFirst = false,
): Promise<void> => {
  const { change } = await askMembers(core, before)
  const { stuck, requester, id, version, preview } = change
  if (change.state !== 'pending' || stuck === undefined) return
  await tellAdministrators(
    core,
    `stuck:${id}:${version}`,
    {
      title: `A request of ${requester.name} cannot be approved as it stands`,
      tone: 'warn',
      change: { id, requester: requester.person },
      blocks: [note('plain', preview.title), ...stuckBlocks(change), note('plain', change.line)],
    },
    { space: requester.space },
  )
  if (!isFirst && core.messengers.has(requester.platform))
    await tellNews(core, change, {
      to: requester,
      why: needsApproval(change.clauses) ? 'Cannot be approved' : 'Cannot run',
    })
}

/** After people have left, gone away or come back, after a new policy and a freeze: every request that waits says how it stands. */
export const standAll = async (core: StuckCore): Promise<void> => {
  const [absences, freezes] = await Promise.all([core.store.absences.active(), core.store.freezes.all()])
  let isWaiting = false
  for (let skip = 0; ; skip += atOnce) {
    const waiting = await core.store.changes.list({ states: ['pending'], skip, limit: atOnce })
    for (const change of waiting) {
      const now = standingNow(core.policy, change, absences, freezes)
      const about = (['stuck', 'frozen'] as const).find((one) => !isDeepStrictEqual(now[one], change[one]))
      if (about !== undefined) await transition(core, change.id, async () => ok({ kind: 'stand', about }))
      const { hangsOnGroups } = await askMembers(core, change)
      isWaiting ||= hangsOnGroups
    }
    if (waiting.length < atOnce) break
  }
  if (isWaiting) await core.store.tasks.put(membersTask(core.now()))
}
const atOnce = 200
