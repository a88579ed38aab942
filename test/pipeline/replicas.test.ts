import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { verify } from '../../src/audit/verify.ts'
import { createLog } from '../../src/log.ts'
import type { Inbound } from '../../src/pipeline/inbound.ts'
import { fromOf, policyOf } from '../app.ts'
import { eachEngine } from '../database.ts'
import { account, buttonOf, changeOf, type House, openHouse, refusalOf } from './house.ts'
import { policy } from './policy.ts'

const timings = { heartbeatMs: 50, lifeMs: 2_000, idleMs: 20, applyGraceMs: 0, leaseMs: 2_000 }

/** A second bot on the same database and services. */
const secondOf = async (house: House, itsPolicy = policy) => {
  const app = createApp({
    registry: house.registry,
    policy: policyOf(itsPolicy, house.registry),
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

describe('accounts that were linked after a request', () => {
  const linked = policy.replace(
    'people:',
    'people:\n  - { id: gus, name: Gus, slack: U0GUS, discord: "900000000000000009", roles: [finance] }',
  )
  const press = (id: string) => ({ kind: 'press', verb: 'approve', id }) as const
  const inbound = (from: Inbound['from'], intent: Inbound['intent'], delivery: string): Inbound => ({
    ...approval('', '', delivery),
    from,
    intent,
  })
  const slack = account('slack', 'U0GUS', ['S0FIN'])
  const discord = account('discord', '900000000000000009', ['500000000000000001'])

  it('do not let anybody approve themselves', async () => {
    const house = await openHouse({ tasks: false })
    const line = `refund ${house.payment()} 60`
    const asked = await house.handle({ from: slack, intent: { kind: 'line', line } })
    const second = await secondOf(house, linked)
    const reply = await second.handle(inbound(discord, press(buttonOf(changeOf(asked))), 'self'))
    expect(refusalOf(reply).code).toBe('may_not_approve')
    expect(house.effects()).toEqual([])
  })

  it('count once at the claim, though they voted as two', async () => {
    const house = await openHouse({ tasks: false })
    const change = await house.ask(`refund ${house.payment()} 501`)
    await house.handle({ from: slack, intent: press(buttonOf(change)) })
    const stored = await house.stored(change)
    const [vote] = stored.votes
    if (vote === undefined) throw new Error('the vote was not counted')
    const other = {
      ...vote,
      by: { ...vote.by, person: discord.account, platform: discord.platform, account: discord.account },
    }
    await house.store.changes.swap({
      ...stored,
      state: 'approved',
      votes: [vote, other],
      version: stored.version + 1,
    })
    await house.store.tasks.put({ kind: 'apply', key: 'apply:both', doc: { id: change.id }, dueAt: 0 })
    const second = await secondOf(house, linked)
    await second.drain()
    await expect.poll(async () => (await house.stored(change)).state).toBe('pending')
    expect(await house.stored(change)).toMatchObject({ votes: [] })
    expect(house.effects()).toEqual([])
  })
})
