import { z } from 'zod'
import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { DatabaseError } from '../../../lib/sql/database.ts'
import { partsThatFit } from '../../../lib/view/parts.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import type { Thing } from '../../../lib/view/thing.ts'
import { thingsIn } from '../../../lib/view/things-in.ts'
import {
  type Action,
  hasMoreColumns,
  note,
  type Request,
  type View,
  viewSchema,
} from '../../../lib/view/view.ts'
import { joinWords, type Words } from '../../../lib/view/words.ts'
import { withPartMarks } from '../../cards/list-mark.ts'
import { approveAllOf } from '../../cards/marked.ts'
import type { Actor } from '../../command/context.ts'
import type { Command, QueryCommand } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { discard } from '../../messenger/spool.ts'
import { entryBy } from '../../model/audit-entry.ts'
import { readButton } from '../../model/shown.ts'
import type { SeenThing } from '../../sayings/items.ts'
import { marksFor, menuFor } from '../../things/menu.ts'
import { offeredActions } from '../../things/offers.ts'

/**
 * A stored answer, so that Share posts exactly what was shown and paging continues from the same page. With `choice` it
 * asks which of several things a typed word means: `input` is what was typed, and the thing goes where `choice` says.
 */
const storedAnswer = z.object({
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  view: viewSchema,
  /** Where it was asked for. */
  channel: z.string().nullish(),
  choice: z.object({ param: z.string(), at: z.int(), isOpen: z.boolean().optional() }).optional(),
  /** Which part of a page it is, where one message does not show all of it, and whether the page ends with it. */
  part: z.int().optional(),
  isLastPart: z.boolean().optional(),
})
export type StoredAnswer = z.infer<typeof storedAnswer>

export type Answer = Extract<Reply, { kind: 'answer' }>

/** A look-up whose services are being asked. */
export type BegunQuery = {
  command: Command
  input: Input
  answered: ReturnType<QueryCommand['run']>
  /** The audit entry must be written before anybody sees the answer; it is written while the services are asked. */
  isRecorded: Promise<boolean>
}

export const beginQuery = (
  core: Core,
  actor: Actor,
  command: Command,
  query: QueryCommand,
  input: Input,
): BegunQuery => {
  const look = () => query.run(input, { ...readContext(core, actor), ...core.services.sharedReaders })
  const answered = query.isLong ? core.serialPerPerson(actor.person, look) : look()
  const isRecorded = withoutDatabase(core, () => record(core, actor, command, input))
  for (const one of [answered, isRecorded]) one.catch(() => undefined)
  return { command, input, answered, isRecorded }
}

/** Nobody is shown what it finds. */
export const dropQuery = ({ answered }: BegunQuery): void => {
  const drop = async () => {
    const found = await answered
    if (found.ok && found.value.file !== undefined) await discard(found.value.file)
  }
  drop().catch(() => undefined)
}

export const runQuery = (
  core: Core,
  actor: Actor,
  command: Command,
  query: QueryCommand,
  input: Input,
  place: Pick<Inbound['place'], 'channel'>,
  part = 0,
): Promise<Result<Answer>> =>
  endQuery(core, actor, beginQuery(core, actor, command, query, input), place, part)

export const endQuery = async (
  core: Core,
  actor: Actor,
  { command, input, ...begun }: BegunQuery,
  place: Pick<Inbound['place'], 'channel'>,
  wanted = 0,
): Promise<Result<Answer>> => {
  const isRecorded = await begun.isRecorded
  const answered = await begun.answered
  if (!answered.ok) return answered
  const { view, pages, file, secret, exitCode } = answered.value
  const files = defined({ file, exitCode })
  if (!isRecorded) {
    const warned = {
      ...view,
      blocks: [...view.blocks, note('warn', 'The database is down; this was not recorded.')],
    }
    return ok({ kind: 'answer', command: command.name, view: warned, ...files })
  }
  if (secret) return ok({ kind: 'answer', command: command.name, view, ...files })
  const id = core.newId()
  const dressed = async (shown: View, at: number, isLast: boolean): Promise<View> => {
    const buttons: Action[] = [
      ...(view.actions ?? []),
      ...(at > 0 || pages?.previous ? [{ verb: 'previous' as const, id }] : []),
      ...(!isLast || pages?.next ? [{ verb: 'next' as const, id }] : []),
      ...(hasMoreColumns(view) && file === undefined ? [{ verb: 'file' as const, id }] : []),
      ...approveAllOf(shown, id),
      { verb: 'share', id },
      ...(view.details === undefined ? [] : [{ verb: 'details' as const, id, isMore: true as const }]),
    ]
    const [menu, marks] = await Promise.all([
      menuFor(core, actor, { id, view: shown, command: command.name }),
      marksFor(core, actor, shown),
    ])
    const actions = [...offeredActions(shown, menu), ...buttons]
    return { ...shown, actions, ...defined({ menu, marks }) }
  }
  const whole = await dressed(view, 0, true)
  const parts = file === undefined ? partsIn(core, actor, whole) : [whole]
  const part = Math.min(wanted, parts.length - 1)
  const isLastPart = part === parts.length - 1
  const shown = parts.length === 1 ? view : partOf(view, parts[part] as View, part, parts.length)
  const doc = {
    command: command.name,
    input,
    view: shown,
    channel: place.channel,
    ...(parts.length === 1 ? {} : { part, isLastPart }),
  }
  // Nobody waits for it: a press on one of its buttons does, if it comes so soon.
  core.store.answers
    .put({ id, at: core.now(), person: actor.person, doc })
    .catch((error: unknown) => core.log.error({ err: error }, 'an answer could not be kept'))
  return ok({
    kind: 'answer',
    command: command.name,
    view: parts.length === 1 ? whole : await dressed(shown, part, isLastPart),
    ...files,
  })
}

