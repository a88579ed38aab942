import { no, ok, type Result } from '../../lib/result.ts'
import type { Reopening } from '../../lib/view/button-labels.ts'
import { verbs } from '../../lib/view/button-labels.ts'
import { noSuchChange, type Refusal, refusal } from '../../lib/view/refusals.ts'
import { partyOf, refuseFrozen } from '../actors/authorization.ts'
import { changeFor, sightOf } from '../actors/delegates.ts'
import { suggestedMark } from '../cards/card-buttons.ts'
import { costWords, refuseToAmend } from '../change/asking/amend.ts'
import { valuesAsked } from '../change/asking/filled-in.ts'
import { type Press, showFrozen } from '../change/deciding/decide.ts'
import { recordRefusal } from '../change/deciding/record-refusal.ts'
import { olderCard, showFirst } from '../change/deciding/shown.ts'
import type { Actor } from '../command/context.ts'
import { readValues } from '../command/line/parse.ts'
import { usageOf } from '../command/line/usage.ts'
import { atParam } from '../command/params.ts'
import { amendingName } from '../command/registry.ts'
import type { Core } from '../core.ts'
import { isSettled, isStoppable, refuseSuggestion } from '../law/law.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import { type Change, isAtService } from '../model/change.ts'
import { isAsShown, readButton } from '../model/shown.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import type { IntendedOrEnd } from './admitted.ts'
import { filledForm } from './reading/filled-form.ts'

export const reopen = (
  core: Core,
  actor: Actor,
  press: Press & { verb: Reopening },
  inbound: Inbound,
): Promise<IntendedOrEnd> =>
  press.verb === 'again'
    ? askAnew(core, actor, press, inbound)
    : press.verb === 'take'
      ? takeSuggestion(core, actor, press, inbound)
      : openChange(core, actor, press, inbound)

/** The form of a request that waits; where there are no forms, how to write what is to change. */
const openChange = async (
  core: Core,
  actor: Actor,
  { verb, id: button }: Press,
  { forms }: Inbound,
): Promise<Result<Reply>> => {
  const { id } = readButton(button)
  const change = await changeFor(core, actor, id)
  const isTime = verb === 'retime'
  const as = verb === 'suggest' ? { as: 'suggest' as const } : {}
  const command = change && core.registry.get(amendingName({ id, isWhole: !isTime, ...as }, change.command))
  if (change === null || command == null || !(await sightOf(core, actor))(change)) return no(noSuchChange(id))
  const refused =
    (verb === 'suggest' ? refuseToSuggest(core, actor, change) : undefined) ??
    (await refuseToAmend(core, actor, change))
  if (refused !== undefined) return no(await recordRefusal(core, actor, change, refused))
  // Nobody fills in a form that is refused when it is handed in.
  const frozen = await refuseFrozen(core.store, change.area, change.requester)
  if (frozen !== undefined) {
    await showFrozen(core, change, frozen)
    return no(await recordRefusal(core, actor, change, frozen))
  }
  const parsed = readValues(command, valuesAsked(command, change, core.now()))
  if (!parsed.ok) return parsed
  if (!forms) {
    const base = core.registry.get(change.command)
    return no(
      refusal('missing_arguments', 'Say what to change.', {
        next: (as) =>
          `Give the id, and what is to be different by its name, such as ${as.flag('at')}. Everything else stays as it was asked.`,
        ...(base === undefined ? {} : { usage: `approval change ${id} ...\n${usageOf(base)}` }),
      }),
    )
  }
  const [form, cost] = await Promise.all([
    filledForm(core, actor, parsed.value),
    costWords(core, actor, change),
  ])
  const isSuggested = verb === 'suggest'
  const fields = isTime ? form.fields.filter(({ name }) => name === atParam.name) : form.fields
  return ok({
    kind: 'form',
    form: {
      ...form,
      title: isTime ? verbs.retime.label : isSuggested ? verbs.suggest.label : 'Change request',
      summary: [change.preview.title, isSuggested ? suggestWords(change) : cost].filter(Boolean).join('. '),
      ...(isSuggested ? { submit: verbs.suggest.label } : {}),
      fields,
    },
  })
}

