import { expect, it } from 'vitest'
import { eachEngine } from '../harness/database.ts'
import { nextOf, partyOf, sampleChange } from './sample.ts'
import { useStore } from './store.ts'

eachEngine('a lock', (engine) => {
  const use = useStore(engine)

  it('lets one transaction after the other read what the one before it wrote', async () => {
    for (let round = 0; round < 20; round++) {
      const person = `p${round}`
      const spend = (n: number) =>
        use.store.tx(async (store) => {
          await store.lock({ shared: ['freeze'] })
          await store.lock({ alone: [`budget refunds ${person}`, `intent ${n}`] })
          const [spent] = await store.changes.spent({
            requester: person,
            names: ['refund'],
            since: 0,
            states: ['applying'],
          })
          if ((spent?.sum ?? 0) + 50 > 200) return false
          const change = { id: `${person}-${n}`, requester: partyOf(person), names: ['refund'] }
          await store.changes.insert(sampleChange({ ...change, amount: 50, state: 'applying' }))
          return true
        })
      const won = await Promise.all(Array.from({ length: 12 }, (_, n) => spend(n)))
      expect(won.filter(Boolean)).toHaveLength(4)
    }
  })

  it('is shared by those who only look, and waits for none of them', async () => {
    const bothAreIn = Promise.withResolvers<void>()
    let inside = 0
    const look = () =>
      use.store.tx(async (store) => {
        await store.lock({ shared: ['freeze'] })
        inside += 1
        if (inside === 2) bothAreIn.resolve()
        if (engine === 'postgres') await bothAreIn.promise
      })
    await Promise.all([look(), look()])
    expect(inside).toBe(2)
  })

  it('is held on a change that was taken, so that each who moves it has the version that it stores after', async () => {
    await use.store.changes.insert(sampleChange())
    const move = () =>
      use.store.tx(async (store) => {
        const change = await store.changes.take('c1')
        return change !== null && store.changes.swap(nextOf(change))
      })
    expect(await Promise.all(Array.from({ length: 12 }, move))).toEqual(Array(12).fill(true))
    expect((await use.store.changes.get('c1'))?.version).toBe(13)
  })

  it('is taken also in a transaction inside another, which is part of it', async () => {
    const undone = use.store.tx(async (store) => {
      await store.tx(async (part) => {
        await part.lock({ alone: ['freeze'] })
        await part.changes.insert(sampleChange())
      })
      expect(await store.changes.get('c1')).not.toBeNull()
      throw new Error('mine')
    })
    await expect(undone).rejects.toThrow('mine')
    expect(await use.store.changes.get('c1')).toBeNull()
  })

  it('is refused outside a transaction, where it would hold nothing', async () => {
    await expect(use.store.lock({ alone: ['freeze'] })).rejects.toThrow('end of a transaction')
  })
})
