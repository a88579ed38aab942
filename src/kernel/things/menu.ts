import type { Thing } from '../../lib/view/thing.ts'
import { thingsIn } from '../../lib/view/things-in.ts'
import type { Marks, Menu, Verb, View } from '../../lib/view/view.ts'
import { mayDecide, partyOf, refuseNonDecider } from '../actors/authorization.ts'
import { changeFor, delegatedVotes } from '../actors/delegates.ts'
import { marksOfRows } from '../cards/marked.ts'
import { cardFor } from '../cards/pressable.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import { ownThings } from '../feature.ts'
import { remind } from '../law/remind.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { actionsFor, type ThingAction } from './actions.ts'
import { thingLabels } from './label.ts'

/** What this person may do with the things of a stored answer; undefined where that is nothing. */
export const menuFor = async (
  core: Core,
  actor: Actor,
  { id, view, command }: { id: string; view: View; command: string },
): Promise<Menu | undefined> => {
  const things = thingsIn(view)
  const labels = thingLabels(things)
  const summaries: Record<string, string> = {}
  const items = await Promise.all(
    things.map(async (thing, at) => {
      const actions = await allowedActions(core, actor, thing)
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
export const marksFor = async (core: Core, actor: Actor, view: View): Promise<Marks | undefined> => {
  const rows = view.blocks.flatMap((block) => (block.kind === 'requests' ? block.requests : []))
  if (rows.length > 0) return marksOfRows(rows)
  const changes = thingsIn(view).filter(({ kind }) => kind === 'change')
  if (changes.length < 2) return undefined
  const verbs = await Promise.all(changes.map((one) => verbsFor(core, actor, one)))
  const marks = changes.flatMap((one, at) =>
    verbs[at]?.includes('approve') ? { id: one.id, label: one.name ?? one.id, hint: one.id } : [],
  )
  return marks.length < 2 ? undefined : marks
}

/** What this person may do with a thing now: a decision only where it would count, and a yes only on the card itself. */
export const allowedActions = async (core: Core, actor: Actor, thing: Thing): Promise<ThingAction[]> => {
  const { mayRun } = readContext(core, actor).records
  const actions = actionsFor(core.registry, mayRun, thing)
  if (!actions.some(({ command }) => command.kind === 'decision')) return actions
  const allowed = new Set(await verbsFor(core, actor, thing))
  return actions.filter(
    ({ command }) => command.kind !== 'decision' || (!isYes(command) && allowed.has(verbOf(command))),
  )
}

const verbsFor = async (core: Core, actor: Actor, { kind, id }: Thing): Promise<Verb[]> => {
  const may = (verb: Verb) => refuseNonDecider(actor, verb) === undefined
  const own = ownThings(kind)
  if (own !== undefined) return (await own.verbs(core, id)).filter(may)
  const change = await changeFor(core, actor, id)
  if (change === null) return []
  const isOwn = requestAuthors(change, core.policy).includes(actor.person)
  const mayVote =
    !isOwn && (mayDecide(core.policy, actor, change) || (await delegatedVotes(core, actor))(change))
  const viewer = { party: partyOf(actor), mayVote }
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
