import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Repository, Store } from '../../src/kernel/store/store.ts'
import { canonicalJson } from '../../src/lib/codecs/canonical-json.ts'
import { eachEngine } from '../harness/database.ts'
import { gather, useStore } from './store.ts'

/** Stores by their names, as the bot has them or as a model of them. */
type Stores = Readonly<Record<string, unknown>> | Partial<Store>

/** For each method of a store, the arguments that are tried: few of each, so that they meet. */
export type CallsOf<S extends Stores> = {
  [Name in keyof S]-?: Record<keyof S[Name], fc.Arbitrary<readonly unknown[]>>
}

type Call = { store: string; method: string; args: readonly unknown[] }

/**
 * Which stores are called in turn, because what one does another sees, with the tables that they write; and what is called
 * before, where calls at random seldom come so far.
 */
export type Group = [calls: string[], tables: string[], before?: Call[]]

const tick = fc.integer({ min: 1, max: 3 })

/** For a list whose order nobody promises. */
export const asSet = (found: unknown[]): unknown => found.map(canonicalJson).sort()

/** Many calls at random, each of which must be answered as the model answers it, on both engines. */
export const eachIsAlike = (
  title: string,
  {
    groups,
    calls,
    createModel,
    ofFeatures = {},
    shown = {},
  }: {
    groups: Group[]
    calls: Record<string, Record<string, fc.Arbitrary<readonly unknown[]>>>
    createModel: (now: () => number) => Stores
    /** The records of features, by the name that they have here. */
    ofFeatures?: Record<string, Repository<unknown>>
    /** Of a list that `store.method` gives, what is compared. */
    shown?: Record<string, (found: unknown[]) => unknown>
  },
): void => {
  const callOf = (names: readonly string[]): fc.Arbitrary<Call> =>
    fc.oneof(
      fc.record({ store: fc.constant('clock'), method: fc.constant('tick'), args: fc.tuple(tick) }),
      ...names.flatMap((wanted) => {
        const [store = '', only] = wanted.split('.')
        return Object.entries(calls[store] ?? {})
          .filter(([method]) => only === undefined || method === only)
          .map(([method, args]) =>
            fc.record({ store: fc.constant(store), method: fc.constant(method), args }),
          )
      }),
    )

  const answerOf = async (on: Stores, { store, method, args }: Call): Promise<unknown> => {
    try {
      const methods = (on as Record<string, unknown>)[store] as Record<
        string,
        (...args: unknown[]) => unknown
      >
      const given = await methods[method]?.(...args)
      const isStream = typeof given === 'object' && given !== null && Symbol.asyncIterator in given
      const found = isStream ? (await gather(given as AsyncIterable<unknown[]>)).flat() : given
      const compared = shown[`${store}.${method}`]
      return Array.isArray(found) && compared ? compared(found) : found
    } catch {
      return 'refused'
    }
  }

  eachEngine(title, (engine) => {
    const use = useStore(engine)

    it.each(groups)('%s', async (names, tables, before = []) => {
      const runs = fc.asyncProperty(fc.array(callOf(names), { maxLength: 60, size: 'max' }), async (made) => {
        for (const table of tables) await use.test.db.run(`DELETE FROM ${table}`)
        use.clock.now = 1
        const model = createModel(() => use.clock.now)
        const real = () => {
          const added = Object.entries(ofFeatures).map(([name, make]) => [name, use.store.of(make)])
          return { ...use.store, ...Object.fromEntries(added) }
        }
        for (const [at, call] of [...before, ...made].entries()) {
          if (call.store === 'clock') use.clock.now += call.args[0] as number
          else expect(await answerOf(real(), call), `call ${at}`).toEqual(await answerOf(model, call))
        }
      })
      await fc.assert(runs, { seed: 1, numRuns: engine === 'sqlite' ? 40 : 6 })
    })
  })
}
