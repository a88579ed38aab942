import { verbs } from '../../../lib/view/button-labels.ts'
import { quoted } from '../../../lib/view/outside.ts'
import { type Refusal, type RefusalCode, refusal, refusalView } from '../../../lib/view/refusals.ts'
import { type Action, code, list, note, text, type View } from '../../../lib/view/view.ts'
import { joinWords } from '../../../lib/view/words.ts'
import { stuckBlocks } from '../../cards/card.ts'
import { amountWordsOf } from '../../cards/card-head.ts'
import { coerce, type Raw } from '../../command/line/coerce.ts'
import { type Parsed, valuesOfLine } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { amendingName } from '../../command/registry.ts'
import type { Core } from '../../core.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import type { Reading } from '../../sayings/understanding.ts'
import { draftsOf } from './drafts.ts'

export const lineOf = ({ command, values }: Pick<Reading, 'command' | 'values'>): string =>
  commandLineOf(command.name, command.params, values)

export const notRead = ({ unread, wrong = [] }: Pick<Reading, 'unread' | 'wrong'>): string =>
  [
    `I did not understand ${joinWords(unread.map((words) => quoted(words)))}.`,
    ...wrong.map(({ message }) => message),
  ].join(' ')

const saved = (
  core: Core,
  { from }: Inbound,
  { command, values }: Pick<Reading, 'command' | 'values'>,
): Promise<string> => draftsOf(core).save(from, { command: command.name, values })

/** "Payments of Ada, from your last question" */
export const fromBefore = (title: string, from: string): string =>
  title.includes(from) ? `${title}, from your last question` : `${title} (${from}), from your last question`

/**
 * A change is only offered. What misses something, or leaves words unread, can be completed and not run as it is; a
 * look-up can be run without the words that were not read.
 */
export const offer = async (
  core: Core,
  inbound: Inbound,
  reading: Pick<Reading, 'command' | 'values' | 'missing' | 'unread' | 'wrong'>,
  /** What tells the thing that is meant from others. */
  about?: string,
  /** What of the last answer it is about. */
  from?: string,
): Promise<View> => {
  const { command, missing, unread, wrong: [wrong = {}] = [] } = reading
  // Only where that is all that was not understood: each is to be looked at before it is run.
  const others = unread.length === 1 ? await withEach(core, inbound, 'choose', reading, wrong) : []
  const id = await saved(core, inbound, reading)
  if (command.kind === 'query' && missing.length === 0 && unread.length > 0) {
    return {
      title: notRead(reading),
      tone: 'warn',
      blocks: [
        text(
          'Nothing was looked up, because these words may say who, when or how much. Without them it would be:',
        ),
        code(lineOf(reading)),
      ],
      actions: [...others, { verb: 'run_it', id, label: 'Look it up without them' }, { verb: 'edit', id }],
    }
  }
  const isWhole = missing.length === 0 && unread.length === 0
  const title = isWhole
    ? 'Did you mean this?'
    : missing.length === 0
      ? notRead(reading)
      : `${command.title ?? command.name}: something is missing`
  return {
    title: from === undefined ? title : fromBefore(title, from),
    tone: 'plain',
    blocks: [
      text(`${command.summary}.`),
      code(lineOf(reading)),
      ...(about === undefined ? [] : [text(about)]),
      ...(unread.length === 0 || missing.length === 0 ? [] : [note('plain', notRead(reading))]),
      ...(missing.length === 0
        ? []
        : [note('plain', `Still needed: ${missing.map(({ flag }) => flag).join(', ')}.`)]),
      note(
        'plain',
        isWhole
          ? `Nothing happens until you press ${verbs.run_it.label}.`
          : 'Nothing happens until you complete it.',
      ),
    ],
    actions: [...others, ...(isWhole ? [{ verb: 'run_it' as const, id }] : []), { verb: 'edit', id }],
  }
}

/** One button for each of the values that would do in the place of the one that did not. */
const withEach = async (
  core: Core,
  inbound: Inbound,
  verb: 'choose' | 'run_it',
  { command, values }: Pick<Reading, 'command' | 'values'>,
  { field, would = [] }: Pick<Refusal, 'field' | 'would'>,
): Promise<Action[]> => {
  const param = command.params.find(({ name }) => name === field)
  if (param === undefined) return []
  return Promise.all(
    would
      .filter((value) => coerce(param, value).ok)
      .map(async (value) => ({
        verb,
        id: await saved(core, inbound, { command, values: { ...values, [param.name]: value } }),
        label: value,
      })),
  )
}

