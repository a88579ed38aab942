import { beforeEach, describe, expect, it } from 'vitest'
import { cardOf } from '../../src/kernel/cards/card.ts'
import { serviceRefusal } from '../../src/kernel/context/error-refusals.ts'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import type { FaultRule } from '../../src/lib/sandbox/server/faults.ts'
import { ServiceError } from '../../src/lib/services/errors.ts'
import { textOf } from '../harness/app.ts'
import { buttonOf, changeOf, type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await openHarness({ settings: { writeDeadlineMs: 2_000, retries: 1 }, tasks: false })
})

const refundUnder = async (fault: Omit<FaultRule, 'row'>) => {
  const change = await harness.ask(`refund ${harness.payment()} 20`)
  harness.sandbox.fault({ row: 'refundPayment', ...fault })
  const reply = await harness.press('confirm', buttonOf(change))
  return { change: changeOf(reply), text: textOf(reply) }
}

describe('what becomes of a billing change', () => {
  it.each<[string, Omit<FaultRule, 'row'>, string]>([
    ['a refusal by the service', { kind: 'status', status: 400 }, 'failed'],
    ['a payment that is not there', { kind: 'status', status: 404 }, 'failed'],
    ['refused credentials', { kind: 'status', status: 401 }, 'failed'],
    ['a limit', { kind: 'rate_limit', retryAfter: 60 }, 'failed'],
    ['a server error', { kind: 'status', status: 500 }, 'unknown'],
    ['a bad gateway page', { kind: 'html', status: 502 }, 'unknown'],
    ['a connection that is cut before the answer', { kind: 'drop_before' }, 'unknown'],
    ['a connection that is cut after the deed', { kind: 'drop_after' }, 'unknown'],
    ['an answer that never comes', { kind: 'hang_after' }, 'unknown'],
    ['a page of markup with status 200', { kind: 'html', status: 200 }, 'unknown'],
    ['garbage with status 200', { kind: 'garbage' }, 'unknown'],
    ['an answer of a wrong shape', { kind: 'wrong_shape' }, 'unknown'],
  ])('%s', async (_, fault, state) => {
    const { change } = await refundUnder({ ...fault, times: 5 })
    expect(change.state).toBe(state)
    expect(harness.effects('refundPayment').length).toBeLessThanOrEqual(1)
  })

  it('a 2xx answer that cannot be read is unknown, and says so', async () => {
    const { change, text } = await refundUnder({ kind: 'html', status: 200 })
    expect(change.state).toBe('unknown')
    expect(text).toContain('an answer that could not be read')
  })

  it('an answer that breaks off is not called a trouble of its good status', () => {
    const broken = {
      kind: 'unavailable',
      outcome: 'unknown',
      service: 'billing',
      row: 'refundPayment',
    } as const
    expect(serviceRefusal(new ServiceError({ ...broken, status: 200 })).message).toBe(
      'The billing service did not complete its answer.',
    )
    expect(serviceRefusal(new ServiceError({ ...broken, status: 502 })).message).toContain('(status 502)')
    expect(serviceRefusal(new ServiceError(broken)).message).toContain('does not answer')
  })

  it('a service that nothing could reach leaves it failed', async () => {
    const change = await harness.ask('refund pay_unseen 60')
    await harness.sandbox.close()
    expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'failed' })
  })
})

