import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/cli/start/app.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import { createLog } from '../../src/lib/log.ts'
import { fromOf, policyOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { account, buttonOf, changeOf, type Harness, openHarness, refusalOf } from './harness.ts'
import { policy } from './policy.ts'

/** Nobody dies here: however slow the machine is, nobody is given up. */
const timings = { heartbeatMs: 50, lifeMs: 600_000, idleMs: 20, applyGraceMs: 0, leaseMs: 600_000 }

/** A second bot on the same database and services. */
const secondOf = async (harness: Harness, itsPolicy = policy) => {
  const app = createApp({
    registry: harness.registry,
    policy: policyOf(itsPolicy, harness.registry),
    services: harness.services,
    store: harness.store,
    log: createLog('silent'),
    timings,
  })
  await app.start()
  whenDone(() => app.stop(1_000))
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
    const harness = await openHarness({ engine, timings })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        harness.press('approve', buttonOf(change), at % 2 ? 'fay' : 'finn'),
      ),
    )
    // Here the worker may claim it at once, before whoever gave the last vote; then their answer says that it runs.
    expect(replies.filter(({ kind }) => kind === 'change')).toHaveLength(1)
    await expect.poll(async () => (await harness.stored(change)).state).toBe('applied')
    expect((await harness.stored(change)).votes).toHaveLength(1)
    expect(harness.effects('refundPayment')).toHaveLength(1)
    expect(await verify(harness.store)).toMatchObject({ ok: true })
  })

  it('fifty approvals over two replicas are one effect, though both look for work that is due', async () => {
    const harness = await openHarness({ engine, timings })
    const second = await secondOf(harness)
    for (let round = 0; round < 4; round++) {
      const change = await harness.ask(`refund ${harness.payment()} ${60 + round}`)
      const before = harness.effects('refundPayment').length
      const voters = ['fay', 'finn'] as const
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const inbound = approval(buttonOf(change), voters[at % 2] as string, `r${round}-${at}`)
          return (at % 4 < 2 ? harness.app : second).handle(inbound)
        }),
      )
      const [clause] = change.clauses
      const needs = clause?.kind === 'approvals' ? clause.count : 1
      await expect.poll(async () => (await harness.stored(change)).state).toBe('applied')
      expect((await harness.stored(change)).votes).toHaveLength(needs)
      expect(harness.effects('refundPayment')).toHaveLength(before + 1)
    }
    expect(await verify(harness.store)).toMatchObject({ ok: true })
  })

  it('a delivery that reaches both replicas is handled once', async () => {
    const harness = await openHarness({ engine, timings })
    const second = await secondOf(harness)
    const inbound: Inbound = {
      ...approval('', 'sam', 'one-delivery'),
      intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
    }
    const replies = await Promise.all([harness.app, second, harness.app].map((app) => app.handle(inbound)))
    expect(replies.map(({ kind }) => kind).sort()).toEqual(['change', 'repeated', 'repeated'])
  })
})

describe('accounts that were linked after a request', () => {
  const linked = policy.replace(
    '{ id: gus, name: Gus, slack: U0GUS }',
    '{ id: gus, name: Gus, slack: U0GUS, discord: "900000000000000009", roles: [finance] }',
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
    const harness = await openHarness({ tasks: false })
    const line = `refund ${harness.payment()} 60`
    const asked = await harness.handle({ from: slack, intent: { kind: 'line', line } })
    const second = await secondOf(harness, linked)
    const reply = await second.handle(inbound(discord, press(buttonOf(changeOf(asked))), 'self'))
    expect(refusalOf(reply).code).toBe('own_request')
    expect(harness.effects()).toEqual([])
  })

  it('count once at the claim, though they voted as two', async () => {
    const harness = await openHarness({ tasks: false })
    const change = await harness.ask(`refund ${harness.payment()} 501`)
    await harness.handle({ from: slack, intent: press(buttonOf(change)) })
    const stored = await harness.stored(change)
    const [vote] = stored.votes
    if (vote === undefined) throw new Error('the vote was not counted')
    const other = {
      ...vote,
      by: { ...vote.by, person: discord.account, platform: discord.platform, account: discord.account },
    }
    await harness.store.changes.swap({
      ...stored,
      state: 'approved',
      votes: [vote, other],
      version: stored.version + 1,
    })
    await harness.store.tasks.put({ kind: 'apply', key: 'apply:both', doc: { id: change.id }, dueAt: 0 })
    const second = await secondOf(harness, linked)
    await second.drain()
    await expect.poll(async () => (await harness.stored(change)).state).toBe('pending')
    expect(await harness.stored(change)).toMatchObject({
      votes: [{ by: { person: 'gus' } }],
      lapsed: [{ why: 'the same person voted already' }],
    })
    expect(harness.effects()).toEqual([])
  })
})