/** What changing a request would cost, before it is done: its requester may do it with one press, and then it costs nobody's vote. */
export const costOf = async (
  core: Core,
  { from }: Inbound,
  before: Change,
  after: Change,
  command: string,
  values: Readonly<Record<string, Raw>>,
): Promise<View> => {
  const { id, requester } = before
  const sum = after.amount === before.amount ? undefined : amountWordsOf(after)
  const as = async (how: 'suggest' | 'insist') =>
    draftsOf(core).save(from, { command: amendingName({ id, isWhole: true, as: how }, command), values })
  return {
    title: 'Too few people would be left who can approve it',
    tone: 'warn',
    blocks: [
      text(`Nothing is changed yet. It would be: ${after.preview.title}`),
      ...stuckBlocks(after),
      note(
        'plain',
        `Suggest it instead: ${requester.name} takes it with one press, and your vote stays possible.`,
      ),
    ],
    actions: [
      { verb: 'run_it', id: await as('suggest'), label: sum === undefined ? 'Suggest it' : `Suggest ${sum}` },
      {
        verb: 'run_it',
        id: await as('insist'),
        label: sum === undefined ? `${verbs.change.label} all the same` : `${verbs.change.label} to ${sum}`,
      },
    ],
  }
}

/** Several lines that could be meant, to choose one of. */
export const choiceOf = async (
  core: Core,
  inbound: Inbound,
  readings: readonly (Pick<Reading, 'command' | 'values'> &
    Partial<Pick<Reading, 'unread'>> & { words?: string | undefined })[],
  title = 'What did you mean?',
): Promise<View> => {
  const actions: Action[] = []
  for (const [at, reading] of readings.entries()) {
    actions.push({
      verb: 'choose',
      id: await saved(core, inbound, reading),
      label: `${at + 1}. ${reading.words ?? reading.command.name}`,
    })
  }
  const unread = readings
    .map((reading) => reading.unread ?? [])
    .reduce((one, other) => one.filter((words) => other.includes(words)), readings[0]?.unread ?? [])
  return {
    title,
    tone: 'plain',
    blocks: [
      ...(unread.length === 0 ? [] : [note('plain', notRead({ unread }))]),
      list(
        readings.map((reading, at) => {
          const { words, command } = reading
          const parts = words === undefined ? [lineOf(reading), command.summary] : [words, lineOf(reading)]
          return `${at + 1}. ${parts.join(': ')}`
        }),
      ),
    ],
    actions,
  }
}

/** What a line of a command could not be read as, with what was understood of it and a form for the rest. */
export const complaint = async (
  core: Core,
  inbound: Inbound,
  line: string,
  refused: Refusal,
  reading: Pick<Reading, 'command' | 'values'>,
): Promise<View> => {
  // What was understood stands above its form, and no line of how it could be typed.
  const view = refusalView(withoutUsage(refused))
  const typed = valuesOfLine(core.registry, line)
  const others = typed.ok ? await withEach(core, inbound, 'run_it', typed.value, refused) : []
  return {
    ...view,
    blocks: [...view.blocks, text('Understood so far:'), code(lineOf(reading))],
    actions: [...others, { verb: 'edit', id: await saved(core, inbound, reading) }],
  }
}

/** Where no form can be opened, the line that it stands for is to be finished. */
export const noFormHere = ({ command, given }: Pick<Parsed, 'command' | 'given'>): Refusal =>
  refusal('missing_arguments', 'There is no form here.', {
    next: 'Type the line with what you want to change.',
    usage: lineOf({ command, values: given }),
  })

/** What another value would mend can be pressed: the form with what was given. */
export const withEdit = async (
  core: Core,
  inbound: Inbound,
  refused: Refusal,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
): Promise<Refusal> =>
  inbound.forms && inbound.intent.kind === 'line' && isMended.has(refused.code)
    ? {
        ...withoutUsage(refused),
        actions: [{ verb: 'edit', id: await saved(core, inbound, { command, values: given }) }],
      }
    : refused

/** Whoever can press a form needs no line. */
const withoutUsage = ({ usage: _, ...refused }: Refusal): Refusal => refused

const isMended: ReadonlySet<RefusalCode> = new Set([
  'bad_value',
  'plain_word',
  'bad_recipients',
  'needs_reason',
  'needs_evidence',
  'too_much',
  'nothing_to_change',
  'not_found',
])
