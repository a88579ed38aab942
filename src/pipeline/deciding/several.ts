import { headCardOf, stateNames } from '../../approvals/card.ts'
import { amountWordsOf } from '../../approvals/card-head.ts'
import type { Asker } from '../../command/context.ts'
import type { Core } from '../../core/core.ts'
import { sightOf } from '../../core/people/delegates.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { plural } from '../../view/button-labels.ts'
import { money } from '../../view/format.ts'
import { refusal } from '../../view/refusals.ts'
import { list, note, type View } from '../../view/view.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { draftsOf } from '../reading/drafts.ts'
import { decide, type Press } from './decide.ts'

/** More than anybody reads at once. */
const mostAtOnce = 25

export const isSeveral = ({ verb, id }: Press): boolean =>
  (verb === 'approve' || verb === 'reject') && id.includes(',')

/** The digests that somebody has read, behind the button that says yes to all of them. */
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
  const buttons = [...new Set(press.id.split(','))].filter((one) => one !== '')
  if (buttons.length > mostAtOnce) {
    return no(refusal('too_large', `At most ${mostAtOnce} changes are decided at once.`))
  }
  const isRead = press.verb === 'reject' || buttons.every((one) => one.includes('.'))
  return isRead
    ? decideAll(core, asker, { ...press, buttons }, inbound)
    : review(core, asker, buttons, inbound.from)
}

/** The button below such a list. */
export const decideRead = async (
  core: Core,
  asker: Asker,
  draft: string,
  inbound: Inbound,
): Promise<Result<Reply>> => {
  const kept = await draftsOf(core).find(inbound.from, draft)
  const buttons = kept?.command === commandOfDraft ? kept.values.id : undefined
  if (!Array.isArray(buttons)) {
    return no(refusal('answer_gone', 'This list is no longer stored, or it was shown to somebody else.'))
  }
  return decideAll(core, asker, { verb: 'approve', buttons }, inbound)
}

const review = async (
  core: Core,
  asker: Asker,
  buttons: readonly string[],
  from: Inbound['from'],
): Promise<Result<Reply>> => {
  const sees = await sightOf(core, asker)
  const found = await core.store.changes.list({
    ids: buttons.map((one) => one.split('.')[0] ?? ''),
    limit: mostAtOnce,
  })
  const waiting = found.filter((change) => sees(change) && change.state === 'pending')
  if (waiting.length === 0) return no(refusal('no_such_change', 'None of these is waiting for a decision.'))
  const id = await draftsOf(core).save(from, {
    command: commandOfDraft,
    values: { id: waiting.map((change) => `${change.id}.${change.digest.slice(0, 10)}`) },
  })
  const left = buttons.length - waiting.length
  const view: View = {
    kind: 'list',
    title: `Approve ${plural(waiting.length, 'change')}?`,
    tone: 'warn',
    blocks: [
      list(waiting.map((change) => sentenceOf(change, core.now()))),
      note('plain', `In all: ${totalsOf(waiting)}.`),
      ...(left > 0
        ? [note('warn', `${plural(left, 'other')} of them is not waiting, or not known here.`)]
        : []),
    ],
    footer: 'Each is a vote of its own, for exactly what is listed here.',
    actions: [{ verb: 'approve_all', id, label: `Approve ${waiting.length}` }],
  }
  return ok({ kind: 'answer', command: commandOfDraft, view })
}

/** What it does, its sum, who asks, and what speaks against it. */
const sentenceOf = (change: Change, now: number): string => {
  const sum = amountWordsOf(change)
  const { title, blocks } = headCardOf(change, now)
  const risks = blocks.flatMap((block) =>
    block.kind === 'note' && block.tone !== 'plain' && block.tone !== 'good' ? block.text : [],
  )
  return [
    `${title}${sum === undefined || title.includes(sum) ? '' : ` (${sum})`}, asked by ${change.requester.name}`,
    ...risks,
    change.id,
  ].join(' · ')
}

const totalsOf = (changes: readonly Change[]): string => {
  const sums = new Map<string, number>()
  for (const { amount, currency } of changes)
    if (amount !== null) sums.set(currency ?? '', (sums.get(currency ?? '') ?? 0) + amount)
  const unknown = changes.filter(({ amount }) => amount === null).length
  return [
    ...[...sums].map(([currency, sum]) => money(Math.round(sum * 100) / 100, { code: currency || null })),
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
    const id = button.split('.')[0] ?? ''
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
      const after = change.state === 'approved' ? await executeOrLeave(core, change) : change
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
