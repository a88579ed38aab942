import { no, ok, type Result } from '../../../lib/result.ts'
import { asTyped, theirs } from '../../../lib/view/outside.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import type { Thing, ThingKind } from '../../../lib/view/thing.ts'
import { thingsIn } from '../../../lib/view/things-in.ts'
import { type Block, facts, type Menu, note, table, type View } from '../../../lib/view/view.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { isRawFile, type Raw } from '../../command/line/coerce.ts'
import type { Candidate } from '../../command/pack.ts'
import { isThingKind, type Param, siblingThings } from '../../command/params.ts'
import type { Core } from '../../core.ts'
import type { Reply } from '../../messenger/inbound.ts'
import type { ThingAction } from '../../things/actions.ts'
import { thingValue, type Unclear } from '../../things/ids.ts'
import { thingLabels } from '../../things/label.ts'
import { allowedActions, isYes, menuFor } from '../../things/menu.ts'
import { kindWords, noneCalled } from '../../things/nearest.ts'
import { suggest } from '../../things/suggest.ts'
import { answerBehind, type StoredAnswer } from '../look-ups/query.ts'

/** What was chosen from the menu of an answer: a command to run, or a row or some rows of which to choose further. */
export type Chosen = { kind: 'action' | 'typed'; action: ThingAction } | { kind: 'more'; reply: Reply }

/**
 * `answer.row.command`, `answer.row`, `answer.first-last`, or `answer.=value` where a choice is open. What may be done is
 * found out anew.
 */
export const chosenBy = async (core: Core, actor: Actor, pressed: string): Promise<Result<Chosen>> => {
  const [, open, value] = /^([^.]+)\.=(.+)$/s.exec(pressed) ?? []
  if (open !== undefined && value !== undefined) return chosenValue(core, actor, open, value)
  const [, id = '', from = '', to = from, name] = /^([^.]+)\.(\d+)(?:-(\d+))?(?:\.(.+))?$/.exec(pressed) ?? []
  const behind = await answerBehind(core, actor, id)
  if (!behind.ok) return behind
  const { view, command } = behind.value
  const [first, last] = [Number(from), Number(to)]
  const thing = thingsIn(view)[first]
  if (thing === undefined) return no(refusal('answer_gone', 'There is no such row in this answer.'))
  if (name !== undefined) {
    const typed = typedAction(core, behind.value, thing)
    if (typed !== undefined) return ok({ kind: 'typed', action: typed })
    const yes = core.registry.get(name)
    if (yes !== undefined && isYes(yes) && thing.kind === 'change') {
      return ok({ kind: 'action', action: { command: yes, values: { id: thing.id } } })
    }
    const action = (await allowedActions(core, actor, thing)).find((one) => one.command.name === name)
    return action === undefined
      ? no(refusal('may_not_run', `You cannot run ${name.slice(0, 40)} on this now.`))
      : ok({ kind: 'action', action })
  }
  const menu = await menuBehind(core, actor, id, behind.value)
  const items = menu?.items.filter(({ at }) => at >= first && at <= last) ?? []
  if (menu === undefined || items.length === 0) {
    return no(refusal('may_not_run', 'There is nothing that you may do with this.'))
  }
  const shown: View = {
    title:
      first === last ? theirs(thing.name ?? thing.id) : `Rows ${first + 1} to ${last + 1} of ${view.title}`,
    tone: 'plain',
    blocks: first === last ? [facts({ [labelOf(thing.kind)]: thing.id })] : [],
    menu: { ...menu, items },
  }
  return ok({ kind: 'more', reply: { kind: 'answer', command, view: shown } })
}

/** The menu of a stored answer: what may be done with its things, or which of them was meant. */
export const menuBehind = async (
  core: Core,
  actor: Actor,
  id: string,
  stored: StoredAnswer,
  typed = '',
): Promise<Menu | undefined> => {
  if (stored.choice === undefined) return menuFor(core, actor, { ...stored, id })
  const command = core.registry.get(stored.command)
  const menu = choiceMenu(id, stored.view, command, stored.choice)
  const param = command?.params.find(({ name }) => name === stored.choice?.param)
  if (menu?.isOpen === undefined || command === undefined || param === undefined || typed.trim() === '')
    return menu
  const given = stored.input as Record<string, Raw>
  const found = await suggest(core, actor, param, typed, siblingThings(command, given, param))
  const kind = param.kinds.find(isThingKind)
  const all = [...found, { value: typed.trim(), label: `${typed.trim()}, as typed` }]
  const fresh = all.filter(({ value }, at) => all.findIndex((one) => one.value === value) === at)
  return {
    ...menu,
    items: fresh.map(({ value, label }) => ({
      at: -1,
      thing: { kind: kind as ThingKind, id: value },
      label,
      actions: [command.name],
    })),
  }
}

/** What was found by what somebody typed into an open choice, as if they had typed it. */
const chosenValue = async (core: Core, actor: Actor, id: string, value: string): Promise<Result<Chosen>> => {
  const behind = await answerBehind(core, actor, id)
  if (!behind.ok) return behind
  const action = behind.value.choice?.isOpen === true ? typedWith(core, behind.value, () => value) : undefined
  return action === undefined
    ? no(refusal('answer_gone', 'There is nothing to choose in this answer.'))
    : ok({ kind: 'typed', action })
}

