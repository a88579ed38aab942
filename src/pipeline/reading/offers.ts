import type { Parsed } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import type { Core } from '../../core/core.ts'
import type { Reading } from '../../intent/reader.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import { type Refusal, type RefusalCode, refusal } from '../../view/refusals.ts'
import { type Action, code, list, note, text, type View } from '../../view/view.ts'
import { draftsOf } from './drafts.ts'

export const lineOf = ({ command, values }: Pick<Reading, 'command' | 'values'>): string =>
  commandLineOf(command.name, command.params, values)

export const notRead = (unread: readonly string[]): string => `Not understood: ${unread.join(', ')}.`

const saved = (
  core: Core,
  { from }: Inbound,
  { command, values }: Pick<Reading, 'command' | 'values'>,
): Promise<string> => draftsOf(core).save(from, { command: command.name, values })

/** A change is only offered. What misses something, or leaves words unread, can be completed and not run as it is. */
export const offer = async (
  core: Core,
  inbound: Inbound,
  reading: Pick<Reading, 'command' | 'values' | 'missing' | 'unread'>,
  /** What tells the thing that is meant from others. */
  about?: string,
): Promise<View> => {
  const { command, missing, unread } = reading
  const id = await saved(core, inbound, reading)
  const isWhole = missing.length === 0 && unread.length === 0
  return {
    title: isWhole ? 'Did you mean this?' : `${command.name}: something is missing`,
    tone: 'plain',
    blocks: [
      text(`${command.summary}.`),
      code(lineOf(reading)),
      ...(about === undefined ? [] : [text(about)]),
      ...(unread.length === 0 ? [] : [note('plain', notRead(unread))]),
      ...(missing.length === 0
        ? []
        : [note('plain', `Still needed: ${missing.map(({ flag }) => flag).join(', ')}.`)]),
      note(
        'plain',
        isWhole ? 'Nothing happens until you press Run it.' : 'Nothing happens until you complete it.',
      ),
    ],
    actions: [...(isWhole ? [{ verb: 'run_it' as const, id }] : []), { verb: 'edit', id }],
  }
}

/** A change that was chosen among several is offered once more, whole. */
export const offerOf = (core: Core, inbound: Inbound, { command, given, missing }: Parsed): Promise<View> =>
  offer(core, inbound, { command, values: given, missing, unread: [] })

/** Several lines that could be meant, to choose one of. */
export const choiceOf = async (
  core: Core,
  inbound: Inbound,
  readings: readonly (Pick<Reading, 'command' | 'values'> & { words?: string | undefined })[],
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
  return {
    title,
    tone: 'plain',
    blocks: [
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
  view: View,
  reading: Pick<Reading, 'command' | 'values'>,
): Promise<View> => ({
  ...view,
  blocks: [
    ...view.blocks,
    ...(Object.keys(reading.values).length === 0 ? [] : [text('Understood so far:'), code(lineOf(reading))]),
    note('plain', 'Edit asks for the rest. Nothing happened.'),
  ],
  actions: [{ verb: 'edit', id: await saved(core, inbound, reading) }],
})

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
    ? { ...refused, actions: [{ verb: 'edit', id: await saved(core, inbound, { command, values: given }) }] }
    : refused

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