/** To oneself there is nothing to suggest; everything else is asked with the right to change it. */
const refuseToSuggest = (core: Core, actor: Actor, change: Change): Refusal | undefined =>
  requestAuthors(change, core.policy).includes(actor.person)
    ? refuseSuggestion(change, { by: partyOf(actor), mayVote: true, at: core.now() })
    : undefined

/** Who suggests something gives their vote with it. */
const suggestWords = ({ requester }: Change): string =>
  `${requester.name} takes it with one press, and your vote then stands for exactly that.`

/** What somebody who decides would rather have, changed by whoever asked: that costs no vote but those that were given. */
const takeSuggestion = async (
  core: Core,
  actor: Actor,
  { id: button }: Press,
  inbound: Inbound,
): Promise<IntendedOrEnd> => {
  const { id, shown, rest = '' } = readButton(button)
  const change = await changeFor(core, actor, id)
  const command = change && core.registry.get(amendingName({ id, isWhole: true }, change.command))
  if (change === null || command == null || !(await sightOf(core, actor))(change)) return no(noSuchChange(id))
  const { suggestion, requester } = change
  if (!requestAuthors(change, core.policy).includes(actor.person)) {
    const refused = refusal('not_requester', `${requester.name} asked for this, and takes suggestions.`)
    return no(await recordRefusal(core, actor, change, refused))
  }
  if (suggestion === undefined)
    return no(
      refusal('not_allowed_now', 'Nothing is suggested here any more.', { next: 'Look at the card.' }),
    )
  const isThis = rest.split('.').includes(suggestedMark(suggestion))
  if (shown === undefined || !isThis || !isAsShown(change, shown))
    return ok(await showFirst(core, actor, id, olderCard))
  return {
    command,
    values: () => ok(suggestion.values),
    as: { forms: false, delivery: `${inbound.delivery}:take` },
  }
}

/** What has ended without effect, asked for once more: in its form where there are forms, else as it was. */
const askAnew = async (
  core: Core,
  actor: Actor,
  { id: button }: Press,
  inbound: Inbound,
): Promise<IntendedOrEnd> => {
  const { id } = readButton(button)
  const change = await changeFor(core, actor, id)
  const command = change && core.registry.get(change.command)
  if (change === null || command == null || !(await sightOf(core, actor))(change)) return no(noSuchChange(id))
  const refused = refuseAgain(change, core.now())
  if (refused !== undefined) return no(refused)
  return {
    command,
    values: () => ok(valuesAsked(command, change, core.now())),
    as: { delivery: `${inbound.delivery}:again` },
    instead: async (parsed) =>
      inbound.forms ? ok({ kind: 'form', form: await filledForm(core, actor, parsed) }) : undefined,
  }
}

/** What may still happen, or may have, is not asked for a second time. */
const refuseAgain = (change: Change, now: number): Refusal | undefined => {
  const { state, expiresAt } = change
  const isPast = state === 'pending' && now >= expiresAt
  if (isPast || isSettled(state)) return undefined
  if (isAtService(state))
    return refusal(
      'not_allowed_now',
      'The service has this and settles it later, so it is not asked for again.',
      {
        next: 'Wait for its end, or find out in the service, and say whether it happened.',
      },
    )
  return state === 'unknown'
    ? refusal('not_allowed_now', 'Nobody knows whether this happened, so it is not asked for again.', {
        next: 'Look in the service, and say whether it happened.',
      })
    : refusal('not_allowed_now', 'This request has not ended, so it is not asked for again.', {
        next:
          state === 'pending' || isStoppable(change, now)
            ? 'Change it, or cancel it first.'
            : 'Wait until it has: it takes a moment.',
      })
}
