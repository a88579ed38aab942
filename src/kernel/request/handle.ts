import { ok, type Result } from '../../lib/result.ts'
import { followThread } from '../change/deciding/thread-reply.ts'
import type { Core } from '../core.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import { admit } from './admit.ts'
import { type Admitted, type CarriedOut, type Intended, isIntended, type LineOfWords } from './admitted.ts'
import { carriedOut, carryOut } from './carry-out.ts'
import { decideOrControl } from './decide-or-control.ts'
import { present } from './present.ts'
import { pressed } from './press.ts'
import { readRow } from './read-row.ts'
import { readTyped } from './read-typed.ts'
import { readWords } from './read-words.ts'
import { nameOf } from './urgent.ts'

/** The path of every request: it is admitted, read, carried out and presented. */
export const handle = (core: Core, inbound: Inbound): Promise<Reply> => {
  const name = nameOf(core.registry, inbound)
  return core.tracing.request(name, (note) =>
    present(core, inbound, note, () => admit(core, inbound, name, answer)),
  )
}

/**
 * What a delivery can mean, one reading after the other. The first that is not refused is what it means; a line that is refused
 * as a command is read as words, and where those mean nothing either, people read what was wrong with the line.
 */
const answer = async (request: Admitted): Promise<Result<Reply>> => {
  let words: LineOfWords | undefined
  for (const read of readers) {
    const reading = await read(request, words)
    if (reading === undefined) continue
    const outcome = isIntended(reading) ? await carryOut(request, reading) : reading
    if (outcome.words === undefined) return outcome.reply
    words = outcome.words
  }
  return ok({ kind: 'repeated' })
}

type Read = (
  request: Admitted,
  words: LineOfWords | undefined,
) => Promise<Intended | CarriedOut | undefined> | undefined

const readers: readonly Read[] = [
  async (request) => {
    const { intent } = request.inbound
    return intent.kind === 'press' ? { reply: await pressed(request, intent) } : undefined
  },
  async (request) => {
    const { core, actor, inbound } = request
    if (inbound.intent.kind !== 'reply') return undefined
    const thread = await followThread(core, actor, inbound.intent, inbound, async (press) =>
      carriedOut(request, await decideOrControl(request, press)),
    )
    return { reply: thread }
  },
  readRow,
  readTyped,
  (request, words) => (words === undefined ? undefined : readWords(request, words)),
]
