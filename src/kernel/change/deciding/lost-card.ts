import { no, type Result } from '../../../lib/result.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import type { Core } from '../../core.ts'
import { lossWords, lostSince, recordedLoss } from '../../loss/lost-cards.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { readButton } from '../../model/shown.ts'
import type { SeenCard } from '../../model/store-loss.ts'

/**
 * Nothing was counted by a press on a card: where the card is of what the store has lost, whoever pressed reads so. The first
 * such press is how the loss is noticed, where the database was put back together with all that is remembered beside it.
 */
export const orLost = async (
  core: Core,
  button: string,
  { pressedOn, from: { platform } }: Pick<Inbound, 'pressedOn' | 'from'>,
  reply: Result<Reply>,
): Promise<Result<Reply>> => {
  const code = codeOf(reply)
  if (pressedOn === undefined || code === undefined || !isNotThere.has(code)) return reply
  const at = core.messengers.get(platform)?.postedAt?.(pressedOn)
  if (at === undefined) return reply
  const { id, shown } = readButton(button)
  const card: SeenCard = { id, at, edition: shown?.edition }
  if ((await lostSince(core.store, card)) !== undefined) await core.doubtStore(card)
  else if (code !== 'no_such_change') return reply
  const loss = await recordedLoss(core.store, card)
  return loss === undefined ? reply : no(lostRequest(loss.since))
}

const isNotThere: ReadonlySet<Refusal['code']> = new Set(['no_such_change', 'changed_since'])

const codeOf = (reply: Result<Reply>): Refusal['code'] | undefined => {
  if (!reply.ok) return reply.refusal.code
  return reply.value.kind === 'refused' ? reply.value.refusal.code : undefined
}

const lostRequest = (since: number): Refusal =>
  refusal('store_lost', `${lossWords(since)}, and what this card shows with it. This did not count.`, {
    next: 'See in the service whether it was done meanwhile. When people have looked, ask for it again if it is still wanted.',
  })
