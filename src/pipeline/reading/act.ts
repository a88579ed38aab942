import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { isRawFile, type Raw } from '../../command/line/coerce.ts'
import type { Candidate } from '../../command/pack.ts'
import type { Param } from '../../command/params.ts'
import type { Core } from '../../core/core.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { no, ok, type Result } from '../../model/result.ts'
import type { ThingAction } from '../../things/actions.ts'
import { thingValue, type Unclear } from '../../things/ids.ts'
import { thingLabels } from '../../things/label.ts'
import { allowedActions, isYes, menuFor } from '../../things/menu.ts'
import { kindWords, noneCalled } from '../../things/nearest.ts'
import { type Refusal, refusal } from '../../view/refusals.ts'
import type { Thing } from '../../view/thing.ts'
import { thingsIn } from '../../view/things-in.ts'
import { type Block, facts, type Menu, note, table, type View } from '../../view/view.ts'
import { answerBehind, type StoredAnswer } from '../look-ups/query.ts'

/** What was chosen from the menu of an answer: a command to run, or a row or some rows of which to choose further. */
export type Chosen = { kind: 'action' | 'typed'; action: ThingAction } | { kind: 'more'; reply: Reply }

/** `answer.row.command`, `answer.row`, or `answer.first-last`. What may be done is found out anew. */
export const chosenBy = async (core: Core, asker: Asker, pressed: string): Promise<Result<Chosen>> => {
  const [, id = '', from = '', to = from, name] = /^([^.]+)\.(\d+)(?:-(\d+))?(?:\.(.+))?$/.exec(pressed) ?? []
  const behind = await answerBehind(core, asker, id)
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
    const action = (await allowedActions(core, asker, thing)).find((one) => one.command.name === name)
    return action === undefined
      ? no(refusal('may_not_run', `You cannot run ${name.slice(0, 40)} on this now.`))
      : ok({ kind: 'action', action })
  }
  const menu = await menuBehind(core, asker, id, behind.value)
  const items = menu?.items.filter(({ at }) => at >= first && at <= last) ?? []
  if (menu === undefined || items.length === 0) {
    return no(refusal('may_not_run', 'There is nothing that you may do with this.'))
  }
  const shown: View = {
    title: first === last ? (thing.name ?? thing.id) : `Rows ${first + 1} to ${last + 1} of ${view.title}`,
    tone: 'plain',
    blocks: first === last ? [facts({ [labelOf(thing.kind)]: thing.id })] : [],
    menu: { ...menu, items },
  }
  return ok({ kind: 'more', reply: { kind: 'answer', command, view: shown } })
}

/** The menu of a stored answer: what may be done with its things, or which of them was meant. */
export const menuBehind = async (
  core: Core,
  asker: Asker,
  id: string,
  stored: StoredAnswer,
): Promise<Menu | undefined> => {
  if (stored.choice === undefined) return menuFor(core, asker, { ...stored, id })
  return choiceMenu(id, stored.view, core.registry.get(stored.command))
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
      `${as.name(name)}: "${typed.slice(0, 60)}" ${isNear ? 'is the name of nothing' : 'does not say which one'}.`,
    { field: name, next: `${isNear ? 'The nearest' : 'Give the id of one of these'}: ${ids.join(', ')}.` },
  )

export const withWords = (id: string, words = ''): string =>
  words === '' || words === id ? id : `${id} (${words})`

/** Several things that a typed word could mean, as a choice that goes on with the rest of what was typed. */
export const askWhich = async (
  core: Core,
  asker: Asker,
  command: Command,
  values: Record<string, Raw>,
  { param, at, typed, candidates, isNear }: Unclear,
): Promise<Result<Reply>> => {
  if (candidates.length === 0) return no(await noneCalled(core, asker, param, typed))
  if (asker.agent !== undefined) {
    const ids = candidates.map(({ id, name, beside }) =>
      withWords(id, [name, beside].filter(Boolean).join(', ')),
    )
    return no(oneOfThese(param, typed, ids, isNear))
  }
  return ok(
    await choiceAmong(
      core,
      asker,
      command,
      values,
      { param: param.name, at },
      {
        title: isNear
          ? `No ${kindWords(param.kinds)} is called "${typed.slice(0, 60)}"`
          : `Which ${kindWords(param.kinds)} is "${typed.slice(0, 60)}"?`,
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
  return table(
    ['Name', 'Id', ...(isMixed ? ['Kind'] : []), 'About'],
    candidates.map(({ name, id, kind, beside }) => [
      name ?? '',
      id,
      ...(isMixed ? [kind] : []),
      beside ?? '',
    ]),
    candidates.map(({ beside: _, keys: __, ...thing }) => thing),
  )
}

/** A question with things to choose from; what is chosen goes where `choice` says, and the rest of what was typed with it. */
export const choiceAmong = async (
  core: Core,
  asker: Asker,
  command: Command,
  values: Record<string, Raw>,
  choice: NonNullable<StoredAnswer['choice']>,
  view: View,
): Promise<Extract<Reply, { kind: 'answer' }>> => {
  const id = core.newId()
  const kept = Object.entries(values).filter(([, value]) => !isRawFile(value))
  const doc = { command: command.name, input: Object.fromEntries(kept), view, choice }
  await core.store.answers.put({ id, at: core.now(), person: asker.person, doc })
  const menu = choiceMenu(id, view, command)
  const isAsked = menu === undefined || menu.items.length === 0
  return {
    kind: 'answer',
    command: command.name,
    view: isAsked ? view : { ...view, menu },
    isChoice: true,
  }
}

const choiceMenu = (id: string, view: View, command: Command | undefined): Menu | undefined => {
  const things = thingsIn(view)
  const labels = thingLabels(things)
  return (
    command && {
      id,
      items: things.map((thing, at) => ({ at, thing, label: labels[at], actions: [command.name] })),
      summaries: { [command.name]: command.summary },
    }
  )
}

/** What was typed, with the thing that was meant in its place. */
const typedAction = (
  { registry }: Core,
  { choice, command: name, input }: StoredAnswer,
  thing: Thing,
): ThingAction | undefined => {
  if (choice === undefined) return undefined
  const command = registry.get(name)
  const param = command?.params.find((one) => one.name === choice.param)
  if (command === undefined || param === undefined) return undefined
  const key = param.name in input ? param.name : param.flag
  const before = input[key]
  const value = thingValue(param, thing)
  const after = Array.isArray(before) ? before.with(choice.at, value) : value
  return { command, values: { ...(input as Record<string, Raw>), [key]: after } }
}

const labelOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1)
