import { cardFor } from '../approvals/pressable.ts'
import { remind } from '../approvals/remind.ts'
import { jobActionsOf } from '../bulk/job-view.ts'
import type { Asker } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { mayDecide, partyOf, whyNoDecider } from '../core/people/authorization.ts'
import { changeFor, delegatedVotes } from '../core/people/delegates.ts'
import { peopleBehind } from '../policy/behind-request.ts'
import type { Thing } from '../view/thing.ts'
import { thingsIn } from '../view/things-in.ts'
import type { Marks, Menu, Verb, View } from '../view/view.ts'
import { actionsFor, type ThingAction } from './actions.ts'
import { thingLabels } from './label.ts'

/** What this person may do with the things of a stored answer; undefined where that is nothing. */
export const menuFor = async (
  core: Core,
  asker: Asker,
  { id, view, command }: { id: string; view: View; command: string },
): Promise<Menu | undefined> => {
  const things = thingsIn(view)
  const labels = thingLabels(things)
  const summaries: Record<string, string> = {}
  const items = await Promise.all(
    things.map(async (thing, at) => {
      const actions = await allowedActions(core, asker, thing)
      // Of the one thing that an answer is about, the same answer again tells nothing.
      const others = actions.filter((one) => things.length > 1 || one.command.name !== command)
      for (const one of others) summaries[one.command.name] = one.command.summary
      return { at, thing, label: labels[at], actions: others.map((one) => one.command.name) }
    }),
  )
  const offered = items.filter(({ actions }) => actions.length > 0)
  return offered.length === 0 ? undefined : { id, items: offered, summaries }
}

/** The requests of a view that this person may say yes to now, where they are several. What is theirs to confirm stays on its card. */
export const marksFor = async (core: Core, asker: Asker, view: View): Promise<Marks | undefined> => {
  const changes = thingsIn(view).filter(({ kind }) => kind === 'change')
  if (changes.length < 2) return undefined
  const verbs = await Promise.all(changes.map((one) => verbsFor(core, asker, one)))
  const asking = new Map(
    view.blocks.flatMap((block) =>
      block.kind === 'requests' ? block.requests.map(({ thing, by }) => [thing.id, by] as const) : [],
    ),
  )
  const hintOf = ({ id, name }: Thing): string => {
    const by = asking.get(id)
    const isTwin = changes.some((other) => other.id !== id && other.name === name)
    return by === undefined ? id : `asked by ${by}${isTwin ? ` · ${id}` : ''}`
  }
  const marks = changes.flatMap((one, at) =>
    verbs[at]?.includes('approve') ? { id: one.id, label: one.name ?? one.id, hint: hintOf(one) } : [],
  )
  return marks.length < 2 ? undefined : marks
}

/** What this person may do with a thing now: a decision only where it would count, and a yes only on the card itself. */
export const allowedActions = async (core: Core, asker: Asker, thing: Thing): Promise<ThingAction[]> => {
  const { mayRun } = readContext(core, asker).records
  const actions = actionsFor(core.registry, mayRun, thing)
  if (!actions.some(({ command }) => command.kind === 'decision')) return actions
  const allowed = new Set(await verbsFor(core, asker, thing))
  return actions.filter(
    ({ command }) => command.kind !== 'decision' || (!isYes(command) && allowed.has(verbOf(command))),
  )
}

const verbsFor = async (core: Core, asker: Asker, { kind, id }: Thing): Promise<Verb[]> => {
  const may = (verb: Verb) => whyNoDecider(asker, verb) === undefined
  if (kind === 'job') {
    const job = await core.store.bulk.get(id)
    return job === null ? [] : jobActionsOf(job).flatMap(({ verb }) => (may(verb) ? verb : []))
  }
  const change = await changeFor(core, asker, id)
  if (change === null) return []
  const isOwn = peopleBehind(change, core.policy).includes(asker.person)
  const mayVote =
    !isOwn && (mayDecide(core.policy, asker, change) || (await delegatedVotes(core, asker))(change))
  const viewer = { party: partyOf(asker), mayVote }
  const at = core.now()
  const isRemindable =
    change.state === 'pending' && remind(change, { kind: 'nudge', by: viewer.party, mayVote, at })?.ok
  return [
    ...(cardFor(change, viewer, at).actions ?? []).map(({ verb }) => verb),
    ...(isRemindable ? (['remind'] as const) : []),
  ].filter(may)
}

/** Whether the command says yes to a change: no menu offers that, because a menu does not show what it would be said to. */
export const isYes = (command: Command): boolean =>
  command.kind === 'decision' && verbOf(command) === 'approve'

/** The button that a command stands for. */
const verbOf = (command: Extract<Command, { kind: 'decision' }>): Verb =>
  command.act({ id: [''], reason: '', outcome: 'happened' }).verb
