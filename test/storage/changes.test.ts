import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { eachEngine } from '../harness/database.ts'
import { nextOf, partyOf, sampleChange, sampleEntry } from './sample.ts'
import { useStore } from './store.ts'

eachEngine('changes', (engine) => {
  const use = useStore(engine)
  const insert = async (...changes: Partial<Change>[]) => {
    for (const change of changes) await use.store.changes.insert(sampleChange(change))
  }
  const idsOf = (changes: Change[]) => changes.map(({ id }) => id)

  it('gives back a change as it was stored', async () => {
    const change = sampleChange({ input: { text: 'a\0b \ud800', deep: { z: [1, 0.1, -0, null], a: true } } })
    await use.store.changes.insert(change)
    expect(await use.store.changes.get('c1')).toEqual(
      sampleChange({ input: { text: 'a\0b \ud800', deep: { z: [1, 0.1, 0, null], a: true } } }),
    )
    expect(await use.store.changes.get('c2')).toBeNull()
  })

  it('reads a change that was stored with one requirement as one with one clause', async () => {
    const { clauses, ...rest } = sampleChange()
    const [{ because: _, ...requirement } = {}] = clauses as { because?: string }[]
    const forms = [
      [requirement, clauses],
      [{ kind: 'confirm' }, [{ kind: 'confirm' }]],
      [{ kind: 'none' }, []],
    ] as const
    for (const [at, [stored, read]] of forms.entries()) {
      const id = `old${at}`
      await insert({ id })
      const doc = JSON.stringify({ ...rest, id, requirement: stored })
      await use.test.db.run('UPDATE changes SET doc = $1 WHERE id = $2', [doc, id])
      expect((await use.store.changes.get(id))?.clauses).toMatchObject(read)
    }
  })

  it('refuses a row that no version of the bot wrote, also where this one wrote the change', async () => {
    await insert({})
    const doc = JSON.stringify({ ...sampleChange(), state: 'granted' })
    await use.test.db.run('UPDATE changes SET doc = $1 WHERE id = $2', [doc, 'c1'])
    await expect(use.store.changes.get('c1')).rejects.toThrow('cannot be read')
  })

  it('gives readers what none of them can alter for another, nor whoever wrote it', async () => {
    const written = sampleChange({ requester: partyOf('sam') })
    await use.store.changes.insert(written)
    written.requester.person = 'somebody else'
    const [one, other] = [await use.store.changes.get('c1'), await use.store.changes.get('c1')]
    expect(one).toEqual(other)
    expect(one?.requester.person).toBe('sam')
    expect(() => Object.assign(one?.requester ?? {}, { name: 'somebody else' })).toThrow(TypeError)
  })

  it('gives all readers of one version the same, which is read once', async () => {
    await insert({ id: 'c1' }, { id: 'c2' })
    const { changes } = use.store
    const [one, two] = [await changes.get('c1'), await changes.get('c2')]
    expect(await changes.get('c1')).toBe(one)
    expect(await changes.get('c2')).toBe(two)
    await changes.swap(nextOf(sampleChange({ id: 'c1' })))
    expect(await changes.get('c1')).toMatchObject({ version: 2 })
    expect(one).toMatchObject({ version: 1 })
  })

  it('does not insert under an id that is taken', async () => {
    await insert({})
    await expect(use.store.changes.insert(sampleChange({ line: 'another' }))).rejects.toThrow('refused')
    expect((await use.store.changes.get('c1'))?.line).toBe('refund pay_1 20')
  })

  it('swaps only the version it was made from', async () => {
    await insert({})
    const approved = nextOf(sampleChange(), { state: 'approved' })
    expect(await use.store.changes.swap(approved)).toBe(true)
    expect(await use.store.changes.swap(nextOf(sampleChange(), { state: 'rejected' }))).toBe(false)
    expect(await use.store.changes.get('c1')).toEqual(approved)
    expect(await use.store.changes.swap(nextOf(sampleChange({ id: 'nowhere' })))).toBe(false)
  })

  it('lets one of 200 concurrent swaps win', async () => {
    await insert({})
    const claims = Array.from({ length: 200 }, (_, index) =>
      use.store.changes.swap(nextOf(sampleChange(), { state: 'applying', claimedBy: `process ${index}` })),
    )
    const winners = (await Promise.all(claims)).flatMap((won, index) => (won ? [index] : []))
    expect(winners).toHaveLength(1)
    expect((await use.store.changes.get('c1'))?.claimedBy).toBe(`process ${winners[0]}`)
  })

  it('lets one of 200 concurrent swaps win in transactions that also write the log', async () => {
    await insert({})
    const claims = Array.from({ length: 200 }, () =>
      use.store.tx(async (store) => {
        const won = await store.changes.swap(nextOf(sampleChange(), { state: 'applying' }))
        if (won) await store.audit.append(sampleEntry())
        return won
      }),
    )
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1)
    expect(await use.store.audit.find({ changeId: 'c1', limit: 10 })).toHaveLength(1)
  })

  it('undoes a swap whose transaction fails afterwards', async () => {
    await insert({})
    const failing = use.store.tx(async (store) => {
      await store.changes.swap(nextOf(sampleChange(), { state: 'applying' }))
      await store.audit.append(sampleEntry())
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await use.store.changes.get('c1')).toEqual(sampleChange())
    expect(await use.store.audit.find({ limit: 1 })).toEqual([])
  })

  describe('lists', () => {
    const five: Partial<Change>[] = [
      { id: 'a', updatedAt: 1, state: 'applied' },
      { id: 'b', updatedAt: 2 },
      { id: 'd', updatedAt: 3, state: 'failed', requester: partyOf('p2') },
      { id: 'c', updatedAt: 3, requester: partyOf('p2') },
      { id: 'e', updatedAt: 4, state: 'applied' },
    ]
    it('the last changed first, in pages', async () => {
      await insert(...five)
      const first = await use.store.changes.list({ limit: 2 })
      expect(idsOf(first)).toEqual(['e', 'd'])
      const last = first.at(-1)
      expect(idsOf(await use.store.changes.list({ before: last, limit: 9 }))).toEqual(['c', 'b', 'a'])
      expect(idsOf(await use.store.changes.list({ skip: 3, limit: 9 }))).toEqual(['b', 'a'])
    })
    it('by state, requester and id', async () => {
      await insert(...five)
      const ids = async (filter: Omit<Parameters<typeof use.store.changes.list>[0], 'limit'>, limit = 9) =>
        idsOf(await use.store.changes.list({ ...filter, limit }))
      expect(await ids({ states: ['applied', 'failed'] })).toEqual(['e', 'd', 'a'])
      expect(await ids({ states: ['applied', 'failed'], skip: 1 }, 1)).toEqual(['d'])
      expect(await ids({ states: ['pending'], requester: 'p2' })).toEqual(['c'])
      expect(await ids({ requester: 'p2' })).toEqual(['d', 'c'])
      expect(await ids({ ids: ['a', 'c', 'nowhere'] })).toEqual(['c', 'a'])
      expect(await ids({ states: ['applied'], before: { updatedAt: 4, id: 'e' } })).toEqual(['a'])
      expect(await ids({ states: [] })).toEqual([])
      expect(await ids({ ids: [] })).toEqual([])
    })
  })

  it('counts what is open, or the states it is asked for', async () => {
    await insert({ id: 'a' }, { id: 'b' }, { id: 'c', state: 'unknown' }, { id: 'd', state: 'applied' })
    expect(await use.store.changes.countByState()).toEqual({ pending: 2, unknown: 1 })
    expect(await use.store.changes.countByState(['applied', 'failed'])).toEqual({ applied: 1 })
  })

  it('finds other changes of the same intent that are alive or done', async () => {
    await insert(
      { id: 'self', updatedAt: 90 },
      { id: 'pending', updatedAt: 50 },
      { id: 'applied', state: 'applied', updatedAt: 60 },
      { id: 'rejected', state: 'rejected', updatedAt: 70 },
      { id: 'old', updatedAt: 49 },
      { id: 'other', intent: 'refund pay_2', updatedAt: 80 },
    )
    expect(idsOf(await use.store.changes.sameIntent('refund pay_1', 50, 'self'))).toEqual([
      'applied',
      'pending',
    ])
    expect(idsOf(await use.store.changes.sameIntent('refund pay_1', 50))).toEqual([
      'self',
      'applied',
      'pending',
    ])
  })

  it('shows five of many changes of the same intent', async () => {
    await insert(...Array.from({ length: 7 }, (_, index) => ({ id: `c${index}`, updatedAt: index })))
    expect(idsOf(await use.store.changes.sameIntent('refund pay_1', 0))).toEqual([
      'c6',
      'c5',
      'c4',
      'c3',
      'c2',
    ])
  })

  it('adds up known amounts by name, person, state and time', async () => {
    await insert(
      { id: 'a', amount: 0.1, currency: 'USD', state: 'applied' },
      {
        ...{ id: 'b', amount: 0.2, currency: 'USD', state: 'applied' as const },
        names: ['upgrade', 'downgrade'],
      },
      { id: 'c', amount: null, state: 'applied' },
      { id: 'd', amount: 7, state: 'rejected' },
      { id: 'e', amount: 100, currency: 'EUR', state: 'applied', requester: partyOf('p2') },
      { id: 'f', amount: 50, state: 'applied', updatedAt: 999 },
    )
    const spent = async (over: Partial<Parameters<typeof use.store.changes.spent>[0]>) =>
      Object.fromEntries(
        (
          await use.store.changes.spent({ names: ['refund'], since: 1_000, states: ['applied'], ...over })
        ).map(({ currency, sum }) => [String(currency), sum]),
      )
    expect(await spent({ requester: 'p1' })).toEqual({ USD: 0.1 })
    expect(await spent({ requester: 'p1', names: ['refund', 'upgrade', 'downgrade'] })).toEqual({ USD: 0.3 })
    expect(await spent({})).toEqual({ USD: 0.1, EUR: 100 })
    expect(await spent({ exceptId: 'e' })).toEqual({ USD: 0.1 })
    expect(await spent({ since: 999, exceptId: 'e' })).toEqual({ USD: 0.1, null: 50 })
    expect(await spent({ states: ['applied', 'rejected'], requester: 'p1' })).toEqual({ USD: 0.1, null: 7 })
    expect(await spent({ names: [] })).toEqual({})
    expect(await spent({ names: ['unheard'] })).toEqual({})
  })

  it('counts what nobody knows the outcome of however old it is, and what is settled since then only', async () => {
    const about = { amount: 3, updatedAt: 0 }
    await insert(
      ...(['unknown', 'applying', 'applied', 'pending'] as const).map((state) => ({
        id: state,
        state,
        ...about,
      })),
    )
    const spent = async (state: Change['state'], since: number) =>
      (await use.store.changes.spent({ names: ['refund'], since, states: [state] })).reduce(
        (all, { sum }) => all + sum,
        0,
      )
    for (const state of ['unknown', 'applying'] as const)
      expect([await spent(state, 0), await spent(state, 1)]).toEqual([3, 3])
    for (const state of ['applied', 'pending'] as const)
      expect([await spent(state, 0), await spent(state, 1)]).toEqual([3, 0])
    const same = await use.store.changes.sameIntent('refund pay_1', 1)
    expect(idsOf(same).sort()).toEqual(['applying', 'unknown'])
  })

  it('finds what is being applied', async () => {
    await insert({ id: 'a', state: 'applying' }, { id: 'b' })
    expect(idsOf(await use.store.changes.applying(9))).toEqual(['a'])
  })

  it('refuses to read a change that somebody broke', async () => {
    await insert({})
    await use.test.db.run("UPDATE changes SET doc = '{}'")
    await expect(use.store.changes.get('c1')).rejects.toMatchObject({ name: 'DatabaseError', kind: 'failed' })
  })
})
