import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { type BatchVerb, plural, verbs } from '../../../lib/view/button-labels.ts'
import { fewNames } from '../../../lib/view/format.ts'
import { formatNumber } from '../../../lib/view/format-number.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import { list, note, type View } from '../../../lib/view/view.ts'
import { joinWords, plainWords, type Words } from '../../../lib/view/words.ts'
import { changeFor, sightOf } from '../../actors/delegates.ts'
import { peopleWhoseTurn } from '../../actors/turn.ts'
import { headCardOf, stateNames } from '../../cards/card.ts'
import { amountWordsOf, isRisk } from '../../cards/card-head.ts'
import { markedIn, maxDecided, totalsOf } from '../../cards/marked.ts'
import type { Actor } from '../../command/context.ts'
import type { Core } from '../../core.ts'
import { ballotOf, progressOf } from '../../law/clauses.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import { buttonIdOf, isAsShown, readButton } from '../../model/shown.ts'
import { answerBehind } from '../../request/look-ups/query.ts'
import { draftsOf } from '../../request/reading/drafts.ts'
import type { Absence } from '../../store/absences.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { decide, type Press } from './decide.ts'
import { lastShown } from './shown.ts'

export const isSeveral = ({ verb, id }: Press): boolean =>
  (verb === 'approve' || verb === 'reject') && id.includes(',')

/** What was read, behind the buttons that decide on all of it. */
const commandOfDraft = 'approval approve'

/**
 * Several decisions at once are so many votes, each bound to its own digest and counted or refused by itself. A yes is said
 * to what was read: without its digest, each change is listed first, with its sum and the total in each currency.
 */
export const decideSeveral = async (
  core: Core,
  actor: Actor,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const buttons = idsIn(press.id)
  if (buttons.length > maxDecided) return no(tooMany)
  const isRead = (await Promise.all(buttons.map((one) => isShown(core, actor, press.verb, one)))).every(
    Boolean,
  )
  return isRead
    ? decideAll(core, actor, { ...press, buttons }, inbound)
    : review(core, actor, buttons, inbound.from)
}

/** A yes by an id alone is said to a list that was read; a no by what each of them was shown before. */
const isShown = async (core: Core, actor: Actor, verb: Press['verb'], button: string): Promise<boolean> => {
  const { id, names } = readButton(button)
  if (names || verb === 'approve') return names
  const change = await changeFor(core, actor, id)
  const shown = change && (await lastShown(core, actor, change))
  return change === null || (shown != null && isAsShown(change, shown))
}

/** What was marked in a list is read first, one as well as many: a row is not the card. */
export const reviewMarked = async (
  core: Core,
  actor: Actor,
  marked: string,
  { from }: Inbound,
): Promise<Result<Reply>> => {
  const ids = idsIn(marked)
  if (ids.length === 0)
    return no(
      refusal('no_such_change', 'Nothing is marked.', { next: 'Mark the requests to decide on first.' }),
    )
  return ids.length > maxDecided ? no(tooMany) : review(core, actor, ids, from)
}

const idsIn = (joined: string): string[] => [...new Set(joined.split(','))].filter((one) => one !== '')

/** What is marked in a list has an id alone; what was read carries what was shown of it. */
const idBehind = (button: string): string => readButton(button).id

const tooMany = refusal('too_large', `At most ${maxDecided} changes are decided at once.`, {
  next: 'Decide on some of them first.',
})

/** A button below such a list. */
export const decideRead = async (
  core: Core,
  actor: Actor,
  { verb, id, reason }: Press & { verb: BatchVerb },
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const kept = await draftsOf(core).find(inbound.from, id)
  const buttons = kept?.command === commandOfDraft ? kept.values.id : await listedIn(core, actor, id)
  if (!Array.isArray(buttons)) {
    return no(refusal('answer_gone', 'This list is no longer stored, or it was shown to somebody else.'))
  }
  if (verb === 'approve_all') return decideAll(core, actor, { verb: 'approve', buttons }, inbound)
  return reason?.trim()
    ? decideAll(core, actor, { verb: 'reject', buttons, reason }, inbound)
    : ok({ kind: 'reason', verb, id, title: `Reject ${plural(buttons.length, 'change')}` })
}

/** The rows of a list that this person was answered with, each as it was shown there. */
const listedIn = async (core: Core, actor: Actor, id: string): Promise<string[] | undefined> => {
  const behind = await answerBehind(core, actor, id)
  const marked = behind.ok ? markedIn(behind.value.view) : []
  return marked.length === 0 ? undefined : marked.map(({ id: button }) => button)
}

const review = async (
  core: Core,
  actor: Actor,
  buttons: readonly string[],
  from: Inbound['from'],
): Promise<Result<Reply>> => {
  const sees = await sightOf(core, actor)
  const ids = buttons.map(idBehind)
  const found = await core.store.changes.list({ ids, limit: maxDecided })
  const waiting = found.filter((change) => sees(change) && change.state === 'pending')
  if (waiting.length === 0) return no(refusal('no_such_change', 'None of these is waiting for a decision.'))
  const { listed, tooLong, later } = thatAreRead(waiting, core.now())
  const left = buttons.length - waiting.length
  const count = listed.length
  const notes = [
    ...(left > 0 ? [`Not waiting, or not known here: ${left}.`] : []),
    ...(tooLong > 0 ? [`Too long for a list, to be decided on by card: ${tooLong}.`] : []),
    ...(later > 0 ? [`Left for the next list, because this one is full: ${later}.`] : []),
  ]
  if (count === 0) return no(refusal('too_large', notes.join(' ')))
  const id = await draftsOf(core).save(from, {
    command: commandOfDraft,
    values: { id: listed.map(({ change }) => buttonIdOf(change)) },
  })
  const total = totalsOf(listed.map(({ change }) => change))
  const blocks = [
    list(listed.map(({ sentence }) => sentence)),
    note('plain', `In all: ${total}.`),
    ...notes.map((words) => note('plain', words)),
  ]
  const view: View = {
    kind: 'list',
    title: `Decide on ${plural(count, 'change')}?`,
    tone: 'warn',
    blocks,
    essential: blocks.length,
    footer: 'Each is a vote of its own, for exactly what is listed here.',
    actions: [
      { verb: 'approve_all', id, label: `${verbs.approve.label} ${count} (${total})` },
      { verb: 'reject_all', id, label: `${verbs.reject.label} ${count}` },
    ],
  }
  return ok({ kind: 'answer', command: commandOfDraft, view })
}

