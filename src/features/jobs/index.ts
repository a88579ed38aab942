import { z } from 'zod'
import { sightOf } from '../../kernel/actors/delegates.ts'
import { candidate } from '../../kernel/command/candidate.ts'
import type { Actor } from '../../kernel/command/context.ts'
import type { Core } from '../../kernel/core.ts'
import { defineFeature, taskOf } from '../../kernel/feature.ts'
import { firstOf } from '../../lib/some.ts'
import { thing } from '../../lib/view/thing.ts'
import { controlJob, type JobVerb } from './job-control.ts'
import { createJobScheduler } from './job-scheduler.ts'
import { jobActionsOf, jobView } from './job-view.ts'
import { jobFor, showJob, showProgress } from './progress-publisher.ts'
import { attendJob } from './terminal.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    pause: true
    resume: true
    stop: true
  }
}

const maxJobs = 5_000

/** Those that have not ended, of changes that the actor may see. */
const openJobs = async (core: Core, actor: Actor) => {
  const { store } = core
  const open = await store.bulk.list(['running', 'paused', 'waiting'], maxJobs + 1)
  const changes = await store.changes.list({
    ids: open.flatMap(({ changeId }) => changeId ?? []),
    limit: maxJobs + 1,
  })
  const sees = await sightOf(core, actor)
  const byId = new Map(changes.map((change) => [change.id, change]))
  const seen = open.flatMap(({ id, state, total, updatedAt, changeId }) => {
    const change = byId.get(changeId ?? '')
    if (change === undefined || !sees(change)) return []
    return { id, state, total, updatedAt, title: change.preview.title }
  })
  return firstOf(seen, maxJobs, open.length > maxJobs)
}

/** Changes of many, sent chunk by chunk, each at most once: with their progress, and buttons that pause, resume and stop them. */
export const jobs = defineFeature({
  name: 'jobs',
  verbs: {
    pause: { label: 'Pause', does: 'own', isSafe: true },
    resume: { label: 'Resume', does: 'own' },
    stop: { label: 'Stop', does: 'own', look: 'danger' },
  },
  press: {
    act: (core, actor, { verb, id }) => controlJob(core, actor, verb as JobVerb, id),
    show: showJob,
  },
  things: {
    job: {
      shownBy: ['job list'],
      all: async (core, actor) =>
        (await openJobs(core, actor)).items.flatMap(({ id, title, state }) =>
          candidate(thing('job', id, { name: title }), state),
        ),
      verbs: async ({ store }, id) => {
        const job = await store.bulk.get(id)
        return job === null ? [] : jobActionsOf(job).map(({ verb }) => verb)
      },
    },
  },
  tasks: { progress: taskOf(z.object({ id: z.string() }), (core, { id }) => showProgress(core, id)) },
  longWork: createJobScheduler,
  attend: attendJob,
  records: (core, actor) => ({
    /** How a job stands, by its id or that of its change. */
    get: async (id: string) => {
      const found = await jobFor(core, actor, id)
      if (found === undefined || !(await sightOf(core, actor))(found.change)) return undefined
      return jobView(found.job, found.change, await core.store.bulk.figures(found.job.id), core.now())
    },
    list: () => openJobs(core, actor),
  }),
})
