import fc from 'fast-check'
import { createStreamCursors, type StreamCursors } from '../../../src/features/stream/store.ts'
import { eachIsAlike } from '../../storage/alike.ts'

const name = fc.constantFrom('a', 'b', 'c')

const createCursorModel = (): StreamCursors => {
  const all = new Map<string, number>()
  return {
    at: async (receiver) => all.get(receiver) ?? 0,
    move: async (receiver, from, to) => {
      if (all.has(receiver) && all.get(receiver) !== from) return false
      all.set(receiver, to)
      return true
    },
  }
}

eachIsAlike('the cursors of receivers do what the model of them does', {
  groups: [[['cursors'], ['stream_cursors']]],
  calls: {
    cursors: {
      at: fc.tuple(name),
      move: fc.tuple(name, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 3 })),
    },
  },
  createModel: () => ({ cursors: createCursorModel() }),
  ofFeatures: { cursors: createStreamCursors },
})
