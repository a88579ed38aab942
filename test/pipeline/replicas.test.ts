import { afterAll, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { verify } from '../../src/audit/verify.ts'
import { createLog } from '../../src/log.ts'
import type { Inbound } from '../../src/pipeline/inbound.ts'
import { fromOf, policyOf } from '../app.ts'
import { eachEngine } from '../database.ts'
import { buttonOf, type House, openHouse } from './house.ts'
import { policy } from './policy.ts'

const timings = { heartbeatMs: 50, lifeMs: 2_000, idleMs: 20, applyGraceMs: 0, leaseMs: 2_000 }

/** A second bot on the same database and services. */
const secondOf = async (house: House) => {
  const app = createApp({
    registry: house.registry,
    policy: policyOf(policy, house.registry),
    services: house.services,
    store: house.store,
    log: createLog('silent'),
    timings,
  })
  await app.start()
  afterAll(() => app.stop(1_000))
  return app
}

const approval = (id: string, person: string, delivery: string): Inbound => ({
  delivery,
  from: fromOf(person),
  place: { channel: null, handle: null, direct: true },
  forms: false,
  intent: { kind: 'press', verb: 'approve', id },
})

eachEngine('two people, or one person twice, press Approve at the same time', (engine) => {
  it('fifty approvals of one change at once are one effect', async () => {
    const house = await openHouse({ engine, timings })
    const change = await house.ask(`refund ${house.payment()} 60`)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        house.press('approve', buttonOf(change), at % 2 ? 'fay' : 'finn'),
      ),
    )
    expect(house.effects('refundPayment')).toHaveLength(1)
    expect(replies.filter(({ kind }) => kind === 'change')).toHaveLength(1)
    expect(await house.stored(change)).toMatchObject({ state: 'applied', votes: [{}] })
    expect(await verify(house.store)).toMatchObject({ ok: true })
  })

  it('fifty approvals over two replicas are one effect, though both look for work that is due', async () => {
    const house = await openHouse({ engine, timings })
    const second = await secondOf(house)
    for (let round = 0; round < 4; round++) {
      const change = await house.ask(`refund ${house.payment()} ${60 + round}`)
      const before = house.effects('refundPayment').length
      const voters = ['fay', 'finn'] as const
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const inbound = approval(buttonOf(change), voters[at % 2] as string, `r${round}-${at}`)
          return (at % 4 < 2 ? house.app : second).handle(inbound)
        }),
      )
      const { requirement } = change
      const needs = requirement.kind === 'approvals' ? requirement.count : 1
      await expect.poll(async () => (await house.stored(change)).state).toBe('applied')
      expect((await house.stored(change)).votes).toHaveLength(needs)
      expect(house.effects('refundPayment')).toHaveLength(before + 1)
    }
    expect(await verify(house.store)).toMatchObject({ ok: true })
  })

  it('a delivery that reaches both replicas is handled once', async () => {
    const house = await openHouse({ engine, timings })
    const second = await secondOf(house)
    const inbound: Inbound = {
      ...approval('', 'sam', 'one-delivery'),
      intent: { kind: 'line', line: `refund ${house.payment()} 60` },
    }
    const replies = await Promise.all([house.app, second, house.app].map((app) => app.handle(inbound)))
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['change', 'repeated', 'repeated'])
  })
})
