import { z } from 'zod'
import { mayReadLog, refusePartial } from '../../kernel/actors/authorization.ts'
import { defineFeature, taskOf } from '../../kernel/feature.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { checkSchedule, type WantedSchedule } from './look-ups.ts'
import { firstAfter, readRecurrence } from './recurrence.ts'
import { postScheduled, runScheduled, scheduledPost } from './run.ts'
import { createSchedules, type Schedule, scheduleTables } from './store.ts'

declare module '../../lib/view/button-labels.ts' {
  interface FeatureVerbs {
    end: true
  }
}

/** Look-ups that run again and again, with the rights of whoever set them. */
export const schedules = defineFeature({
  name: 'schedules',
  tables: scheduleTables,
  verbs: { end: { label: 'End', does: 'request', runs: { command: 'schedule delete', param: 'id' } } },
  tasks: {
    schedule: taskOf(z.object({ id: z.string() }), (core, { id }) => runScheduled(core, id)),
    scheduled_post: taskOf(scheduledPost, postScheduled),
  },
  returns: {
    schedules: {
      sql: 'DELETE FROM schedules',
      said: (n) =>
        `${plural(n, 'schedule')} may have been deleted since: none runs now. Set again what is still wanted`,
    },
  },
  records: (core, actor) => ({
    /** The actor's own, and everybody's for those who may read the audit log. */
    list: () => {
      const seesAll = mayReadLog(core.policy, actor) && refusePartial(core.policy, actor) === undefined
      return core.store.of(createSchedules).list(seesAll ? undefined : actor.person)
    },
    /** What a schedule would be: refused where it could not run, or where its answer could not be read. */
    check: (wanted: WantedSchedule) => checkSchedule(core, actor, wanted),
  }),
  acts: ({ store, newId, now }, { requester }) => ({
    add: async ({ line, every, zone, channel }: Pick<Schedule, 'line' | 'every' | 'zone' | 'channel'>) => {
      const read = readRecurrence(every)
      if (!read.ok) throw new Error(`"${every}" does not say how often`)
      const [id, at] = [newId(), now()]
      const nextAt = firstAfter(read.value, at, zone)
      await store.tx(async (tx) => {
        await tx.of(createSchedules).add({ id, by: requester, line, every, zone, channel, at, nextAt })
        await tx.tasks.put({ kind: 'schedule', key: `schedule:${id}`, doc: { id }, dueAt: nextAt })
      })
      return { id, nextAt }
    },
    remove: (id: string) => store.of(createSchedules).remove(id),
  }),
})
