import { jobView, settledOf } from '../bulk/job-view.ts'
import type { Asker } from '../command/context.ts'
import type { Core } from '../core/core.ts'
import { mayDecide, whyFrozen, whyNotRunNow } from '../core/people/authorization.ts'
import { changeFor } from '../core/people/delegates.ts'
import type { Reply } from '../messenger/inbound.ts'
import { entryBy } from '../model/audit-entry.ts'
import { no, ok, type Result } from '../model/result.ts'
import { personNow } from '../policy/people.ts'
import type { Job, JobState } from '../storage/bulk.ts'
import { refusal } from '../view/refusals.ts'
import type { Verb } from '../view/view.ts'
import { putProgress } from './progress-publisher.ts'

type JobVerb = Extract<Verb, 'pause' | 'resume' | 'stop'>

export const isJobVerb = (verb: Verb): verb is JobVerb => verb in steps

const steps: Record<string, { from: readonly JobState[]; to: JobState; word: string }> = {
  pause: { from: ['running'], to: 'paused', word: 'Paused' },
  resume: { from: ['paused', 'waiting'], to: 'running', word: 'Resumed' },
  stop: { from: ['running', 'paused', 'waiting'], to: 'stopped', word: 'Stopped' },
}

/** Pauses, resumes or stops a bulk job: for its requester, and for people who may approve it. */
export const controlJob = async (
  core: Core,
  asker: Asker,
  verb: JobVerb,
  given: string,
): Promise<Result<Reply>> => {
  const { bulk } = core.store
  const id = given.split('.')[0] ?? ''
  const job = (await bulk.get(id)) ?? (await bulk.ofChange(id))
  const change = job?.changeId ? await changeFor(core, asker, job.changeId) : null
  if (job === null || change === null || job.state === 'pinned') {
    return no(
      refusal('no_such_change', `There is no job "${id.slice(0, 40)}".`, { next: 'Look at job list.' }),
    )
  }
  const isOwn = asker.person === personNow(core.policy, change.requester)
  if (!isOwn && !mayDecide(core.policy, asker, change)) {
    const who = `${change.requester.name} and those who may approve it`
    return no(refusal('not_requester', `Only ${who} can do this.`))
  }
  if (verb === 'resume' && isOwn && change.requester.agent !== undefined) {
    return no(refusal('own_request', 'Your agent asked for this, so somebody else says whether it goes on.'))
  }
  const refused =
    verb !== 'resume'
      ? undefined
      : ((isOwn ? whyNotRunNow(core.policy, asker, change) : undefined) ??
        (await whyFrozen(core.store, change.area, change.requester)))
  if (refused !== undefined) return no(refused)
  const { from, to, word } = steps[verb] as (typeof steps)[string]
  const figures = await bulk.figures(job.id)
  const isMoved = await core.store.tx(async (store) => {
    const moved = await store.bulk.move(job.id, from, to, {
      reason: verb === 'resume' ? null : `${word} by ${asker.name}.`,
      ...(verb === 'resume' ? { sinceDone: settledOf(figures) } : {}),
      ...(verb === 'resume' && job.state === 'waiting' ? { upto: job.chunks } : {}),
    })
    if (!moved) return false
    const doc = { job: job.id, ...figures }
    await store.audit.append(entryBy(asker, `job ${word.toLowerCase()}`, change, doc))
    await putProgress(store, job.id, core.now())
    return true
  })
  if (!isMoved) return no(refusal('not_allowed_now', `This job ${words[job.state]}.`))
  core.wake()
  const after = (await bulk.get(job.id)) as Job
  const view = jobView(after, change, await bulk.figures(job.id), core.now())
  return ok({ kind: 'answer', command: `job ${verb}`, view })
}

const words: Record<JobState, string> = {
  collecting: 'has not started',
  pinned: 'has not started',
  running: 'is running',
  paused: 'is paused',
  waiting: 'waits for Resume or Stop',
  done: 'is done',
  stopped: 'was stopped',
}