describe('an unknown outcome', () => {
  it('is never tried again by the bot, and its card offers to look it up and to say what was found', async () => {
    const asked = await harness.ask('refund pay_1001 20 --customer cus_1001')
    harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const reply = await harness.press('confirm', buttonOf(asked))
    expect(textOf(reply)).toContain('Nobody knows whether this happened.')
    expect(textOf(reply)).toContain('transaction refunds cus_1001')
    await harness.app.drain()
    expect(harness.effects('refundPayment')).toHaveLength(1)
    const looked = await harness.press('look_up', buttonOf(changeOf(reply)), 'fay')
    expect(looked).toMatchObject({
      kind: 'change',
      change: { state: 'unknown', checked: { happened: true } },
    })
  })

  it('offers no look-up where nothing can tell', async () => {
    const asked = await harness.ask('refund pay_unseen 60')
    harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const change = await harness.click('approve', asked, 'fay')
    expect(change).toMatchObject({ state: 'unknown', lookUps: [] })
    expect(
      cardOf(change, Date.now())
        .view.actions?.filter(({ isMore }) => !isMore)
        .map(({ verb }) => verb),
    ).toEqual(['happened', 'did_not'])
  })

  it('is resolved by a person with a reason: it happened', async () => {
    const { change } = await refundUnder({ kind: 'drop_after' })
    expect(await harness.press('happened', buttonOf(change), 'fay')).toMatchObject({ kind: 'reason' })
    const resolved = await harness.click('happened', change, 'fay', 'it is in the dashboard.')
    expect(resolved).toMatchObject({ state: 'applied', ended: { by: { person: 'fay' } } })
    expect(textOf(await harness.say(`approval get ${change.id}`))).toContain(
      'Done, according to Fay Finance: “it is in the dashboard”.',
    )
    expect((await harness.refusedClick('did_not', change, 'finn', 'no')).code).toBe('not_pending')
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })

  it('is resolved by a person with a reason: it did not, and may then be asked for again', async () => {
    const { change } = await refundUnder({ kind: 'drop_before' })
    expect(await harness.click('did_not', change, 'fay', 'no refund there')).toMatchObject({
      state: 'not_applied',
    })
    expect(await harness.ask(change.line)).toMatchObject({ clauses: [{ kind: 'confirm' }] })
  })

  it('is not its requester’s to resolve, either way, and they are told who can', async () => {
    const { change } = await refundUnder({ kind: 'drop_before' })
    for (const verb of ['did_not', 'happened'] as const) {
      expect(await harness.refusedClick(verb, change, 'sam', 'I looked')).toMatchObject({
        code: 'own_request',
        next: 'Fay Finance, Finn Finance can.',
      })
    }
    expect(await harness.stored(change)).toMatchObject({ state: 'unknown' })
  })

  it('counts against budgets and as a repetition for as long as nobody has settled it', async () => {
    let now = Date.UTC(2026, 0, 5)
    harness = await openHarness({
      now: () => now,
      settings: { retries: 1 },
      tasks: false,
    })
    const { change } = await refundUnder({ kind: 'drop_before' })
    now += 40 * 24 * 3_600_000
    expect(await harness.ask(change.line)).toMatchObject({
      clauses: [{ kind: 'approvals', count: 1 }],
      warnings: [
        { words: { parts: expect.arrayContaining([expect.stringContaining('it has an unknown outcome')]) } },
      ],
    })
    expect(allWarnings(await harness.ask(`refund ${harness.payment()} 190`))).toEqual([
      'Refunds a day: 20 of 200 USD used in the last 24 h; this would make 210 USD.',
    ])
  })

  it('is not resolved by somebody who may not decide', async () => {
    const { change } = await refundUnder({ kind: 'drop_after' })
    expect((await harness.refusedClick('happened', change, 'kim', 'I feel so')).code).toBe('may_not_approve')
  })

  it('keeps an answer that comes after the change was given up, for whoever resolves it', async () => {
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    harness.sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 200 })
    const pressed = harness.press('confirm', buttonOf(change))
    await expect.poll(async () => (await harness.stored(change)).state).toBe('applying')
    const applying = await harness.stored(change)
    await harness.store.changes.swap({
      ...applying,
      state: 'unknown',
      claimedBy: null,
      version: applying.version + 1,
    })
    expect(changeOf(await pressed)).toMatchObject({
      state: 'unknown',
      outcome: { message: expect.stringContaining('Refunded 20') },
      late: { learned: 'applied', contradicts: null },
    })
    const [entry] = await harness.store.audit.find({ changeId: change.id, limit: 1 })
    expect(entry?.kind).toBe('late answer')
  })
})
