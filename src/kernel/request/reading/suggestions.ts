import { traitsOf } from '../../../lib/things/kinds.ts'
import { formatNumber } from '../../../lib/view/format-number.ts'
import { quoted } from '../../../lib/view/outside.ts'
import type { Refusal } from '../../../lib/view/refusals.ts'
import { list, note, text, type View } from '../../../lib/view/view.ts'
import { refuseToRun } from '../../actors/authorization.ts'
import { ownNamesOf } from '../../change/asking/prepare.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { maxLineLength } from '../../command/line/parse.ts'
import type { Candidate } from '../../command/pack.ts'
import type { Core } from '../../core.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import type { Reading, Understanding } from '../../sayings/understanding.ts'
import { actionsFor, takesAway } from '../../things/actions.ts'
import { thingLabels } from '../../things/label.ts'
import { choiceOf } from './offers.ts'

const maxExamples = 3
const maxPeople = 5

/** What somebody says in words of their own is shorter. Reading takes longer the more words there are, and everybody waits for it. */
export const maxSaid = 600

type Offered = Pick<Reading, 'command' | 'values'> & { words?: string }

/** What could not be read: the people found in it, or the nearest things that the actor can do with what was recognised. */
export const suggestions = async (
  core: Core,
  inbound: Inbound,
  said: string,
  { things, near, isOrder }: Pick<Understanding, 'things' | 'near' | 'isOrder'>,
  allowed: ReadonlySet<Command>,
  forbidden?: Refusal,
): Promise<View> => {
  const people = offersOfPeople(core, things, allowed)
  const isPasted = people.length > 1
  const about = withOthers(
    [...people, ...offersFor(core, things, allowed)],
    [...near.map((command) => ({ command, values: {} }))],
  )
  // What people begin with is offered only where nothing was recognised.
  const nearest = isPasted ? people : about.length > 0 ? about : begun(core, allowed)
  // Who asks, or says no, is not offered the change that they speak of; a decision, and what takes something away, to nobody.
  const fitting = nearest.filter(
    ({ command }) =>
      command.kind === 'query' ||
      (isOrder && command.kind !== 'decision' && !takesAway(command.name.split(' ').at(-1) ?? '')),
  )
  const shown = fitting.length > 0 ? fitting : begun(core, allowed)
  const once = new Map(shown.map((one) => [`${one.command.name} ${JSON.stringify(one.values)}`, one]))
  const offered = [...once.values()].slice(0, isPasted ? maxPeople : maxExamples)
  const { blocks, actions = [] } = await choiceOf(core, inbound, offered)
  return {
    title: isPasted
      ? 'Whom of these do you mean?'
      : (forbidden?.message ?? `I do not know what to do with ${quoted(shortOf(said))}.`),
    tone: isPasted ? 'plain' : 'warn',
    blocks: [
      ...(said.length > maxSaid ? [note('plain', tooLongToRead)] : []),
      ...(forbidden === undefined || isPasted ? [] : [note('plain', forbidden.next)]),
      text(isPasted ? 'Found in what you wrote:' : 'Perhaps one of these:'),
      ...blocks,
      note('plain', 'bellhop help shows what you can do here.'),
    ],
    actions,
  }
}

/** People whose names come near to what was said, to be shown. */
export const whomOf = (
  core: Core,
  inbound: Inbound,
  people: readonly Candidate[],
  allowed: ReadonlySet<Command>,
): Promise<View> => {
  const labels = thingLabels(people)
  const shown = people.flatMap(({ id, kind }, at) =>
    offersOfPeople(core, [{ kinds: [kind], value: id }], allowed).map((one) => ({
      ...one,
      words: labels[at],
    })),
  )
  return choiceOf(core, inbound, shown, 'Nobody is called so. Whom of these do you mean?')
}

/** Whoever may not do what was clearly meant reads which role could. */
export const refuseForbidden = (
  { policy }: Core,
  actor: Actor,
  { command }: Pick<Reading, 'command'>,
): Refusal | undefined => refuseToRun(policy, actor, ownNamesOf(command))

