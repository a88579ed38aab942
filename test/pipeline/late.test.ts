import { afterEach, expect, it } from 'vitest'
import { transition } from '../../src/kernel/change/transition.ts'
import type { MetricEvent } from '../../src/kernel/core.ts'
import { ok } from '../../src/lib/result.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { createFakeMessenger, gone } from '../approvals/fake-messenger.ts'
import { fromOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { buttonOf, changeOf, openHarness } from './harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
approvals: { slack: C0APPROVALS }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
`

const counted: MetricEvent[] = []
const alarms: string[] = []
const silent = { info: () => undefined, warn: () => undefined, debug: () => undefined }
const log = { ...silent, error: (_: object, words: string) => void alarms.push(words) }

afterEach(() => {
  counted.length = 0
  alarms.length = 0
})

/** A refund that finn approved, whose answer comes only after its process was given up and something was said. */
const lateRefund = async (engine: Engine, meanwhile: 'happened' | 'did_not' | 'nothing') => {
  const harness = await openHarness({
    engine,
    policy,
    log,
    started: false,
    count: (event) => void counted.push(event),
  })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  await harness.app.start()
  const { core } = harness.app
  const asked = await harness.handle({
    from: fromOf('U0SAM', 'slack'),
    place: { channel: 'C0ROOM', handle: null, direct: false },
    intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
  })
  const change = changeOf(asked)
  const press = (verb: 'approve' | 'happened' | 'did_not', reason?: string) =>
    harness.handle({
      from: fromOf('U0FINN', 'slack'),
      intent: { kind: 'press', verb, id: buttonOf(change), reason },
    })
  harness.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 400 })
  const pressed = press('approve')
  await expect.poll(() => harness.effects('refundPayment')).toHaveLength(1)
  await core.store.leases.release(`claim:${change.id}`, core.process)
  await transition(core, change.id, async () => ok({ kind: 'lost', message: 'It died.', at: core.now() }))
  if (meanwhile !== 'nothing') {
    expect(changeOf(await press(meanwhile, 'looked into billing')).state).not.toBe('unknown')
  }
  await pressed
  await harness.app.drain()
  return { harness, slack, change: await harness.stored(change) }
}

eachEngine('an answer that comes late', (engine) => {
  it('contradicts who said that it did not happen: an alarm on the card, among the approvals, to those who decided, in the metrics and in the log', async () => {
    const { slack, change } = await lateRefund(engine, 'did_not')
    expect(change).toMatchObject({ state: 'unknown', late: { learned: 'applied' } })
    const alarm = 'ALARM: Finn said that this did not happen, and it did.'
    for (const where of ['C0ROOM', 'C0APPROVALS']) {
      await expect.poll(() => slack.shown(where).at(0)).toContain(alarm)
    }
    await expect.poll(() => slack.shown('C0APPROVALS')).toHaveLength(2)
    for (const person of ['U0SAM', 'U0FINN']) {
      await expect.poll(() => slack.shown(person).at(-1)).toContain(alarm)
    }
    expect(counted).toContainEqual({ kind: 'late', contradicts: true })
    expect(alarms).toContain('ALARM: a change that was said not to have happened was sent')
  })

  it('agrees with who said that it happened: the card notes it, and nothing is open again', async () => {
    const { slack, change } = await lateRefund(engine, 'happened')
    expect(change).toMatchObject({ state: 'applied', late: { learned: 'applied', contradicts: null } })
    await expect.poll(() => slack.shown('C0ROOM').at(0)).toContain('Learned late')
    expect(slack.shown('C0ROOM').at(0)).not.toContain('ALARM')
    await expect.poll(() => slack.shown('U0FINN').at(-1)).toContain('it happened')
    expect(counted).toContainEqual({ kind: 'late', contradicts: false })
    expect(alarms).toEqual([])
  })

  it('comes before anybody said anything: the card and those who decided know it, and a person settles it', async () => {
    const { harness, slack, change } = await lateRefund(engine, 'nothing')
    expect(change).toMatchObject({ state: 'unknown', late: { learned: 'applied', contradicts: null } })
    await expect.poll(() => slack.shown('C0ROOM').at(0)).toContain('it happened')
    await expect.poll(() => slack.shown('U0FINN').at(-1)).toContain('it happened')
    const settled = await harness.handle({
      from: fromOf('U0FINN', 'slack'),
      intent: { kind: 'press', verb: 'happened', id: buttonOf(change), reason: 'the answer came' },
    })
    expect(changeOf(settled)).toMatchObject({ state: 'applied', ended: { by: { person: 'finn' } } })
  })

  it('is on record as lost with a name, also for whom an older version stored none', async () => {
    const { harness, slack, change } = await lateRefund(engine, 'nothing')
    slack.fail({ call: 'direct', error: gone(), at: 'U0GONE' })
    const { store, app } = harness
    for (const name of [undefined, 'Gunnar']) {
      const to = { platform: 'slack', account: 'U0GONE', name }
      await store.tasks.put({ kind: 'tell_late', key: 'late:old', doc: { id: change.id, to }, dueAt: 0 })
      await app.drain()
    }
    const entries = await store.audit.find({ changeId: change.id, limit: 50 })
    const lost = entries.filter(({ kind }) => kind === 'undelivered').map(({ doc }) => doc)
    expect(lost.toReversed()).toMatchObject(['Sam', 'Gunnar'].map((to) => ({ message: 'late news', to })))
  })
})
