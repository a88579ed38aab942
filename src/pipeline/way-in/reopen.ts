import { isSettled, isStoppable } from '../../approvals/law.ts'
import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { type Parsed, readValues } from '../../command/line/parse.ts'
import { usageOf } from '../../command/line/usage.ts'
import { atParam } from '../../command/params.ts'
import { amendingName } from '../../command/registry.ts'
import type { Core } from '../../core/core.ts'
import { changeFor, sightOf } from '../../core/people/delegates.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { noSuchChange, type Refusal, refusal } from '../../view/refusals.ts'
import { whyMayNotAmend } from '../asking/amend.ts'
import { valuesAsked } from '../asking/filled-in.ts'
import type { Press } from '../deciding/decide.ts'
import { recordRefusal } from '../deciding/record-refusal.ts'
import { filledForm } from '../reading/filled-form.ts'

/** Verbs that lead back to the form of a request, with everything filled in. */
export const isReopening = (verb: Press['verb']): verb is 'change' | 'retime' | 'again' =>
  verb === 'change' || verb === 'retime' || verb === 'again'

export const reopen = (
  core: Core,
  asker: Asker,
  press: Press & { verb: 'change' | 'retime' | 'again' },
  inbound: Inbound,
  ways: Ways,
): Promise<Result<Reply>> =>
  press.verb === 'again'
    ? askAnew(core, asker, press, inbound, ways)
    : openChange(core, asker, press, inbound)

/** What asking for something takes, whichever way it comes. */
type Ways = {
  authorized(
    core: Core,
    asker: Asker,
    command: Command,
    proceed: () => Promise<Result<Reply>>,
  ): Promise<Result<Reply>>
  run(core: Core, asker: Asker, parsed: Parsed, inbound: Inbound): Promise<Result<Reply>>
  isFirst(core: Core, inbound: Inbound): Promise<boolean>
}

/** The form of a request that waits; where there are no forms, how to write what is to change. */
const openChange = async (
  core: Core,
  asker: Asker,
  { verb, id: button }: Press,
  { forms }: Inbound,
): Promise<Result<Reply>> => {
  const id = button.split('.')[0] ?? ''
  const change = await changeFor(core, asker, id)
  const isTime = verb === 'retime'
  const command = change && core.registry.get(amendingName(id, change.command, !isTime))
  if (change === null || command == null || !(await sightOf(core, asker))(change)) return no(noSuchChange(id))
  const refused = await whyMayNotAmend(core, asker, change)
  if (refused !== undefined) return no(await recordRefusal(core, asker, change, refused))
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
  const form = await filledForm(core, asker, parsed.value)
  const fields = isTime ? form.fields.filter(({ name }) => name === atParam.name) : form.fields
  return ok({
    kind: 'form',
    form: {
      ...form,
      title: isTime ? 'Change the time' : 'Change request',
      summary: change.preview.title,
      fields,
    },
  })
}

/** What has ended without effect, asked for once more: in its form where there are forms, else as it was. */
const askAnew = async (
  core: Core,
  asker: Asker,
  { id: button }: Press,
  inbound: Inbound,
  { authorized, run, isFirst }: Ways,
): Promise<Result<Reply>> => {
  const id = button.split('.')[0] ?? ''
  const change = await changeFor(core, asker, id)
  const command = change && core.registry.get(change.command)
  if (change === null || command == null || !(await sightOf(core, asker))(change)) return no(noSuchChange(id))
  const refused = whyNotAgain(change, core.now())
  if (refused !== undefined) return no(refused)
  return authorized(core, asker, command, async () => {
    const parsed = readValues(command, valuesAsked(command, change, core.now()))
    if (!parsed.ok) return parsed
    if (inbound.forms) return ok({ kind: 'form', form: await filledForm(core, asker, parsed.value) })
    if (inbound.intent.kind !== 'press' && !(await isFirst(core, inbound))) return ok({ kind: 'repeated' })
    return run(core, asker, parsed.value, { ...inbound, delivery: `${inbound.delivery}:again` })
  })
}

/** What may still happen, or may have, is not asked for a second time. */
const whyNotAgain = (change: Change, now: number): Refusal | undefined => {
  const { state, expiresAt } = change
  const isPast = state === 'pending' && now >= expiresAt
  if (isPast || isSettled(state)) return undefined
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
