import { noSuchChange, type Refusal, refusal } from '../../../lib/view/refusals.ts'
import { actionsIn, note } from '../../../lib/view/view.ts'
import { joinWords } from '../../../lib/view/words.ts'
import { changeFor, delegatedVotes } from '../../actors/delegates.ts'
import { cardFor, viewerOf } from '../../cards/pressable.ts'
import type { Actor } from '../../command/context.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import { isConfirmOnly } from '../../law/clauses.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { type Change, isUnsettled } from '../../model/change.ts'
import { editionOf, readButton, type Shown, shownIn } from '../../model/shown.ts'
import { personNow } from '../../policy/people.ts'
import { allAccountsOf } from '../../policy/workspaces.ts'

type Copy = { platform: string; place: string }

/**
 * What somebody was last shown of a change, for a decision that does not say which version it means. What they were answered
 * in person counts, and the newest alone. Besides, in its first edition, a card that was posted where they look: all that
 * anybody can have read of it then is that edition. Later ones are edits of that card, which nobody is told of, so they are no
 * showing. Where no cards are posted, as in the terminal, an id is only known from an answer:
 * docs/decisions/11-what-was-shown.md.
 */
export const lastShown = async (core: Core, actor: Actor, change: Change): Promise<Shown | undefined> => {
  const own = await core.store.shown.last(actor.person, change.id)
  if (own !== undefined || editionOf(change) > 1) return own
  if (!core.messengers.has(actor.platform) || wasAnswered(core, actor, change)) return shownIn(change)
  const copies = await core.store.cards.of(change.id)
  return copies.some((copy) => isBefore(core, actor, change, copy)) ? shownIn(change) : undefined
}

/** Whoever asked in person had it for an answer; what a program asked for in their name went to the program. */
const wasAnswered = ({ policy }: Core, { person }: Actor, { requester, origin }: Change): boolean =>
  requester.agent === undefined && origin.waits === undefined && personNow(policy, requester) === person

const isBefore = (
  { policy, messengers }: Core,
  actor: Actor,
  change: Change,
  { platform, place }: Copy,
): boolean => {
  const [, direct] = /direct:(.*)$/s.exec(place) ?? []
  if (direct !== undefined) return direct === actor.person
  const isPrivate = isConfirmOnly(change.clauses) && change.emergency === undefined
  if (place === 'aside' || (place === 'origin' && isPrivate))
    return actor.person === personNow(policy, change.requester)
  const listed = policy.people.find(({ id }) => id === actor.person)
  return (
    platform === actor.platform ||
    messengers.get(platform)?.isShared === true ||
    (listed !== undefined && allAccountsOf(listed).some((one) => one.platform === platform))
  )
}

/** Whoever is given the buttons of an edition has read what stands before them: the newest is remembered. */
export const rememberShown = async (core: Core, actor: Actor, reply: Reply): Promise<void> => {
  if (!actor.known || actor.agent !== undefined) return
  const shown = shownBy(reply)
  if (shown.size === 0) return
  await core.store.shown
    .put(actor.person, shown)
    .catch((error: unknown) => core.log.warn({ err: error }, 'what somebody was shown could not be stored'))
}

const shownBy = (reply: Reply): Map<string, Shown> => {
  if (reply.kind === 'change') {
    const { change } = reply
    // The first edition needs no memory: its card is posted.
    const isOpen = change.state === 'pending' || isUnsettled(change.state)
    const isLater = isOpen && editionOf(change) > 1
    return new Map(isLater ? [[change.id, shownIn(change)]] : [])
  }
  if (reply.kind !== 'answer' && reply.kind !== 'refused') return new Map()
  return new Map(
    actionsIn(reply.view).flatMap((action): [string, Shown][] => {
      const { id, shown } = readButton(action.id)
      return shown === undefined ? [] : [[id, shown]]
    }),
  )
}

/** Why a decision does not count that says too little, or nothing, of what it is for. */
export const shownNothing = refusal('not_shown', 'You were not shown this request yet.')
export const olderCard = refusal('changed_since', 'This card is older than what it shows.')

/** The card as it is now with why nothing was counted, for whoever decided about something else. */
export const showFirst = async (
  core: Core,
  actor: Actor,
  id: string,
  refused: Refusal,
): Promise<Extract<Reply, { kind: 'refused' }>> => {
  const change = await changeFor(core, actor, id)
  if (change === null) throw new Error(noSuchChange(id).message)
  const { mayVote, ...viewer } = await viewerOf(readContext(core, actor), change)
  const isFor = mayVote || (await delegatedVotes(core, actor))(change)
  const card = cardFor(change, { ...viewer, mayVote: isFor }, core.now())
  const why = note('warn', joinWords([refused.message, 'Nothing was counted.', refused.next], ' '))
  return {
    kind: 'refused',
    refusal: refused,
    view: { ...card, blocks: [why, ...card.blocks], essential: (card.essential ?? card.blocks.length) + 1 },
  }
}
