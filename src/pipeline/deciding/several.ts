import { headCardOf, stateNames } from '../../approvals/card.ts'
import { buttonIdOf } from '../../approvals/card-buttons.ts'
import { amountWordsOf, isRisk } from '../../approvals/card-head.ts'
import type { Asker } from '../../command/context.ts'
import type { Core } from '../../core/core.ts'
import { sightOf } from '../../core/people/delegates.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { type BatchVerb, plural } from '../../view/button-labels.ts'
import { money } from '../../view/format.ts'
import { refusal } from '../../view/refusals.ts'
import { list, note, type View } from '../../view/view.ts'
import { joinWords, plainWords, type Words } from '../../view/words.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { draftsOf } from '../reading/drafts.ts'
import { decide, type Press } from './decide.ts'

/** More than anybody reads at once. */
const mostAtOnce = 25

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
  asker: Asker,
  press: Press,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const buttons = idsIn(press.id)
  if (buttons.length > mostAtOnce) return no(tooMany)
  const isRead = press.verb === 'reject' || buttons.every((one) => one.includes('.'))
  return isRead
    ? decideAll(core, asker, { ...press, buttons }, inbound)
    : review(core, asker, buttons, inbound.from)
}

/** What was marked in a list is read first, one as well as many: a row is not the card. */
export const reviewMarked = async (
  core: Core,
  asker: Asker,
  marked: string,
  { from }: Inbound,
): Promise<Result<Reply>> => {
  const ids = idsIn(marked)
  if (ids.length === 0)
    return no(
      refusal('no_such_change', 'Nothing is marked.', { next: 'Mark the requests to decide on first.' }),
    )
  return ids.length > mostAtOnce ? no(tooMany) : review(core, asker, ids, from)
}

const idsIn = (joined: string): string[] => [...new Set(joined.split(','))].filter((one) => one !== '')

/** What is marked in a list has an id alone; what was read carries the start of its digest behind it. */
const idBehind = (button: string): string => {
  const [id = ''] = button.split('.')
  return id
}

const tooMany = refusal('too_large', `At most ${mostAtOnce} changes are decided at once.`, {
  next: 'Decide on some of them first.',
})

/** A button below such a list. */
export const decideRead = async (
  core: Core,
  asker: Asker,
  { verb, id, reason }: Press & { verb: BatchVerb },
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const kept = await draftsOf(core).find(inbound.from, id)
  const buttons = kept?.command === commandOfDraft ? kept.values.id : undefined
  if (!Array.isArray(buttons)) {
    return no(refusal('answer_gone', 'This list is no longer stored, or it was shown to somebody else.'))
  }
  if (verb === 'approve_all') return decideAll(core, asker, { verb: 'approve', buttons }, inbound)
  return reason?.trim()
    ? decideAll(core, asker, { verb: 'reject', buttons, reason }, inbound)
    : ok({ kind: 'reason', verb, id, title: `Reject ${plural(buttons.length, 'change')}` })
}

const review = async (
  core: Core,
  asker: Asker,
  buttons: readonly string[],
  from: Inbound['from'],
): Promise<Result<Reply>> => {
  const sees = await sightOf(core, asker)
  const ids = buttons.map(idBehind)
  const found = await core.store.changes.list({ ids, limit: mostAtOnce })
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
  const blocks = [
    list(listed.map(({ sentence }) => sentence)),
    note('plain', `In all: ${totalsOf(listed.map(({ change }) => change))}.`),
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
      { verb: 'approve_all', id, label: `Approve ${count}` },
      { verb: 'reject_all', id, label: `Reject ${count}` },
    ],
  }
  return ok({ kind: 'answer', command: commandOfDraft, view })
}

/** Every messenger shows so much of a list whole, whatever has to be escaped in it: nothing is agreed to unread. */
const mostRead = { all: 1_500, one: 450 }

const thatAreRead = (waiting: readonly Change[], now: number) => {
  const all = waiting.map((change) => ({ change, sentence: sentenceOf(change, now) }))
  const short = all.filter(({ sentence }) => plainWords(sentence).length <= mostRead.one)
  let room = mostRead.all
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

const totalsOf = (changes: readonly Change[]): string => {
  const sums = new Map<string, number>()
  for (const { amount, currency } of changes)
    if (amount !== null) sums.set(currency ?? '', (sums.get(currency ?? '') ?? 0) + amount)
  const unknown = changes.filter(({ amount }) => amount === null).length
  return [
    ...[...sums].map(([currency, sum]) => money(Math.round(sum * 100) / 100, { code: currency })),
    ...(unknown === 0 ? [] : [`${unknown} without a known sum`]),
  ].join(', ')
}

/** Every vote is stored before any of them has an effect: that is when whoever decided is told that they count. */
const decideAll = async (
  core: Core,
  asker: Asker,
  { verb, buttons, reason }: Pick<Press, 'verb' | 'reason'> & { buttons: readonly string[] },
  { delivery, from, stored }: Inbound,
): Promise<Result<Reply>> => {
  const replies: { id: string; reply: Result<Reply> }[] = []
  for (const button of buttons) {
    const id = idBehind(button)
    const own = { delivery: `${from.platform}:${delivery}:${id}`, isLater: true }
    replies.push({ id, reply: await decide(core, asker, { verb, id: button, reason }, own) })
  }
  stored?.()
  if (replies.every(({ reply }) => reply.ok && reply.value.kind === 'repeated'))
    return ok({ kind: 'repeated' })
  const done = await Promise.all(
    replies.map(async ({ id, reply }) => {
      if (!reply.ok) return { counts: false, words: `${id}: ${reply.refusal.message}` }
      if (reply.value.kind === 'reason') return { counts: false, words: `${id}: a reason is missing.` }
      if (reply.value.kind !== 'change') return { counts: true, words: `${id}: decided before.` }
      const { change } = reply.value
      const after = await executeOrLeave(core, change)
      return { counts: true, words: `${after.preview.title}: ${stateNames[after.state]} (${id})` }
    }),
  )
  const counted = done.filter(({ counts }) => counts).length
  return ok({
    kind: 'answer',
    command: commandOfDraft,
    view: {
      kind: 'list',
      title: `${verb === 'reject' ? 'Rejected' : 'Approved'} ${counted} of ${done.length}`,
      tone: counted === done.length ? 'good' : 'warn',
      blocks: [list(done.map(({ counts, words }) => (counts ? words : `Not counted. ${words}`)))],
    },
  })
}
