import { describe, expect, it } from 'vitest'
import { type LinkPair, linkEnd, pairOf } from '../../src/lib/things/link.ts'
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
      const link = { ends: ada, via: 'billing', source: 'billing.changePlan', at: 10_000, by: null }
      expect(await use.store.links.of([end('customer:cus_1')])).toMatchObject([link])
      expect(await use.store.links.of([end('email:Ada@Example.com')])).toMatchObject([link])
    })
    it('stands beside one that contradicts it', async () => {
      const other = pair('email:ada@example.com', 'customer:cus_2')
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      await use.store.links.say(other, { by: 'P', isOff: false, approvedBy: null })
      const found = await use.store.links.of([end('email:ada@example.com')])
      expect(found.map(({ source, by }) => [source, by])).toEqual([
        ['billing.changePlan', null],
        ['hand', 'P'],
      ])
    })
    it('is kept once for each who says it, the last word of a person in the place of their former', async () => {
      const say = (isOff: boolean, approvedBy: string | null) =>
        use.store.links.say(ada, { by: 'P', isOff, approvedBy })
      await use.store.links.learn([{ pair: ada, source: 'email.getSubscriber' }])
      await use.store.links.learn([{ pair: ada, source: 'billing.changePlan' }])
      await use.store.links.write([ada], 'Q')
      await use.store.links.write([ada], 'R')
      await say(false, null)
      await say(true, null)
      await say(false, 'F')
      const found = await use.store.links.of([end('customer:cus_1')])
      expect(found.map(({ via, by, approvedBy, isOff }) => [via, by, approvedBy, isOff]).sort()).toEqual([
        ['approved', 'P', 'F', false],
        ['billing', null, null, false],
        ['email', null, null, false],
        ['field', 'R', null, false],
        ['hand', 'P', null, true],
      ])
      expect(await use.store.links.forget([end('customer:cus_1')], false)).toBe(3)
      expect((await use.store.links.of([end('customer:cus_1')])).map(({ via }) => via).sort()).toEqual([
        'approved',
        'field',
      ])
      expect(await use.store.links.forget([end('customer:cus_1')], true)).toBe(1)
      await use.store.links.say(pair('email:a@b.c', 'customer:word'), {
        by: 'P',
        isOff: false,
        approvedBy: null,
      })
      expect(await use.store.links.kindsOf('word')).toEqual([])
    })
    it('is gone after its person was forgotten, and only then', async () => {
      await use.store.links.learn([
        { pair: ada, source: 'email.getSubscriber' },
        { pair: pair('payment:pay_1', 'customer:cus_1'), source: 'email.getSubscriber' },
        { pair: pair('payment:pay_2', 'customer:cus_2'), source: 'email.getSubscriber' },
      ])
      expect(await use.store.links.forget([end('customer:cus_1')], true)).toBe(2)
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
    await use.store.links.learn([{ pair: ada, source: 'email.getSubscriber' }])
    expect(await use.store.links.of([end('payment:pay_5002')])).toHaveLength(1)
    expect(await use.store.links.of([end('customer:cus_1')])).toHaveLength(1)
    expect(await use.store.links.kindsOf('pay_17')).toEqual(['payment'])
    expect(await use.store.links.forget([end('customer:cus_1')], true)).toBe(5_004)
  })
})
