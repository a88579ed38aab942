import { describe, expect, it } from 'vitest'
import { verify } from '../../src/kernel/log/verify.ts'
import { createLog } from '../../src/lib/log.ts'
import { createFakeMessenger, later } from '../approvals/fake-messenger.ts'
import { fromOf, textOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { account, buttonOf, changeOf, openHarness, refusalOf } from './harness.ts'

/** An answer may take its time on a busy machine; what never answers is given up soon. */
const quick = { readDeadlineMs: 8_000, writeDeadlineMs: 8_000, attemptMs: 2_500, retries: 2 }
const impatient = { readDeadlineMs: 1_500, attemptMs: 500, retries: 2 }

eachEngine('the same slash command, click, event or interaction delivered N times', (engine) => {
  it('is handled once', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const line = `refund ${harness.payment()} 60`
    const asked = await Promise.all(
      Array.from({ length: 5 }, () =>
        harness.handle({ delivery: 'd1', from: fromOf('sam'), intent: { kind: 'line', line } }),
      ),
    )
    const changes = asked.filter(({ kind }) => kind === 'change').map(changeOf)
    expect(changes).toHaveLength(1)
    expect(asked.filter(({ kind }) => kind === 'repeated')).toHaveLength(4)
    const id = changes.map(buttonOf)[0] ?? ''
    const pressed = await Promise.all(
      Array.from({ length: 5 }, () =>
        harness.handle({
          delivery: 'd2',
          from: fromOf('fay'),
          intent: { kind: 'press', verb: 'approve', id },
        }),
      ),
    )
    expect(pressed.map(({ kind }) => kind).sort()).toEqual(['change', ...Array(4).fill('repeated')])
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })
  it('of one platform is not taken for that of another', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const intent = { kind: 'line', line: 'bellhop whoami' } as const
    const slack = await harness.handle({ delivery: '1', from: account('slack', 'U0SAM'), intent })
    const discord = await harness.handle({
      delivery: '1',
      from: account('discord', '400000000000000001'),
      intent,
    })
    expect([slack.kind, discord.kind]).toEqual(['answer', 'answer'])
  })
})

describe('a service is slow or down', () => {
  it('reads are retried within a deadline', async () => {
    const harness = await openHarness({ settings: quick, tasks: false })
    harness.sandbox.fault({ row: 'getSubscriber', kind: 'status', status: 503, times: 2 })
    expect((await harness.say('subscriber get ada@example.com')).kind).toBe('answer')
    expect(harness.sandbox.wire.filter(({ row }) => row === 'getSubscriber')).toHaveLength(3)
  })
  it('then a clear sentence, while the other services and the bot go on', async () => {
    const harness = await openHarness({ settings: impatient, tasks: false })
    harness.sandbox.fault({ service: 'email', kind: 'hang_after', times: 100 })
    const [email, chat] = await Promise.all([
      harness.say('subscriber get ada@example.com'),
      harness.say('contact lists'),
    ])
    expect(refusalOf(email)).toMatchObject({
      code: 'unavailable',
      message: 'The email service does not answer.',
    })
    expect(chat.kind).toBe('answer')
  })
  it('the breaker opens, and nothing more is sent until it has rested', async () => {
    const settings = { ...quick, retries: 0, breaker: { failures: 3, openMs: 60_000 } }
    const harness = await openHarness({ settings, tasks: false })
    harness.sandbox.fault({ service: 'email', kind: 'status', status: 500, times: 100 })
    for (let at = 0; at < 6; at++) {
      expect(refusalOf(await harness.say('list find')).code).toBe('unavailable')
    }
    expect(harness.sandbox.wire).toHaveLength(3)
  })
})