/** An answer in as many messages as it takes where it is read, each with room for everything that can be pressed on it. */
const partsIn = ({ messengers }: Core, { platform }: Actor, whole: View): View[] => {
  const { isWhole } = messengers.get(platform) ?? {}
  if (isWhole === undefined) return [whole]
  const turning: Action[] = [
    { verb: 'previous', id: '' },
    { verb: 'next', id: '' },
  ]
  return partsThatFit(whole, (part) => {
    if (part === whole) return isWhole(whole)
    const ids = new Set(thingsIn(part).map(({ id }) => id))
    const marks = whole.marks?.filter(({ id }) => ids.has(readButton(id).id))
    return isWhole({
      ...withPartMarks(part, 1),
      actions: [...turning, ...(whole.actions ?? [])],
      footer: footerOf(part, 98, 99),
      ...defined({ marks }),
    })
  })
}

const partOf = (view: View, { blocks }: View, part: number, count: number): View =>
  withPartMarks({ ...view, blocks, footer: footerOf(view, part, count) }, part)

const footerOf = ({ footer }: View, part: number, count: number): Words =>
  joinWords([...(footer === undefined ? [] : [footer]), `Part ${part + 1} of ${count}`], ' · ')

/** The stored answer behind a Share, Next or Previous button, if it belongs to the person who pressed it. */
export const answerBehind = async (core: Core, actor: Actor, id: string): Promise<Result<StoredAnswer>> => {
  const stored = await core.store.answers.get(id)
  if (stored === null) return no(refusal('answer_gone', 'This answer is no longer stored.'))
  if (stored.person !== actor.person) return no(refusal('not_yours', 'This answer belongs to somebody else.'))
  return ok(storedAnswer.parse(stored.doc))
}

/** How long "it" and "the second one" still mean something. */
const contextMs = 600_000
const maxLooked = 10

export type LastAnswer = Pick<StoredAnswer, 'command' | 'part' | 'isLastPart'> & {
  input: Input
  things: SeenThing[]
  subject: Thing | undefined
}

/** With the first time that its row names. */
const seenIn = (
  of: Thing,
  { columns }: Extract<View['blocks'][number], { kind: 'table' }>,
  row: number,
): SeenThing => {
  const at = columns.flatMap(({ times }) => times?.[row]?.at ?? [])[0]
  return at === undefined ? of : { ...of, at }
}

/** The newest answer to this person in this conversation, and what it was about: its subject, or else its rows. */
export const lastAnswerIn = async (
  { store, now }: Core,
  { person }: Actor,
  { channel }: Pick<Inbound['place'], 'channel'>,
): Promise<LastAnswer | undefined> => {
  const stored = await store.answers.recent(person, now() - contextMs, maxLooked)
  const answers = stored.flatMap(({ doc }) => storedAnswer.safeParse(doc).data ?? [])
  const last = answers.find((answer) => answer.channel === channel)
  if (last === undefined) return undefined
  const { command, input, view, part, isLastPart } = last
  const rows = view.blocks.flatMap((block) =>
    block.kind === 'table' ? (block.things ?? []).map((one, row) => one && seenIn(one, block, row)) : [],
  )
  const { change } = view
  const facts = view.blocks.flatMap((block) =>
    block.kind === 'facts' ? block.facts.flatMap(({ thing }) => thing ?? []) : [],
  )
  const [subject] = change === undefined ? facts : [{ kind: 'change' as const, id: change.id }]
  const things = subject === undefined ? rows.flatMap((thing) => thing ?? []) : [subject]
  return { command, input, things, subject, part, isLastPart }
}

/** The rows of the list of requests that this person was last shown in this conversation, as they stood there. */
export const lastRowsIn = async (
  { store, now }: Core,
  { person }: Actor,
  { channel }: Pick<Inbound['place'], 'channel'>,
): Promise<Request[]> => {
  const stored = await store.answers.recent(person, now() - contextMs, maxLooked)
  const lists = stored
    .flatMap(({ doc }) => storedAnswer.safeParse(doc).data ?? [])
    .filter((answer) => answer.channel === channel)
    .map(({ view }) => view.blocks.flatMap((block) => (block.kind === 'requests' ? block.requests : [])))
  return lists.find((rows) => rows.length > 0) ?? []
}

/** A page of a look-up, and which part of it. */
export type Turned = { input: Input; part?: number | undefined }

export const turned = (
  { input, part = 0, isLastPart = true }: Pick<LastAnswer, 'input' | 'part' | 'isLastPart'>,
  verb: 'next' | 'previous',
): Turned => {
  const page = Number(input.page ?? 1)
  if (verb === 'next') return isLastPart ? { input: { ...input, page: page + 1 } } : { input, part: part + 1 }
  if (part > 0) return { input, part: part - 1 }
  return { input: { ...input, page: Math.max(1, page - 1) }, part: page > 1 ? Number.POSITIVE_INFINITY : 0 }
}

/** Records who looked at what in the audit log. */
const record = async (core: Core, actor: Actor, command: Command, input: Input): Promise<void> => {
  const line = commandLineOf(command.name, command.params, input)
  await core.store.audit.append(entryBy(actor, 'ran', { command: command.name }, { line }))
}

/** A look-up does not wait for a database that is down; false if it was not recorded. */
const withoutDatabase = async (core: Core, work: () => Promise<void>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    core.log.error({ err: error }, 'a look-up could not be recorded')
    return false
  }
}