/** One for each address and number in it, as one who pastes a mail would look them up. */
const offersOfPeople = (
  { registry }: Core,
  things: readonly Pick<Understanding['things'][number], 'kinds' | 'value'>[],
  allowed: ReadonlySet<Command>,
): Offered[] => {
  const command = registry.get('person get')
  const param = command?.params[0]
  if (command === undefined || param === undefined || !allowed.has(command)) return []
  return things
    .filter(({ kinds }) => kinds.some((kind) => traitsOf(kind).knownBy !== undefined))
    .map(({ value }) => ({ command, values: { [param.name]: value } }))
}

const offersFor = (
  { registry }: Core,
  things: Understanding['things'],
  allowed: ReadonlySet<Command>,
): Offered[] => {
  const isAllowed = (name: string) => [...allowed].some((one) => one.name === name)
  return things
    .slice(0, 1)
    .flatMap(({ kinds, value }) =>
      kinds.flatMap((kind) => actionsFor(registry, isAllowed, { kind, id: value })),
    )
}

/** Each command once: with what was recognised, if it takes that. */
const withOthers = (first: readonly Offered[], more: readonly Offered[]): Offered[] => [
  ...first,
  ...more.filter(({ command }) => !first.some((one) => one.command === command)),
]

/** What people begin with, without the people of its examples. */
const begun = ({ registry }: Core, allowed: ReadonlySet<Command>): Offered[] =>
  beginnings(registry, [...allowed]).map((command) => ({ command, values: {} }))

const tooLongToRead = `Words of your own are read up to ${maxSaid} characters, and a command line up to ${formatNumber(maxLineLength)}.`

/** As it was meant to be read: a messenger writes links and addresses as markup. */
const shortOf = (said: string): string => {
  const plain = said.replace(
    /<(?:mailto:|tel:)?([^<>|\s]{1,200})(?:\|([^<>]{0,200}))?>/g,
    (_, link: string, shown?: string) => shown ?? link,
  )
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain
}

export const socialView = (
  registry: Core['registry'],
  social: 'greeting' | 'thanks',
  { name }: Actor,
  allowed: readonly Command[],
): View =>
  social === 'thanks'
    ? {
        title: 'You are welcome.',
        tone: 'plain',
        blocks: [note('plain', 'bellhop help lists what you can do here.')],
      }
    : {
        title: `Hello ${name}.`,
        tone: 'plain',
        blocks: [text('What I can do for you, for example:'), ...examplesFor(registry, allowed)],
      }

/** Examples of the look-ups that people begin with, and only of what this person may run. */
const examplesFor = (registry: Core['registry'], allowed: readonly Command[]) => [
  list(beginnings(registry, allowed).map(({ examples: [line], summary }) => `${line}: ${summary}`)),
  note('plain', 'bellhop help lists everything that you can do.'),
]

const beginnings = (registry: Core['registry'], allowed: readonly Command[]): Command[] => {
  const first = begunWith(registry)
  const ranked = allowed.toSorted((one, other) => rankIn(first, one.name) - rankIn(first, other.name))
  return ranked.filter(({ name }) => name !== 'bellhop help').slice(0, maxExamples)
}

/** What each pack begins with, in turn, and after the first of them what waits for a decision. */
const begunWith = ({ packs }: Core['registry']): string[] => {
  const words = packs.flatMap((pack) => (pack.words?.first === undefined ? [] : [pack.words.first]))
  const inTurn = Array.from({ length: Math.max(0, ...words.map(({ length }) => length)) }, (_, at) =>
    words.flatMap((first) => first[at] ?? []),
  ).flat()
  return inTurn.toSpliced(1, 0, 'approval list')
}

const rankIn = (first: readonly string[], name: string): number => {
  const at = first.indexOf(name)
  return at === -1 ? first.length : at
}
