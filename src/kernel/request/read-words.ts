import { ok } from '../../lib/result.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import {
  type Admitted,
  type CarriedOut,
  type Intended,
  type IntendedOrEnd,
  isIntended,
  type LineOfWords,
} from './admitted.ts'
import { turned } from './look-ups/query.ts'
import { askWhich } from './reading/act.ts'
import { complaint } from './reading/offers.ts'
import { refusedReply, sayReply, type Understood, understand, withReading } from './reading/understand.ts'
import { rerun } from './rerun.ts'

/** A line that is no command, or is refused as one, read as what somebody wants. */
export const readWords = async (request: Admitted, words: LineOfWords): Promise<Intended | CarriedOut> => {
  if (!(await request.claim())) return { reply: ok({ kind: 'repeated' }) }
  const { orElse } = words
  const meant = await meaningOf(request, words)
  if (isIntended(meant)) return { ...meant, orElse }
  const isMeant = meant.ok && meant.value.kind !== 'refused'
  return { reply: orElse === undefined || isMeant ? meant : await orElse() }
}

/** Where nothing can be read, `refused` says why the line is no command. */
const meaningOf = async (
  { core, actor, inbound }: Admitted,
  { line, refused, within }: LineOfWords,
): Promise<IntendedOrEnd> => {
  if (!refused.ok && notWords.has(refused.refusal.code)) return refused
  const said: Understood =
    within !== undefined && isWritten(line)
      ? { kind: 'part', reading: { command: within, values: {} } }
      : await understand(core, actor, inbound, line, within)
  if (said.kind === 'refused') return refusedReply(said)
  if (said.kind === 'which') return askWhich(core, actor, said.command, said.values, said.unclear)
  if (said.kind === 'part') {
    if (refused.ok || !inbound.forms) return refused
    const view = await complaint(core, inbound, line, refused.refusal, said.reading)
    return ok({ kind: 'refused', refusal: refused.refusal, view })
  }
  if (said.kind === 'asked') return ok(said.reply)
  if (said.kind === 'say') return ok(sayReply(said.view))
  if (said.kind === 'again') {
    const { last, turn } = said
    return rerun(core, actor, last.command, turn === undefined ? last : turned(last, turn), inbound.place)
  }
  const { command, values } = said.reading
  return {
    command,
    values: () => ok(values),
    shown: (reply) => ({ ...reply, view: withReading(reply.view, said) }),
  }
}

/** A line with flags or quotes is meant as one: only what it says is told to be wrong, and nothing is read into it. */
const isWritten = (line: string): boolean => /\s(?:(?:--|—|–)\p{L}|["“”])/u.test(line)

/** What is wrong with these is not that somebody used words of their own. */
const notWords: ReadonlySet<Refusal['code']> = new Set(['line_too_long', 'open_quote', 'bad_file'])
