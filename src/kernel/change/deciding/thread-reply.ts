import { ok, type Result } from '../../../lib/result.ts'
import { note } from '../../../lib/view/view.ts'
import { changeFor, sightOf } from '../../actors/delegates.ts'
import type { Actor } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import { replyVerb } from '../../law/notes.ts'
import type { Inbound, Intent, Reply } from '../../messenger/inbound.ts'
import { requestAuthors } from '../../policy/behind-request.ts'
import type { Press } from './decide.ts'

/**
 * What somebody writes below a card. While a question is open, a reply of whoever asked for it is the answer, whatever it
 * says. A yes of anybody else counts for nothing, and they alone read where it would. The rest is talk among people.
 */
export const followThread = async (
  core: Core,
  actor: Actor,
  { to, text }: Extract<Intent, { kind: 'reply' }>,
  { from }: Pick<Inbound, 'from'>,
  answer: (press: Press) => Promise<Result<Reply>>,
): Promise<Result<Reply>> => {
  const id = await core.store.cards.at(from.platform, to)
  const change = id === undefined ? null : await changeFor(core, actor, id)
  if (change?.state !== 'pending' || text.trim() === '') return ok({ kind: 'repeated' })
  const verb = replyVerb(change)
  if (verb !== undefined && requestAuthors(change, core.policy).includes(actor.person)) {
    return answer({ verb, id: change.id, reason: text.trim().slice(0, maxText) })
  }
  if (!isYesWord(text) || !(await sightOf(core, actor))(change)) return ok({ kind: 'repeated' })
  return ok({
    kind: 'answer',
    command: 'approval approve',
    view: {
      title: 'What is written here is no vote',
      tone: 'plain',
      blocks: [
        note(
          'plain',
          'Press the button on the card above: only that counts, and it shows what you agree to.',
        ),
      ],
    },
  })
}

const maxText = 2_000

/** "Yes!", "LGTM :+1:", "ok, approved": what people write when they mean to approve. */
const isYesWord = (text: string): boolean => {
  const words = text
    .toLowerCase()
    .replace(/:\+1:|:thumbsup:|:white_check_mark:|👍|✅/gu, ' yes ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  return (
    words.length <= 6 && words.some((word) => yesWords.has(word)) && !words.some((word) => noWords.has(word))
  )
}

const yesWords: ReadonlySet<string> = new Set(
  'yes yep yeah yup ok okay okey approve approved approving lgtm sgtm confirmed confirm agreed agree fine sure go 1 ja oui si'.split(
    ' ',
  ),
)
const noWords: ReadonlySet<string> = new Set('no not dont don never reject rejected wait why'.split(' '))
