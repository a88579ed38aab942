import { no, ok, type Result } from '../../../lib/result.ts'
import { plural, verbs } from '../../../lib/view/button-labels.ts'
import { weightOf } from '../../../lib/view/cut.ts'
import { type Action, note, text, type View } from '../../../lib/view/view.ts'
import { joinWords } from '../../../lib/view/words.ts'
import { draftCardOf } from '../../cards/card.ts'
import { confirmLabelOf } from '../../cards/card-buttons.ts'
import { draftChange } from '../../change/asking/ask.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { readValues } from '../../command/line/parse.ts'
import { atParam } from '../../command/params.ts'
import type { Core } from '../../core.ts'
import { isConfirmOnly } from '../../law/clauses.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import type { Reading } from '../../sayings/understanding.ts'
import { withLinkedIds } from '../../things/linked.ts'
import { isoTime } from '../../times/read-time.ts'
import { askWhose } from './ask-whose.ts'
import { draftsOf } from './drafts.ts'
import { fromBefore, lineOf, withEdit } from './offers.ts'

/**
 * What a sentence asks for, as the card that it would be: drawn for whoever said it, and for nobody else. One press asks, and
 * where only they are to confirm it, confirms what they have seen. Undefined where it cannot be drawn without more.
 */
export const draftCard = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  { command, values }: Pick<Reading, 'values'> & { command: Extract<Command, { kind: 'change' }> },
  { from, isBeside = false }: { from?: string | undefined; isBeside?: boolean } = {},
): Promise<Result<View | { question: Reply }> | undefined> => {
  const parsed = readValues(command, values)
  if (!parsed.ok || parsed.value.missing.length > 0 || parsed.value.emergency !== undefined) return undefined
  const linked = await withLinkedIds(core, actor, parsed.value)
  if (!linked.ok) return no(await withEdit(core, inbound, linked.refusal, parsed.value))
  if ('choices' in linked.value) return undefined
  const { at, also } = parsed.value
  const drafted = await draftChange(core, actor, command, command, linked.value.input, {
    place: inbound.place,
    at,
    also,
    askBack: (plan, isDemanded) => askWhose(core, actor, command, parsed.value, inbound, plan, isDemanded),
  })
  if (!drafted.ok) return no(await withEdit(core, inbound, drafted.refusal, parsed.value))
  if ('question' in drafted.value) return ok(drafted.value)
  const { change } = drafted.value
  const { view, isCut } = draftCardOf(change, core.now())
  // What one press confirms has to be seen whole: beside another draft there is less room for it.
  const isShown = isConfirmOnly(change.clauses) && !isCut && (!isBeside || isShort(view))
  // The time that was shown is the one that is asked for, whenever somebody presses.
  const runAt = change.runAt === undefined ? {} : { [atParam.name]: isoTime(change.runAt) }
  const id = await draftsOf(core).save(inbound.from, {
    command: command.name,
    values: { ...values, ...runAt },
    ...(isShown && { shown: change.digest }),
  })
  const actions: Action[] = [
    {
      verb: 'run_it',
      id,
      label: isShown || !isConfirmOnly(change.clauses) ? asksWords(change) : 'Look at it',
    },
    { verb: 'edit', id, label: verbs.change.label },
  ]
  return ok({
    ...view,
    title: from === undefined ? view.title : fromBefore(view.title, from),
    footer: joinWords([`Understood as: ${lineOf({ command, values })}`], ' '),
    actions,
  })
}

/** One draft under the other, each with its own button: nothing of one depends on the other. */
export const draftCards = async (
  core: Core,
  actor: Actor,
  inbound: Inbound,
  readings: readonly Pick<Reading, 'command' | 'values' | 'missing'>[],
): Promise<View> => {
  const cards = await Promise.all(
    readings.map(async ({ command, values, missing }): Promise<View> => {
      const card =
        command.kind === 'change' && missing.length === 0
          ? await draftCard(core, actor, inbound, { command, values }, { isBeside: true })
          : undefined
      if (card?.ok === true && !('question' in card.value)) return card.value
      // What cannot be drawn says why, or what it still needs, and the others are drawn all the same.
      const id = await draftsOf(core).save(inbound.from, { command: command.name, values })
      const needs = missing.map(({ flag }) => flag).join(', ')
      return {
        title: card?.ok === false ? card.refusal.message : `${command.title ?? command.name}`,
        tone: 'plain',
        blocks: needs === '' ? [] : [note('plain', `Still needed: ${needs}.`)],
        footer: `Understood as: ${lineOf({ command, values })}`,
        actions: [{ verb: 'edit', id, label: 'Fill in the rest' }],
      }
    }),
  )
  const blocks = cards.flatMap((one, at) => [text(`${at + 1}. ${one.title}`), ...one.blocks])
  return {
    kind: 'request',
    title: `${plural(cards.length, 'request')}, each with its own button`,
    tone: cards.some(({ tone }) => tone === 'warn') ? 'warn' : 'plain',
    blocks,
    essential: blocks.length,
    footer: joinWords(
      cards.flatMap(({ footer }) => footer ?? []),
      ' · ',
    ),
    actions: cards.flatMap(({ actions = [] }, at) =>
      actions.map(
        (one): Action => ({
          ...one,
          label: `${at + 1}. ${one.label ?? ''}`,
          ...(one.verb === 'edit' && actions.length > 1 && { isMore: true }),
        }),
      ),
    ),
  }
}

/** A few of them fit into one message of every platform. */
const isShort = ({ title, blocks }: View): boolean => weightOf(title + JSON.stringify(blocks)) <= 900

/** "Confirm 49 USD", or who is asked: "Ask finance". */
const asksWords = (change: Change): string => {
  const { clauses } = change
  if (clauses.length === 0) return 'Do it'
  if (isConfirmOnly(clauses)) return confirmLabelOf(change)
  const asked = clauses.flatMap((clause) =>
    clause.kind === 'approvals' ? [...(clause.people ?? []).map(({ name }) => name), ...clause.from] : [],
  )
  const names = [...new Set(asked)]
  return names.length === 0 ? 'Ask for approval' : `Ask ${names.slice(0, 2).join(' and ')}`
}
