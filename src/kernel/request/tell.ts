import { no, ok } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { plainWords } from '../../lib/view/words.ts'
import { changeFor, sightOf } from '../actors/delegates.ts'
import type { Actor } from '../command/context.ts'
import { definitionOf, tellingWay } from '../command/registry.ts'
import type { Core } from '../core.ts'
import type { Inbound } from '../messenger/inbound.ts'
import type { Change } from '../model/change.ts'
import { readButton } from '../model/shown.ts'
import type { IntendedOrEnd } from './admitted.ts'
import { filledForm } from './reading/filled-form.ts'
import { noFormHere } from './reading/offers.ts'

/** Whom a change was for is written to by hand: the form of the message, with their address and what was done filled in. */
export const tellRecipient = async (
  core: Core,
  actor: Actor,
  button: string,
  inbound: Inbound,
): Promise<IntendedOrEnd> => {
  const change = await changeFor(core, actor, readButton(button).id)
  const way = change?.tell && tellingWay(core.registry, change.tell.command)
  const command = way && core.registry.get(way.command)
  // Nobody is written to as if something had been done.
  const isDone = change?.state === 'applied'
  if (!isDone || change.tell === undefined || way === undefined || command === undefined)
    return no(refusal('no_such_change', 'There is nobody to tell about this.'))
  if (!(await sightOf(core, actor))(change))
    return no(refusal('may_not_approve', 'This is for whoever asked for it or may approve it.'))
  const words = toldWords(core, change)
  const values = { [way.to]: change.tell.to, ...(words === '' ? {} : { [way.words]: words }) }
  return {
    command,
    values: () => ok(values),
    instead: async (parsed) =>
      inbound.forms
        ? ok({ kind: 'form', form: await filledForm(core, actor, parsed) })
        : no(noFormHere(parsed)),
  }
}

const toldWords = ({ registry }: Core, change: Change): string => {
  const definition = definitionOf(registry, change)
  const plan = definition?.plan.safeParse(change.plan)
  const words = plan?.success ? definition?.tellWords?.(plan.data) : undefined
  return words ?? plainWords(change.outcome?.message ?? '')
}
