import { describe, expect, it } from 'vitest'
import { witnessesOf, witnessStates } from '../../../src/features/witnesses/outside.ts'
import { gather } from '../../storage/store.ts'

const minute = 60_000

describe('a witness outside', () => {
  const anchor = { everyMs: 10 * minute, folder: '/w', channels: { slack: 'C1' }, tsa: undefined } as never
  const statesAt = async (now: number, { last = 0, at = 0, size = 5, gap = false, none = false } = {}) =>
    witnessStates(
      {
        of: () => ({
          latest: async () => [
            ...(last === 0 ? [] : [{ witness: 'slack', size: last, at }]),
            { witness: 'folder', size, at: now },
          ],
        }),
        gaps: { all: async () => (gap ? [{ name: 'slack', since: 3, error: 'no answer' }] : []) },
        auditTree: { checkpoint: async () => (none ? undefined : { size, at: 1_000 }) },
      } as never,
      anchor,
      now,
    )
  const awayOf = async (...given: Parameters<typeof statesAt>) =>
    (await statesAt(...given)).find(({ name }) => name === 'slack')?.away
  const most = 20 * minute + 30_000

  it('that has the newest checkpoint is not away, however long ago it got it', async () => {
    expect(await awayOf(99 * most, { last: 5 })).toBeUndefined()
    expect(await awayOf(99 * most, { none: true })).toBeUndefined()
  })
  it('that is behind for two intervals and the time to answer is away since then', async () => {
    expect(await awayOf(most + 2_000, { last: 4, at: 2_000 })).toBeUndefined()
    expect(await awayOf(most + 2_001, { last: 4, at: 2_000 })).toMatchObject({ since: 2_000 })
    expect(await awayOf(most + 1_000)).toBeUndefined()
    expect(await awayOf(most + 1_001)).toMatchObject({ since: 1_000 })
  })
  it('that could not be reached is away since then, and says why', async () => {
    expect(await awayOf(5_000, { last: 5, gap: true })).toEqual({ since: 3, why: 'no answer' })
  })
  it('is named with what it has, each that the policy names', async () => {
    expect(await statesAt(9_000, { last: 4, at: 8_000 })).toMatchObject([
      { name: 'folder', latest: { size: 5, at: 9_000 } },
      { name: 'slack', latest: { size: 4, at: 8_000 } },
    ])
    expect(await witnessStates({} as never, undefined, 0)).toEqual([])
    const store = {
      of: () => ({ latest: async () => [] }),
      gaps: { all: async () => [] },
      auditTree: { checkpoint: async () => undefined },
    }
    const named = { everyMs: minute, folder: undefined, channels: {}, tsa: 'https://tsa.example' }
    const states = await witnessStates(store as never, named as never, 0)
    expect(states.map(({ name }) => name)).toEqual(['tsa'])
  })
  it('in a messenger that is not turned on keeps nothing, and cannot be read', async () => {
    const [witness] = witnessesOf({
      policy: { sections: { anchor: { everyMs: minute, channels: { slack: 'C1' } } } },
      messengers: new Map(),
    } as never)
    await expect(witness?.keep({} as never)).rejects.toThrow('it is not turned on')
    await expect(gather(witness?.held?.() as never)).rejects.toThrow(
      'it cannot be read from here, where it is not turned on',
    )
  })
})
