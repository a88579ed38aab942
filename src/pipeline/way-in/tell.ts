import type { Asker } from '../../command/context.ts'
import { readValues } from '../../command/line/parse.ts'
import { definitionOf, tellingWay } from '../../command/registry.ts'
import type { Core } from '../../core/core.ts'
import { changeFor, sightOf } from '../../core/people/delegates.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { refusal } from '../../view/refusals.ts'
import { plainWords } from '../../view/words.ts'
import { filledForm } from '../reading/filled-form.ts'
import { noFormHere } from '../reading/offers.ts'
import { authorized } from './run.ts'

/** Whom a change was for is written to by hand: the form of the message, with their address and what was done filled in. */
export const tellRecipient = async (
  core: Core,
  asker: Asker,
  button: string,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const change = await changeFor(core, asker, button.split('.')[0] ?? '')
  const way = change?.tell && tellingWay(core.registry, change.tell.command)
  const command = way && core.registry.get(way.command)
  // Nobody is written to as if something had been done.
  const isDone = change?.state === 'applied'
  if (!isDone || change.tell === undefined || way === undefined || command === undefined)
    return no(refusal('no_such_change', 'There is nobody to tell about this.'))
  if (!(await sightOf(core, asker))(change))
    return no(refusal('may_not_approve', 'This is for whoever asked for it or may approve it.'))
  const words = toldWords(core, change)
  const values = { [way.to]: change.tell.to, ...(words === '' ? {} : { [way.words]: words }) }
  return authorized(core, asker, command, async () => {
    const parsed = readValues(command, values)
    if (!parsed.ok) return parsed
    return inbound.forms
      ? ok({ kind: 'form', form: await filledForm(core, asker, parsed.value) })
      : no(noFormHere(parsed.value))
  })
}

const toldWords = ({ registry }: Core, change: Change): string => {
  const definition = definitionOf(registry, change)
  const plan = definition?.plan.safeParse(change.plan)
  const words = plan?.success ? definition?.tellWords?.(plan.data) : undefined
  return words ?? plainWords(change.outcome?.message ?? '')
}
