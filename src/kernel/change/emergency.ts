import { due } from '../../lib/view/format.ts'
import { theirs } from '../../lib/view/outside.ts'
import { type Block, note, type View } from '../../lib/view/view.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'
import { approvalsIn } from '../policy/workspaces.ts'
import { tellAdministrators } from '../telling/administrators.ts'
import { aboutOf, type DeliveryCore, deliver } from '../telling/deliver.ts'

const dayMs = 24 * 3_600_000

/** What one person did alone is looked at by somebody else until then. */
export const reviewDueAt = (usedAt: number): number => usedAt + dayMs

/** Where it stands, on every copy of the card. */
export const emergencyBlocks = (change: Pick<Change, 'emergency' | 'requester' | 'id'>): Block[] => {
  const { emergency, requester, id } = change
  if (emergency === undefined) return []
  const { why, usedAt, reviewed } = emergency
  return [
    note('bad', `EMERGENCY: ${requester.name} does this alone, signed with a passkey: ${why}`),
    ...(reviewed === undefined
      ? usedAt === undefined
        ? []
        : [note('warn', `Somebody else reviews it until ${momentText(usedAt)}: approval review ${id}`)]
      : [note('plain', `Reviewed by ${reviewed.by.name}: ${theirs(reviewed.reason, 500)}`)]),
  ]
}

const momentText = (usedAt: number): string => {
  const moment = due(reviewDueAt(usedAt))
  return typeof moment === 'object' ? moment.text : String(moment)
}

/** Everybody who reads the approvals channels and every administrator, at once; and once more if a day went by. */
export const tellEmergency = async (
  core: DeliveryCore & Pick<Core, 'policy'>,
  change: Change,
  isOverdue: boolean,
): Promise<void> => {
  if (change.emergency === undefined || (isOverdue && change.emergency.reviewed !== undefined)) return
  const { space } = change.requester
  const view: View = {
    title: isOverdue
      ? `An emergency of ${change.requester.name} was not reviewed within a day`
      : `EMERGENCY: ${change.requester.name} does something alone`,
    tone: 'bad',
    change: { id: change.id, requester: change.requester.person },
    blocks: [note('plain', change.preview.title), ...emergencyBlocks(change), note('plain', change.line)],
  }
  await tellAdministrators(core, `emergency:${change.id}:${isOverdue ? 'overdue' : 'used'}`, view, {
    space,
  })
  const about = aboutOf(change)
  for (const [platform, channel] of approvalsIn(core.policy, space)) {
    const place = { channel, handle: null, onlyFor: null }
    await deliver(core, { kind: 'notice', to: channel, about }, [
      { platform, send: (messenger) => messenger.post(place, view) },
    ])
  }
}
