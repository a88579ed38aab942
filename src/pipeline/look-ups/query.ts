import { z } from 'zod'
import type { Asker } from '../../command/context.ts'
import type { Command, QueryCommand } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import { defined } from '../../defined.ts'
import type { SeenThing } from '../../intent/items.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { discard } from '../../messenger/spool.ts'
import { entryBy } from '../../model/audit-entry.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { DatabaseError } from '../../storage/database/database.ts'
import { marksFor, menuFor } from '../../things/menu.ts'
import { refusal } from '../../view/refusals.ts'
import type { Thing } from '../../view/thing.ts'
import { type Action, hasMoreColumns, note, type View, viewSchema } from '../../view/view.ts'

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
  choice: z.object({ param: z.string(), at: z.int() }).optional(),
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
  asker: Asker,
  command: Command,
  query: QueryCommand,
  input: Input,
): BegunQuery => {
  const look = () => query.run(input, { ...readContext(core, asker), ...core.services.sharedReaders })
  const answered = query.isLong ? core.oneAtATime(asker.person, look) : look()
  const isRecorded = withoutDatabase(core, () => record(core, asker, command, input))
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
  asker: Asker,
  command: Command,
  query: QueryCommand,
  input: Input,
  place: Pick<Inbound['place'], 'channel'>,
): Promise<Result<Answer>> => endQuery(core, asker, beginQuery(core, asker, command, query, input), place)

export const endQuery = async (
  core: Core,
  asker: Asker,
  { command, input, ...begun }: BegunQuery,
  place: Pick<Inbound['place'], 'channel'>,
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
  const doc = { command: command.name, input, view, channel: place.channel }
  // Nobody waits for it: a press on one of its buttons does, if it comes so soon.
  core.store.answers
    .put({ id, at: core.now(), person: asker.person, doc })
    .catch((error: unknown) => core.log.error({ err: error }, 'an answer could not be kept'))
  const actions: Action[] = [
    ...(view.actions ?? []),
    ...(pages?.previous ? [{ verb: 'previous' as const, id }] : []),
    ...(pages?.next ? [{ verb: 'next' as const, id }] : []),
    ...(hasMoreColumns(view) && file === undefined ? [{ verb: 'file' as const, id }] : []),
    { verb: 'share', id },
    ...(view.details === undefined ? [] : [{ verb: 'details' as const, id, isMore: true as const }]),
  ]
  const [menu, marks] = await Promise.all([
    menuFor(core, asker, { id, view, command: command.name }),
    marksFor(core, asker, view),
  ])
  return ok({
    kind: 'answer',
    command: command.name,
    view: { ...view, actions, ...defined({ menu, marks }) },
    ...files,
  })
}

/** The stored answer behind a Share, Next or Previous button, if it belongs to the person who pressed it. */
export const answerBehind = async (core: Core, asker: Asker, id: string): Promise<Result<StoredAnswer>> => {
  const stored = await core.store.answers.get(id)
  if (stored === null) return no(refusal('answer_gone', 'This answer is no longer stored.'))
  if (stored.person !== asker.person) return no(refusal('not_yours', 'This answer belongs to somebody else.'))
  return ok(storedAnswer.parse(stored.doc))
}

/** How long "it" and "the second one" still mean something. */
const contextMs = 600_000
const mostLooked = 10

export type LastAnswer = { command: string; input: Input; things: SeenThing[]; subject: Thing | undefined }

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
  { person }: Asker,
  { channel }: Pick<Inbound['place'], 'channel'>,
): Promise<LastAnswer | undefined> => {
  const stored = await store.answers.recent(person, now() - contextMs, mostLooked)
  const answers = stored.flatMap(({ doc }) => storedAnswer.safeParse(doc).data ?? [])
  const last = answers.find((answer) => answer.channel === channel)
  if (last === undefined) return undefined
  const { command, input, view } = last
  const rows = view.blocks.flatMap((block) =>
    block.kind === 'table' ? (block.things ?? []).map((one, row) => one && seenIn(one, block, row)) : [],
  )
  const { change } = view
  const facts = view.blocks.flatMap((block) =>
    block.kind === 'facts' ? block.facts.flatMap(({ thing }) => thing ?? []) : [],
  )
  const [subject] = change === undefined ? facts : [{ kind: 'change' as const, id: change.id }]
  const things = subject === undefined ? rows.flatMap((thing) => thing ?? []) : [subject]
  return { command, input, things, subject }
}

export const turned = (input: Input, verb: 'next' | 'previous'): Input => ({
  ...input,
  page: Math.max(1, Number(input.page ?? 1) + (verb === 'next' ? 1 : -1)),
})

/** Records who looked at what in the audit log. */
const record = async (core: Core, asker: Asker, command: Command, input: Input): Promise<void> => {
  const line = commandLineOf(command.name, command.params, input)
  await core.store.audit.append(entryBy(asker, 'ran', { command: command.name }, { line }))
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
