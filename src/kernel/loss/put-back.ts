import { ok } from '../../lib/result.ts'
import { fewNames, when } from '../../lib/view/format.ts'
import { sentence, type Words } from '../../lib/view/words.ts'
import { digestOfTerms } from '../change/asking/prepare.ts'
import { entryOf, follow, putTasks, transition } from '../change/transition.ts'
import type { Remembered } from '../claims/sent-log.ts'
import { definitionOf } from '../command/registry.ts'
import type { Core } from '../core.ts'
import { followStep } from '../feature.ts'
import { leastClause } from '../law/clauses.ts'
import { recovered } from '../law/law.ts'
import type { Change, Outcome } from '../model/change.ts'
import { putProgress } from '../store/bulk.ts'
import type { Missing } from './compare.ts'
import type { Loss } from './hold.ts'

/** Of each claim that the store has forgotten: what is known of it, as a change whose outcome is not known. */
export const putBack = async (core: Core, missing: Missing, loss: Loss): Promise<Change[]> => {
  const back: Change[] = []
  for (const claim of missing.changes) {
    const sent = core.sent.changeOf(claim.key)
    if (sent === undefined) continue
    const event = { kind: 'recover', sent, outcome: outcomeOf(sent, claim, loss, core.now()) } as const
    const stored = await core.store.changes.get(sent.id)
    if (stored === null) back.push(await insertAgain(core, event))
    else {
      const done = await transition(core, sent.id, async () => ok(event))
      if (done.ok) back.push(done.value.change)
    }
  }
  for (const { batch } of missing.batches) {
    const why = `${loss.words}: this batch was sent before.`
    if (await core.store.bulk.loseDue({ jobId: batch.job, n: batch.n }, why))
      await putProgress(core.store, batch.job, core.now())
  }
  return back
}

const insertAgain = async (
  core: Core,
  event: { kind: 'recover'; sent: Change; outcome: Outcome },
): Promise<Change> => {
  const change = recovered(event.sent, event)
  const held = await core.store.tx(async (store) => {
    await store.changes.insert(change)
    await store.audit.append(entryOf(change, event, core.policy.digest))
    await followStep(store, { before: undefined, after: change, policy: core.policy })
    return putTasks(core, store, change)
  })
  await follow(core, change, held)
  return change
}

const outcomeOf = (sent: Change, { at, end }: Remembered, { since }: Loss, now: number): Outcome => ({
  at: now,
  message: sentence`The database lost what was stored since ${when(since)}, and this with it. ${approvedBy(sent)} and was about to be sent at ${when(at)}${answered(end)}.`,
  warning: null,
  view: null,
})

const approvedBy = ({ votes }: Change): string =>
  votes.length === 0
    ? 'It needed nobody’s approval'
    : `It was approved by ${fewNames(votes.map(({ by }) => by.name))}`

const answered = (end: Remembered['end']): Words =>
  end === undefined
    ? '; no answer is known'
    : sentence`; at ${when(end.at)} it ended as "${end.state}": ${end.message.replace(/\.$/, '')}`

/**
 * Whatever was open when the store stopped knowing may have been approved, sent or taken back since then: people are asked
 * again, on a card of another round, so that no button of before counts.
 */
export const askAllAgain = async (core: Core, { words }: Loss): Promise<void> => {
  const message = `${words}. Votes since then are lost, and this may have been done in that time: look at the service before you approve it. Votes so far are void.`
  let before: Change | undefined
  for (;;) {
    const page = await core.store.changes.list({ states: ['pending', 'approved'], limit: pageSize, before })
    for (const { id } of page.filter(({ drift }) => drift?.message !== message))
      await transition(core, id, async (change) => {
        const definition = definitionOf(core.registry, change)
        const at = core.now()
        if (definition === undefined)
          return ok({ kind: 'void', message: `${change.command} can no longer be run.`, at })
        const clauses = change.clauses.length === 0 ? [leastClause(change.requester.agent)] : change.clauses
        const round = (change.round ?? 0) + 1
        const digest = digestOfTerms(definition, { ...change, clauses, round })
        const expiresAt = at + Math.max(0, change.expiresAt - change.createdAt)
        return ok({ kind: 'recall', terms: { round, clauses, digest, expiresAt }, message, at })
      })
    before = page.at(-1)
    if (page.length < pageSize) return
  }
}

const pageSize = 200
