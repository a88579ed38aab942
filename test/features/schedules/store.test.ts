import fc from 'fast-check'
import { createSchedules, type Schedule, type Schedules } from '../../../src/features/schedules/store.ts'
import { eachIsAlike } from '../../storage/alike.ts'
import { by, removeFrom } from '../../storage/model.ts'
import { partyOf } from '../../storage/sample.ts'

const soon = fc.integer({ min: 1, max: 3 })
const person = fc.constantFrom('p1', 'p2')
const name = fc.constantFrom('a', 'b', 'c')
const none = fc.constant<unknown[]>([])

/** What the store promises, in memory, without SQL. */
const createScheduleModel = (): Schedules => {
  const all: Schedule[] = []
  const of = (id: string) => all.find((each) => each.id === id)
  return {
    add: async (schedule) => {
      if (of(schedule.id)) throw new Error('taken')
      all.push({ ...schedule, runningAt: null })
    },
    get: async (id) => {
      const found = of(id)
      return found && { ...found }
    },
    list: async (person) =>
      all
        .filter((each) => person === undefined || each.by.person === person)
        .sort(
          by(
            ({ at }) => at,
            ({ id }) => id,
          ),
        )
        .map((each) => ({ ...each })),
    remove: async (id) => removeFrom(all, (each) => each.id === id) === 1,
    begin: async (id, { at, runningAt, nextAt }) => {
      const found = of(id)
      if (found?.nextAt !== at || found.runningAt !== null) return false
      Object.assign(found, { runningAt, nextAt })
      return true
    },
    end: async (id, runningAt) => {
      const found = of(id)
      if (found?.runningAt !== runningAt) return false
      found.runningAt = null
      return true
    },
  }
}

eachIsAlike('the store of schedules does what the model of it does', {
  groups: [[['schedules'], ['schedules']]],
  calls: {
    schedules: {
      add: fc.tuple(
        fc.record({
          id: name,
          by: person.map(partyOf),
          line: fc.constant('revenue'),
          every: fc.constant('day'),
          zone: fc.constant('UTC'),
          channel: fc.constantFrom(null, 'C1'),
          at: soon,
          nextAt: soon,
        }),
      ),
      get: fc.tuple(name),
      list: fc.oneof(fc.tuple(person), none),
      remove: fc.tuple(name),
      begin: fc.tuple(name, fc.record({ at: soon, runningAt: soon, nextAt: soon })),
      end: fc.tuple(name, soon),
    },
  },
  createModel: () => ({ schedules: createScheduleModel() }),
  ofFeatures: { schedules: createSchedules },
})
