import { expect, it } from 'vitest'
import { createIntake, deliverAgain } from '../../../src/kernel/request/intake.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf } from '../../harness/app.ts'
import { eachEngine } from '../../harness/database.ts'
import { openHarness } from '../harness.ts'

const timings = { heartbeatMs: 30, lifeMs: 200, idleMs: 20 }

/** A bot beside a process that died, and what it was given again. */
const besideTheDead = async (engine: 'sqlite' | 'postgres', more: { redelivers?: boolean } = {}) => {
  const harness = await openHarness({ engine, timings, started: false })
  const slack = createFakeMessenger('slack')
  const again: unknown[] = []
  harness.app.join({
    ...slack,
    ...(more.redelivers === false ? {} : { redeliver: async (payload) => void again.push(payload) }),
  })
  await harness.app.start()
  const { core } = harness.app
  return { harness, slack, again, dead: createIntake({ ...core, process: 'a process that died' }), core }
}

eachEngine('a delivery that was stored before it was acknowledged', (engine) => {
  it('is stored once, whatever copies come', async () => {
    const { core } = await besideTheDead(engine)
    const counted: object[] = []
    const intake = createIntake({ ...core, count: (one) => counted.push(one) })
    const what = { account: 'U1', payload: { line: 'x' } }
    const taken = await Promise.all(Array.from({ length: 5 }, () => intake.take('slack', 'd1', what)))
    expect(taken.filter((isFirst) => isFirst)).toHaveLength(1)
    expect(counted).toEqual(Array(4).fill({ kind: 'repeated', platform: 'slack' }))
  })

  it('is taken as if it had never come, once it is forgotten', async () => {
    const { core } = await besideTheDead(engine)
    const intake = createIntake(core)
    const take = (platform: string, delivery: string) =>
      intake.take(platform, delivery, { account: 'U1', payload: 'p' })
    expect([await take('slack', 'd1'), await take('discord', 'd1'), await take('slack', 'd1')]).toEqual([
      true,
      true,
      false,
    ])
    await intake.forget('slack', 'd1')
    expect(await core.store.tasks.pending()).toMatchObject({ intake: 1 })
    expect([await take('slack', 'd1'), await take('discord', 'd1')]).toEqual([true, false])
  })

  it('is given to the next process when the one that took it died, once', async () => {
    const { harness, again, dead } = await besideTheDead(engine)
    await dead.take('slack', 'd1', { account: 'U1', payload: { line: 'subscriber stats' } })
    await expect.poll(() => again).toEqual([{ line: 'subscriber stats' }])
    await expect.poll(() => harness.store.tasks.pending()).toEqual({})
    expect(again).toHaveLength(1)
  })

  it('is left to the process that works on it as long as that one lives', async () => {
    const { harness, again, core } = await besideTheDead(engine)
    const intake = createIntake({ ...core, process: 'another' })
    await core.store.leases.acquire('process:another', 'another', 3_600_000)
    await intake.take('slack', 'd1', { account: 'U1', payload: 'p' })
    const { tasks } = core.store
    const { again: putOff } = tasks
    let looks = 0
    tasks.again = (...given) => putOff(...given).finally(() => looks++)
    await expect.poll(() => looks).toBeGreaterThan(1)
    await intake.done('slack', 'd1')
    expect(await harness.store.tasks.pending()).toEqual({})
    expect(again).toEqual([])
  })

  it('that nobody can work on again is said not to have been answered', async () => {
    const { slack, dead } = await besideTheDead(engine, { redelivers: false })
    await dead.take('slack', 'd1', { account: 'U1', payload: 'p' })
    await expect.poll(() => slack.shown('U1').at(0)).toContain('was not answered')
  })

  it('asks for one change, however often it is worked on', async () => {
    const { harness } = await besideTheDead(engine)
    const line = `refund ${harness.payment()} 60`
    const ask = () =>
      harness.handle({
        delivery: 'd1',
        taken: true,
        from: fromOf('sam'),
        intent: { kind: 'line', line },
      })
    const replies = [await ask(), ...(await Promise.all([ask(), ask()]))]
    expect(replies.map(({ kind }) => kind)).toEqual(['change', 'repeated', 'repeated'])
    expect(await harness.store.changes.list({ limit: 5 })).toHaveLength(1)
  })

  it('asks the services again, if it only looks something up', async () => {
    const { harness } = await besideTheDead(engine)
    const look = () =>
      harness.handle({
        delivery: 'd1',
        taken: true,
        from: fromOf('sam'),
        intent: { kind: 'line', line: 'subscriber stats' },
      })
    expect([(await look()).kind, (await look()).kind]).toEqual(['answer', 'answer'])
  })
})

it.each([
  [600_000, false, 'given again'],
  [600_001, false, 'said not to be answered'],
  [600_001, true, 'given again'],
])('what was taken %i ms ago, and waits: %s, is %s', async (ms, waits, what) => {
  const { again, slack, core } = await besideTheDead('sqlite')
  const doc = {
    platform: 'slack',
    account: 'U1',
    process: 'a process that died',
    at: 1_000,
    waits,
    payload: 'p',
  }
  const task = { doc } as unknown as Parameters<typeof deliverAgain>[1]
  expect(await deliverAgain({ ...core, now: () => 1_000 + ms }, task)).toBeUndefined()
  expect(again).toEqual(what === 'given again' ? ['p'] : [])
  expect(slack.shown('U1')).toHaveLength(again.length === 0 ? 1 : 0)
})

it.each([
  [600_000, 'looked at again later'],
  [600_001, 'left to it'],
])('what a process that lives took %i ms ago is %s', async (ms, what) => {
  const { again, slack, core } = await besideTheDead('sqlite')
  await core.store.leases.acquire('process:another', 'another', 3_600_000)
  const doc = { platform: 'slack', account: 'U1', process: 'another', at: 1_000, payload: 'p' }
  const task = { doc } as unknown as Parameters<typeof deliverAgain>[1]
  const later = 1_000 + ms + timings.lifeMs
  expect(await deliverAgain({ ...core, now: () => 1_000 + ms }, task)).toBe(
    what === 'left to it' ? undefined : later,
  )
  expect([again, slack.shown('U1')]).toEqual([[], []])
})
