import { describe, expect, it } from 'vitest'
import { eachEngine } from '../harness/database.ts'
import { useStore } from './store.ts'

eachEngine('the store', (engine) => {
  const use = useStore(engine)

  describe('a delivery', () => {
    it('is the first exactly once, whatever races', async () => {
      const tries = await Promise.all(
        Array.from({ length: 200 }, () => use.store.deliveries.first('slack:Ev1')),
      )
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await use.store.deliveries.first('slack:Ev2')).toBe(true)
    })
    it('is forgotten when it is old enough', async () => {
      await use.store.deliveries.first('old')
      use.clock.now = 20_000
      await use.store.deliveries.first('new')
      expect(await use.store.deliveries.prune(20_000)).toBe(1)
      expect(await use.store.deliveries.first('new')).toBe(false)
      expect(await use.store.deliveries.first('old')).toBe(true)
    })
  })

  describe('a card', () => {
    const copy = { changeId: 'c1', platform: 'slack', address: 'C1:1.2', place: 'origin' }
    it('has copies, each added once', async () => {
      await use.store.cards.add(copy)
      await use.store.cards.add(copy)
      use.clock.now += 1
      await use.store.cards.add({
        ...copy,
        platform: 'discord',
        address: '300',
        place: 'approvals',
        version: 3,
      })
      await use.store.cards.add({ ...copy, changeId: 'c2' })
      expect(await use.store.cards.of('c1')).toEqual([
        { ...copy, version: 0 },
        { ...copy, platform: 'discord', address: '300', place: 'approvals', version: 3 },
      ])
    })
    it('never goes back to showing an older version', async () => {
      await use.store.cards.add(copy)
      expect(await use.store.cards.shown('c1', 'slack', 'C1:1.2', 3)).toBe(true)
      expect(await use.store.cards.shown('c1', 'slack', 'C1:1.2', 3)).toBe(true)
      expect(await use.store.cards.shown('c1', 'slack', 'C1:1.2', 2)).toBe(false)
      expect(await use.store.cards.of('c1')).toEqual([{ ...copy, version: 3 }])
    })
    it('loses the copy that is removed', async () => {
      await use.store.cards.add(copy)
      await use.store.cards.add({ ...copy, address: 'C2:1.2' })
      await use.store.cards.remove('c1', 'slack', 'C1:1.2')
      expect((await use.store.cards.of('c1')).map(({ address }) => address)).toEqual(['C2:1.2'])
    })
  })

  describe('a place that refuses a card', () => {
    it('is stored once for each change, platform and place', async () => {
      await use.store.cards.refuse('c1', 'slack', 'origin')
      await use.store.cards.refuse('c1', 'slack', 'origin')
      await use.store.cards.refuse('c1', 'slack', 'mirror')
      await use.store.cards.refuse('c2', 'slack', 'public')
      expect(new Set(await use.store.cards.refusedBy('c1'))).toEqual(
        new Set([
          { platform: 'slack', place: 'origin' },
          { platform: 'slack', place: 'mirror' },
        ]),
      )
      expect(await use.store.cards.of('c1')).toEqual([])
    })
  })

  describe('an answer', () => {
    it('is kept until it is pruned, and replaced under its id', async () => {
      await use.store.answers.put({ id: 'a1', at: 5, person: 'p1', doc: { page: 1 } })
      await use.store.answers.put({ id: 'a1', at: 6, person: 'p1', doc: { page: 2 } })
      await use.store.answers.put({ id: 'a2', at: 5, person: 'p1', doc: ['x'] })
      expect(await use.store.answers.prune(6)).toBe(1)
      expect(await use.store.answers.get('a1')).toEqual({ id: 'a1', at: 6, person: 'p1', doc: { page: 2 } })
      expect(await use.store.answers.get('a2')).toBeNull()
    })
  })

  describe('a freeze', () => {
    it('says who and why until it is cleared', async () => {
      const freeze = { area: 'billing', by: 'p2', name: 'Bo', reason: 'audit', at: 5 } as const
      await use.store.freezes.set({ ...freeze, reason: 'first' })
      await use.store.freezes.set(freeze)
      await use.store.freezes.set({ ...freeze, area: 'all' })
      expect(await use.store.freezes.all()).toEqual([{ ...freeze, area: 'all' }, freeze])
      expect(await use.store.freezes.clear('billing')).toBe(true)
      expect(await use.store.freezes.clear('billing')).toBe(false)
      expect(await use.store.freezes.all()).toEqual([{ ...freeze, area: 'all' }])
    })
  })

  describe('a lease', () => {
    it('has one owner among many who ask', async () => {
      const asked = Array.from({ length: 50 }, (_, index) =>
        use.store.leases.acquire('gateway', `o${index}`, 100),
      )
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
    })
    it('is renewed by its owner and taken over when its time is over', async () => {
      const { leases } = use.store
      expect(await leases.acquire('gateway', 'one', 100)).toBe(true)
      use.clock.now += 60
      expect(await leases.acquire('gateway', 'two', 100)).toBe(false)
      expect(await leases.acquire('gateway', 'one', 100)).toBe(true)
      use.clock.now += 60
      expect(await leases.holder('gateway')).toBe('one')
      expect(await leases.acquire('gateway', 'two', 100)).toBe(false)
      use.clock.now += 40
      expect(await leases.holder('gateway')).toBeNull()
      expect(await leases.acquire('gateway', 'two', 100)).toBe(true)
      expect(await leases.acquire('gateway', 'one', 100)).toBe(false)
      expect(await leases.holder('gateway')).toBe('two')
    })
    it('is released by its owner only', async () => {
      const { leases } = use.store
      await leases.acquire('gateway', 'one', 100)
      await leases.release('gateway', 'two')
      expect(await leases.holder('gateway')).toBe('one')
      await leases.release('gateway', 'one')
      expect(await leases.holder('gateway')).toBeNull()
    })
    it('is forgotten some time after it ended', async () => {
      await use.store.leases.acquire('process:1', 'one', 100)
      await use.store.leases.acquire('process:2', 'one', 200)
      expect(await use.store.leases.prune(use.clock.now + 150)).toBe(1)
      expect(await use.store.leases.holder('process:2')).toBe('one')
    })
  })
})