describe('429 with Retry-After', () => {
  it('is honoured', async () => {
    const harness = await openHarness({ settings: { readDeadlineMs: 5_000 }, tasks: false })
    harness.sandbox.fault({ row: 'getSubscriber', kind: 'rate_limit', retryAfter: 1 })
    expect((await harness.say('subscriber get ada@example.com')).kind).toBe('answer')
    const [first, second] = harness.sandbox.wire.filter(({ row }) => row === 'getSubscriber')
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990)
  })
  it('that asks for too long is told, with the time', async () => {
    const harness = await openHarness({ settings: quick, tasks: false })
    harness.sandbox.fault({ row: 'getSubscriber', kind: 'rate_limit', retryAfter: 30 })
    expect(refusalOf(await harness.say('subscriber get ada@example.com'))).toMatchObject({
      code: 'rate_limited',
      next: expect.stringMatching(/Try again in (29|30) seconds\./),
    })
  })
})

describe('garbage from a service (HTML, wrong shapes, huge bodies)', () => {
  it.each(['html', 'garbage', 'huge', 'wrong_shape'] as const)('%s is a clear sentence', async (kind) => {
    const written: string[] = []
    const log = createLog('debug', { write: (line) => void written.push(line) })
    const harness = await openHarness({ settings: quick, tasks: false, log })
    harness.sandbox.fault({ row: 'getSubscriber', kind, status: 200, times: 10 })
    const reply = await harness.say('subscriber get ada@example.com')
    expect(refusalOf(reply)).toMatchObject({
      code: 'malformed',
      message: 'The email service sent an answer that could not be read: it is not what its document shows.',
    })
    expect(written.join('')).toContain('malformed')
    expect(written.join('')).not.toMatch(/Bad gateway|unexpected|xxxx|succ/)
  })
})

eachEngine('the chat platform is down when a change ends', (engine) => {
  it('the outcome is stored, and told when it is back', async () => {
    let now = Date.now()
    const harness = await openHarness({ engine, tasks: false, now: () => now })
    const slack = createFakeMessenger('slack')
    harness.app.join(slack)
    const from = account('slack', 'U0SAM')
    const place = { channel: 'C1', handle: null, direct: false }
    const line = `refund ${harness.payment()} 60`
    const change = changeOf(await harness.handle({ from, place, intent: { kind: 'line', line } }))
    await harness.app.drain()
    expect(slack.shown('C1')).toEqual([expect.stringContaining('Needs 1 approval')])
    slack.fail({ call: 'edit', error: later(), times: 2 })
    slack.fail({ call: 'direct', error: later(), times: 2 })
    expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
    await harness.app.drain()
    expect(slack.shown('C1')).toEqual([expect.stringContaining('Needs 1 approval')])
    for (let minute = 0; minute < 5; minute++) {
      now += 60_000
      await harness.app.drain()
    }
    expect(slack.shown('C1')).toEqual([expect.stringContaining('Refunded')])
    expect(slack.shown('U0SAM')).toEqual([expect.stringContaining('Refunded')])
    expect(await harness.store.tasks.pending()).not.toHaveProperty('tell')
  })
})

describe('SIGTERM', () => {
  it('takes no more work', async () => {
    const harness = await openHarness()
    await harness.app.stop()
    expect(refusalOf(await harness.say('bellhop whoami')).code).toBe('stopping')
  })
  it('finishes what runs', async () => {
    const harness = await openHarness()
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    harness.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 300 })
    const pressed = harness.press('approve', buttonOf(change), 'fay')
    await expect.poll(() => harness.effects('refundPayment').length).toBe(1)
    await harness.app.stop()
    expect((await harness.stored(change)).state).toBe('applied')
    expect(textOf(await pressed)).toContain('Refunded')
    expect(await verify(harness.store)).toMatchObject({ ok: true })
  })
  it('parks what takes too long: it stays claimed, and the next process says that nobody knows', async () => {
    const harness = await openHarness({ settings: { writeDeadlineMs: 60_000 } })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    harness.sandbox.fault({ row: 'refundPayment', kind: 'hang_after' })
    const pressed = harness.press('approve', buttonOf(change), 'fay')
    await expect.poll(() => harness.effects('refundPayment').length).toBe(1)
    await harness.app.stop(200)
    expect((await harness.stored(change)).state).toBe('applying')
    await harness.sandbox.close()
    await pressed
    expect((await harness.stored(change)).state).toBe('unknown')
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })
})
