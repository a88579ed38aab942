import { msBetween } from '../../lib/clock.ts'
import { no, type Result } from '../../lib/result.ts'
import { refusalView } from '../../lib/view/refusals.ts'
import { actorOf } from '../actors/authorization.ts'
import { rememberShown } from '../change/deciding/shown.ts'
import { refusalOf } from '../context/error-refusals.ts'
import type { Core } from '../core.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import type { NoteFacts } from '../watch/tracing.ts'

/** What people read of whatever came of a request: counted, and remembered where it showed a change that waits. */
export const present = async (
  core: Core,
  inbound: Inbound,
  note: NoteFacts,
  work: () => Promise<Result<Reply>>,
): Promise<Reply> => {
  const started = core.ticks()
  const reply = await work().catch((error: unknown) => no(refusalOf(core, error)))
  const outgoing: Reply = reply.ok
    ? reply.value
    : { kind: 'refused', refusal: reply.refusal, view: refusalView(reply.refusal) }
  await rememberShown(core, actorOf(core.policy, inbound.from), outgoing)
  count(core, inbound, outgoing, msBetween(started, core.ticks()), note)
  return outgoing
}

const count = (core: Core, { intent, from }: Inbound, reply: Reply, ms: number, note: NoteFacts): void => {
  const command =
    reply.kind === 'answer'
      ? reply.command
      : reply.kind === 'change'
        ? reply.change.command
        : intent.kind === 'press'
          ? `press ${intent.verb}`
          : 'other'
  const result = reply.kind === 'refused' ? reply.refusal.code : reply.kind
  core.count({ kind: 'command', command, result, platform: from.platform, ms })
  const ofChange = reply.kind === 'change' ? { change: reply.change.id, state: reply.change.state } : {}
  note({ command, result, platform: from.platform, ...ofChange })
}
