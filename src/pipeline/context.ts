import { exportLines } from '../audit/export.ts'
import { verify } from '../audit/verify.ts'
import type { Asker, Freeze, ReadContext } from '../command/context.ts'
import { mayRun } from '../policy/people.ts'
import { rowOf } from '../services/tables.ts'
import { mayDecide } from './asker.ts'
import type { World } from './world.ts'

/** What a query, or a change while it prepares, is given: reading endpoints and the bot's own records. */
export const readContext = (world: World, asker: Asker): ReadContext => {
  const { services, store, registry, policy } = world
  return {
    ...services.readers,
    read: (id, input, options) => {
      if (rowOf(id).row.effect !== 'read') throw new Error(`${id} is not a reading endpoint`)
      return services.call(id, input, options)
    },
    now: world.now(),
    asker,
    house: {
      commands: registry,
      mayRun: (name) =>
        mayRun(policy, asker, [name]) || (asker.roles.length > 0 && registry.get(name)?.kind === 'decision'),
      mayDecide: (change) => change.requester.person !== asker.person && mayDecide(policy, asker, change),
      change: async (id) => (await store.changes.get(id)) ?? undefined,
      changes: ({ page, limit, ...filter }) =>
        pageOf(page, limit, (most) => store.changes.list({ ...filter, limit: most })),
      audit: {
        find: ({ page, limit, ...filter }) =>
          pageOf(page, limit, (most) => store.audit.find({ ...filter, limit: most })),
        verify: () => verify(store),
        export: (filter) => exportLines(store, filter),
      },
      freezes: async () => (await store.freezes.all()) as Freeze[],
      status: world.status,
    },
  }
}

/** People page by number and rarely far, so the pages before are read again and left out. One more row than asked for tells whether there is a next page. */
const pageOf = async <T>(page: number, limit: number, read: (most: number) => Promise<T[]>): Promise<T[]> =>
  (await read(page * limit + 1)).slice((page - 1) * limit)
