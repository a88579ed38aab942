import fc from 'fast-check'
import { type Anchors, createAnchors } from '../../../src/features/witnesses/store.ts'
import { eachIsAlike } from '../../storage/alike.ts'
import { by } from '../../storage/model.ts'

const time = fc.integer({ min: 0, max: 9 })
const name = fc.constantFrom('a', 'b', 'c')

const createAnchorModel = (): Anchors => {
  const all: Parameters<Anchors['add']>[0][] = []
  return {
    add: async (anchor) => {
      if (!all.some(({ witness, size }) => witness === anchor.witness && size === anchor.size))
        all.push(anchor)
    },
    after: async (witness, size, limit) =>
      all
        .filter((each) => each.witness === witness && each.size > size)
        .sort(by((each) => each.size))
        .slice(0, limit),
    latest: async () =>
      [...Map.groupBy(all, ({ witness }) => witness)]
        .map(([witness, its]) => {
          const { size, at } = its.toSorted(by((each) => -each.size))[0] as (typeof its)[0]
          return { witness, size, at }
        })
        .sort(by(({ witness }) => witness)),
  }
}

eachIsAlike('what witnesses were given is what the model of it says', {
  groups: [[['anchors'], ['audit_anchors']]],
  calls: {
    anchors: {
      add: fc.tuple(fc.record({ witness: name, size: time, at: time, note: name, proof: name })),
      after: fc.tuple(name, time, fc.integer({ min: 1, max: 3 })),
      latest: fc.constant<unknown[]>([]),
    },
  },
  createModel: () => ({ anchors: createAnchorModel() }),
  ofFeatures: { anchors: createAnchors },
})