/** Every messenger shows so much of a list whole, whatever has to be escaped in it: nothing is agreed to unread. */
const maxRead = { all: 1_500, one: 450 }

const thatAreRead = (waiting: readonly Change[], now: number) => {
  const all = waiting.map((change) => ({ change, sentence: sentenceOf(change, now) }))
  const short = all.filter(({ sentence }) => plainWords(sentence).length <= maxRead.one)
  let room = maxRead.all
  const listed = short.filter(({ sentence }) => {
    room -= plainWords(sentence).length
    return room >= 0
  })
  return { listed, tooLong: all.length - short.length, later: short.length - listed.length }
}

/** What it does, its sum, who asks, and what speaks against it. */
const sentenceOf = (change: Change, now: number): Words => {
  const sum = amountWordsOf(change)
  const { title, blocks } = headCardOf(change, now)
  const risks = blocks.flatMap((block) => (block.kind === 'note' && isRisk(block.tone) ? block.text : []))
  return joinWords(
    [
      `${title}${sum === undefined || title.includes(sum) ? '' : ` (${sum})`}, asked by ${change.requester.name}`,
      ...risks,
      change.id,
    ],
    ' · ',
  )
}

/** Every vote is stored before any of them has an effect: that is when whoever decided is told that they count. */
const decideAll = async (
  core: Core,
  actor: Actor,
  { verb, buttons, reason }: Pick<Press, 'verb' | 'reason'> & { buttons: readonly string[] },
  { delivery, from, stored }: Inbound,
): Promise<Result<Reply>> => {
  const replies: { id: string; reply: Result<Reply> }[] = []
  for (const button of buttons) {
    const id = idBehind(button)
    const own = { delivery: `${from.platform}:${delivery}:${id}`, isLater: true }
    replies.push({ id, reply: await decide(core, actor, { verb, id: button, reason }, own) })
  }
  stored?.()
  if (replies.every(({ reply }) => reply.ok && reply.value.kind === 'repeated'))
    return ok({ kind: 'repeated' })
  const absences = await core.store.absences.active()
  const done: Decided[] = await Promise.all(
    replies.map(async ({ id, reply }) => {
      if (!reply.ok) return { counts: false, words: `${id}: ${reply.refusal.message}` }
      if (reply.value.kind === 'refused')
        return { counts: false, words: `${id}: ${reply.value.refusal.message}` }
      if (reply.value.kind === 'reason') return { counts: false, words: `${id}: a reason is missing.` }
      if (reply.value.kind !== 'change') return { counts: true, words: `${id}: decided before.` }
      const { change } = reply.value
      const after = await executeOrLeave(core, change)
      const left = leftFor(core, after, absences)
      const words = `${after.preview.title}: ${left ?? stateNames[after.state]} (${id})`
      return { counts: true, words, ...defined({ left }) }
    }),
  )
  const counted = done.filter(({ counts }) => counts).length
  const all = `${verb === 'reject' ? 'Rejected' : 'Approved'} ${counted} of ${done.length}`
  return ok({
    kind: 'answer',
    command: commandOfDraft,
    view: {
      kind: 'list',
      title: (counted === done.length ? waitingTitle(done) : undefined) ?? all,
      tone: counted === done.length ? 'good' : 'warn',
      blocks: [list(done.map(({ counts, words }) => (counts ? words : `Not counted. ${words}`)))],
    },
  })
}

/** What became of one: `left` is what it needs after this vote. */
type Decided = { counts: boolean; words: string; left?: string }

const leftFor = (core: Core, change: Change, absences: readonly Absence[]): string | undefined => {
  if (change.state !== 'pending') return undefined
  const missing = progressOf(change.clauses, ballotOf(change)).reduce((sum, one) => sum + one.missing, 0)
  const names = peopleWhoseTurn(core.policy, change, absences).map(({ name }) => name)
  const who = names.length === 0 ? '' : `: ${fewNames(names)}`
  return `needs ${missing < few.length ? few[missing] : formatNumber(missing)} more${who}`
}
const few = ['no', 'one', 'two', 'three', 'four', 'five']

/** "5 votes given, each needs one more: Fay"; undefined where nothing waits after these votes. */
const waitingTitle = (counted: readonly Decided[]): string | undefined => {
  const waits = counted.flatMap(({ left }) => left ?? [])
  if (waits.length === 0) return undefined
  const given = `${plural(counted.length, 'vote')} given`
  const kinds = new Set(waits)
  if (waits.length === counted.length && kinds.size === 1)
    return `${given}, ${waits.length === 1 ? 'it' : 'each'} ${waits[0]}`
  const done = counted.length - waits.length
  return `${given}: ${done === 0 ? '' : `${formatNumber(done)} decided, `}${formatNumber(waits.length)} ${waits.length === 1 ? 'needs' : 'need'} more`
}
