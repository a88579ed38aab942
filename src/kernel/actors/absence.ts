import type { Core } from '../core.ts'
import type { Absence } from '../store/absences.ts'
import type { Store } from '../store/store.ts'
import type { TaskInput } from '../store/tasks.ts'

/** Every request that waits is looked at: whether those who remain can still decide about it. */
export const standingTask = (dueAt: number): TaskInput => ({
  kind: 'standing',
  key: `standing:${dueAt}`,
  doc: {},
  dueAt,
})

/** Messengers do not say when somebody joins or leaves a group: what hangs on one is looked at every quarter of an hour. */
const membersMs = 15 * 60_000
export const membersTask = (now: number): TaskInput =>
  standingTask((Math.floor(now / membersMs) + 1) * membersMs)

/** Going away and coming back, each with the look at what waits: also when the absence ends by itself. */
export const absencesOf = ({ store, now, wake }: Pick<Core, 'store' | 'now' | 'wake'>) => {
  const looked = async <T>(change: (tx: Store) => Promise<T>, ...times: number[]): Promise<T> => {
    const done = await store.tx(async (tx) => {
      const result = await change(tx)
      await tx.tasks.put(...[now(), ...times].map(standingTask))
      return result
    })
    wake()
    return done
  }
  return {
    set: (absence: Absence) => looked((tx) => tx.absences.set(absence), absence.endsAt),
    end: (person: string) => looked((tx) => tx.absences.end(person)),
  }
}
