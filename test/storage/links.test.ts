import { describe, expect, it } from 'vitest'
import { type LinkPair, linkEnd, pairOf } from '../../src/model/link.ts'
import { eachEngine } from '../harness/database.ts'
import { useStore } from './store.ts'

const end = (text: string) => {
  const [kind, id] = text.split(/:(.*)/s) as ['email', string]
  const made = linkEnd(kind, id)
  if (made === undefined) throw new Error(`no end: ${text}`)
  return made
}
const pair = (one: string, other: string): LinkPair => {
  const made = pairOf(end(one), end(other))
  if (made === undefined) throw new Error(`no pair: ${one} ${other}`)
  return made
}

eachEngine('links', (engine) => {
  const use = useStore(engine)
  const ada = pair('email:ada@example.com', 'customer:cus_1')

  describe('a link', () => {
    it('keeps where and when it was first learned, and is found from both ends', async () => {
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      use.clock.now += 5
      await use.store.links.learn([{ pair: ada, source: 'billing.findTransactions' }])
      const link = { ends: ada, source: 'billing.changePlan', at: 10_000, by: null, isOff: false }
      expect(await use.store.links.of([end('customer:cus_1')])).toEqual([link])
      expect(await use.store.links.of([end('email:Ada@Example.com')])).toEqual([link])
    })
    it('stands beside one that contradicts it', async () => {
      const other = pair('email:ada@example.com', 'customer:cus_2')
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      await use.store.links.set(other, 'p1', false)
      const found = await use.store.links.of([end('email:ada@example.com')])
      expect(found.map(({ source, by }) => [source, by])).toEqual([
        ['billing.changePlan', null],
        ['hand', 'p1'],
      ])
    })
    it('that was cut by hand stays cut when an answer names it again', async () => {
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      await use.store.links.set(ada, 'p1', true)
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      expect(await use.store.links.of([end('customer:cus_1')])).toMatchObject([
        { source: 'hand', by: 'p1', isOff: true },
      ])
    })
    it('is gone after its person was forgotten, and only then', async () => {
      await use.store.links.learn([
        { pair: ada, source: 'x' },
        { pair: pair('payment:pay_1', 'customer:cus_1'), source: 'x' },
        { pair: pair('payment:pay_2', 'customer:cus_2'), source: 'x' },
      ])
      expect(await use.store.links.forget([end('customer:cus_1')])).toBe(2)
      expect(await use.store.links.of([end('email:ada@example.com')])).toEqual([])
      expect(await use.store.links.of([end('payment:pay_2')])).toHaveLength(1)
    })
  })

  it('remember five thousand payments, and do not list them with their customer', async () => {
    const taught = Array.from({ length: 5_003 }, (_, n) => ({
      pair: pair(`payment:pay_${n}`, 'customer:cus_1'),
      source: 'billing.findTransactions',
    }))
    await use.store.links.learn(taught)
    await use.store.links.learn(taught)
    await use.store.links.learn([{ pair: ada, source: 'x' }])
    expect(await use.store.links.of([end('payment:pay_5002')])).toHaveLength(1)
    expect(await use.store.links.of([end('customer:cus_1')])).toHaveLength(1)
    expect(await use.store.links.kindsOf('pay_17')).toEqual(['payment'])
    expect(await use.store.links.forget([end('customer:cus_1')])).toBe(5_004)
  })
})
