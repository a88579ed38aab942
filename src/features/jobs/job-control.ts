import { mayDecide, refuseFrozen, refuseToRunNow } from '../../kernel/actors/authorization.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import type { Reply } from '../../kernel/messenger/inbound.ts'
import { entryBy } from '../../kernel/model/audit-entry.ts'
import { personNow } from '../../kernel/policy/people.ts'
import type { Job, JobState } from '../../kernel/store/bulk.ts'
import { putProgress } from '../../kernel/store/bulk.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { verbs } from '../../lib/view/button-labels.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { jobView, settledOf } from './job-view.ts'
import { jobFor } from './progress-publisher.ts'

export type JobVerb = 'pause' | 'resume' | 'stop'

const steps: Record<JobVerb, { from: readonly JobState[]; to: JobState; word: string }> = {
  pause: { from: ['running'], to: 'paused', word: 'Paused' },
  resume: { from: ['paused', 'waiting'], to: 'running', word: 'Resumed' },
  stop: { from: ['running', 'paused', 'waiting'], to: 'stopped', word: 'Stopped' },
}

/** Pauses, resumes or stops a bulk job: for its requester, and for people who may approve it. */
export const controlJob = async (
  core: Core,
  actor: Actor,
  verb: JobVerb,
  given: string,
): Promise<Result<Reply>> => {
  const { bulk } = core.store
  const found = await jobFor(core, actor, given)
  if (found === undefined || found.job.state === 'pinned') {
    const id = given.split('.')[0] ?? ''
    return no(
      refusal('no_such_change', `There is no job ${asTyped(id.slice(0, 40))}.`, {
        next: 'Look at job list.',
      }),
    )
  }
  const { job, change } = found
  const isOwn = actor.person === personNow(core.policy, change.requester)
  if (!isOwn && !mayDecide(core.policy, actor, change)) {
    const who = `${change.requester.name} and those who may approve it`
    return no(refusal('not_requester', `Only ${who} can do this.`))
  }
  if (verb === 'resume' && isOwn && change.requester.agent !== undefined) {
    return no(refusal('own_request', 'Your agent asked for this, so somebody else says whether it goes on.'))
  }
  const refused =
    verb !== 'resume'
      ? undefined
      : ((isOwn ? refuseToRunNow(core.policy, actor, change) : undefined) ??
        (await refuseFrozen(core.store, change.area, change.requester)))
  if (refused !== undefined) return no(refused)
  const { from, to, word } = steps[verb]
  const figures = await bulk.figures(job.id)
  const isMoved = await core.store.tx(async (store) => {
    const moved = await store.bulk.move(job.id, from, to, {
      reason: verb === 'resume' ? null : `${word} by ${actor.name}.`,
      ...(verb === 'resume' ? { sinceDone: settledOf(figures) } : {}),
      ...(verb === 'resume' && job.state === 'waiting' ? { upto: job.chunks } : {}),
    })
    if (!moved) return false
    const doc = { job: job.id, ...figures }
    await store.audit.append(entryBy(actor, `job ${word.toLowerCase()}`, change, doc))
    await putProgress(store, job.id, core.now())
    return true
  })
  if (!isMoved) return no(refusal('not_allowed_now', `This job ${wordsOf(job.state)}.`))
  core.wake()
  const after = (await bulk.get(job.id)) as Job
  const view = jobView(after, change, await bulk.figures(job.id), core.now())
  return ok({ kind: 'answer', command: `job ${verb}`, view })
}

const wordsOf = (state: JobState): string =>
  state === 'waiting' ? `waits for ${verbs.resume.label} or ${verbs.stop.label}` : words[state]

const words: Record<Exclude<JobState, 'waiting'>, string> = {
  collecting: 'has not started',
  pinned: 'has not started',
  running: 'is running',
  paused: 'is paused',
  done: 'is done',
  stopped: 'was stopped',
}
