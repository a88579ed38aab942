import { z } from 'zod'
import type { Asker } from '../command/context.ts'
import type { Command, Query } from '../command/define.ts'
import type { Input } from '../command/parse.ts'
import { lineOf } from '../command/print.ts'
import { no, ok, type Result } from '../result.ts'
import { DatabaseError } from '../storage/database-error.ts'
import { refusal } from '../view/refusals.ts'
import { type Action, note, type View, viewSchema } from '../view/view.ts'
import { readContext } from './context.ts'
import type { Reply } from './inbound.ts'
import type { World } from './world.ts'

/** A stored answer, so that Share shows what was shown and paging goes on from where it was. */
const storedAnswer = z.object({
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  view: viewSchema,
})

export const runQuery = async (
  world: World,
  asker: Asker,
  command: Command,
  query: Query,
  input: Input,
): Promise<Result<Reply>> => {
  // Nobody hears anything before it is on record; what the services say to a question may come meanwhile.
  const running = query.run(input, readContext(world, asker))
  running.catch(() => undefined)
  const isRecorded = await withoutDatabase(world, () => record(world, asker, command, input))
  const answered = await running
  if (!answered.ok) return answered
  const { view, pages, file } = answered.value
  const files = file === undefined ? {} : { file }
  const id = world.newId()
  const doc = { command: command.name, input, view }
  const isKept =
    isRecorded &&
    (await withoutDatabase(world, () =>
      world.store.answers.put({ id, at: world.now(), person: asker.person, doc }),
    ))
  if (!isKept) {
    const words = isRecorded
      ? 'The database is down; this answer can be neither shared nor paged.'
      : 'The database is down; this was not recorded.'
    const warned = { ...view, blocks: [...view.blocks, note('warn', words)] }
    return ok({ kind: 'answer', command: command.name, view: warned, ...files })
  }
  const actions: Action[] = [
    ...(pages?.previous ? [{ verb: 'previous' as const, id }] : []),
    ...(pages?.next ? [{ verb: 'next' as const, id }] : []),
    { verb: 'share', id },
  ]
  return ok({ kind: 'answer', command: command.name, view: { ...view, actions }, ...files })
}

/** The stored answer behind a Share, Next or Previous button, if it is the presser's own. */
export const answerBehind = async (
  world: World,
  asker: Asker,
  id: string,
): Promise<Result<{ command: string; input: Input; view: View }>> => {
  const stored = await world.store.answers.get(id)
  if (stored === null) return no(refusal('answer_gone', 'This answer is no longer kept.'))
  if (stored.person !== asker.person) return no(refusal('not_yours', 'This answer belongs to somebody else.'))
  return ok(storedAnswer.parse(stored.doc))
}

export const turned = (input: Input, verb: 'next' | 'previous'): Input => ({
  ...input,
  page: Math.max(1, Number(input.page ?? 1) + (verb === 'next' ? 1 : -1)),
})

/** Who looked at what is part of the record. */
const record = async (world: World, asker: Asker, command: Command, input: Input): Promise<void> => {
  await world.store.audit.append({
    kind: 'ran',
    who: asker.person,
    name: asker.name,
    platform: asker.platform,
    command: command.name,
    changeId: null,
    doc: { line: lineOf(command.name, command.params, input), account: asker.account },
  })
}

/** A look does not wait for a database that is away; false when it was. */
const withoutDatabase = async (world: World, work: () => Promise<void>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    world.log.error({ err: error }, 'a look-up could not be recorded')
    return false
  }
}