/** A program presses nothing, and must not take a question for an answer: it reads the ids to choose from. */
export const oneOfThese = (
  { name }: Pick<Param, 'name'>,
  typed: string,
  ids: readonly string[],
  isNear = false,
): Refusal =>
  refusal(
    'bad_value',
    (as) =>
      `${as.name(name)}: ${asTyped(typed.slice(0, 60))} ${isNear ? 'is the name of nothing' : 'does not say which one'}.`,
    { field: name, next: `${isNear ? 'The nearest' : 'Give the id of one of these'}: ${ids.join(', ')}.` },
  )

export const withWords = (id: string, words = ''): string =>
  words === '' || words === id ? id : `${id} (${words})`

/** Several things that a typed word could mean, as a choice that goes on with the rest of what was typed. */
export const askWhich = async (
  core: Core,
  actor: Actor,
  command: Command,
  values: Record<string, Raw>,
  { param, at, typed, candidates, isNear }: Unclear,
): Promise<Result<Reply>> => {
  if (candidates.length === 0) return no(await noneCalled(core, actor, param, typed))
  if (actor.agent !== undefined) {
    const ids = candidates.map(({ id, name, beside }) =>
      withWords(id, [name, beside].filter(Boolean).join(', ')),
    )
    return no(oneOfThese(param, typed, ids, isNear))
  }
  return ok(
    await choiceAmong(
      core,
      actor,
      command,
      values,
      { param: param.name, at },
      {
        title: isNear
          ? `No ${kindWords(param.kinds)} is called ${asTyped(typed.slice(0, 60))}`
          : `Which ${kindWords(param.kinds)} is ${asTyped(typed.slice(0, 60))}?`,
        tone: 'plain',
        blocks: [
          note(
            'plain',
            isNear
              ? 'These come nearest, and nothing was run. Choose one, or give its id instead.'
              : 'Several fit, so nothing was run. Choose one, or give its id instead.',
          ),
          candidateTable(candidates),
        ],
      },
    ),
  )
}

export const candidateTable = (candidates: readonly Candidate[]): Block => {
  const isMixed = new Set(candidates.map(({ kind }) => kind)).size > 1
  const isNamed = candidates.some(({ id, name = id }) => name !== id)
  const isTold = candidates.some(({ beside }) => beside !== undefined)
  return table(
    [...(isNamed ? ['Name'] : []), 'Id', ...(isMixed ? ['Kind'] : []), ...(isTold ? ['About'] : [])],
    candidates.map(({ id, name = id, kind, beside = '' }) => [
      ...(isNamed ? [name] : []),
      id,
      ...(isMixed ? [kind] : []),
      ...(isTold ? [beside] : []),
    ]),
    candidates.map(({ beside: _, keys: __, ...thing }) => thing),
  )
}

/** A question with things to choose from; what is chosen goes where `choice` says, and the rest of what was typed with it. */
export const choiceAmong = async (
  core: Core,
  actor: Actor,
  command: Command,
  values: Record<string, Raw>,
  choice: NonNullable<StoredAnswer['choice']>,
  view: View,
): Promise<Extract<Reply, { kind: 'answer' }>> => {
  const id = core.newId()
  const kept = Object.entries(values).filter(([, value]) => !isRawFile(value))
  const doc = { command: command.name, input: Object.fromEntries(kept), view, choice }
  await core.store.answers.put({ id, at: core.now(), person: actor.person, doc })
  const menu = choiceMenu(id, view, command, choice)
  const isAsked = menu === undefined || (menu.items.length === 0 && menu.isOpen === undefined)
  return {
    kind: 'answer',
    command: command.name,
    view: isAsked ? view : { ...view, menu },
    isChoice: true,
  }
}

const choiceMenu = (
  id: string,
  view: View,
  command: Command | undefined,
  choice: StoredAnswer['choice'],
): Menu | undefined => {
  const things = thingsIn(view)
  const param = command?.params.find(({ name }) => name === choice?.param)
  const labels = thingLabels(things)
  return (
    command && {
      id,
      asks: `Choose the ${param === undefined ? 'one that is meant' : kindWords(param.kinds)}`,
      ...(choice?.isOpen && { isOpen: true as const }),
      items: things.map((thing, at) => ({ at, thing, label: labels[at], actions: [command.name] })),
      summaries: { [command.name]: command.summary },
    }
  )
}

/** What was typed, with the thing that was meant in its place. */
const typedAction = (core: Core, stored: StoredAnswer, thing: Thing): ThingAction | undefined =>
  typedWith(core, stored, (param) => thingValue(param, thing))

const typedWith = (
  { registry }: Core,
  { choice, command: name, input }: StoredAnswer,
  valueFor: (param: Param) => string,
): ThingAction | undefined => {
  if (choice === undefined) return undefined
  const command = registry.get(name)
  const param = command?.params.find((one) => one.name === choice.param)
  if (command === undefined || param === undefined) return undefined
  const key = param.name in input ? param.name : param.flag
  const before = input[key]
  const value = valueFor(param)
  const after = Array.isArray(before) ? before.with(choice.at, value) : value
  return { command, values: { ...(input as Record<string, Raw>), [key]: after } }
}

const labelOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1)
