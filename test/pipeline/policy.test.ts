import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { intentOf } from '../../src/kernel/change/asking/prepare.ts'
import type { ChangeCommand } from '../../src/kernel/command/define.ts'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { account, buttonOf, changeOf, type Harness, joinGroups, openHarness, refusalOf } from './harness.ts'

let harness: Harness
let now = Date.UTC(2026, 0, 5)
/** A refund that nobody has asked for before. */
const refund = (amount?: number) => `refund ${harness.payment()}${amount === undefined ? '' : ` ${amount}`}`

beforeAll(async () => {
  harness = await openHarness({ now: () => now, tasks: false })
})
beforeEach(() => {
  // Each test starts with an empty budget.
  now += 25 * 3_600_000
  harness.sandbox.wire.length = 0
})

describe('the first policy that matches decides', () => {
  it.each([
    [50, 'small refund', [{ kind: 'confirm' }]],
    [51, 'refund', [{ kind: 'approvals', count: 1, from: ['finance'] }]],
    [150, 'refund', [{ kind: 'approvals', count: 1, from: ['finance'] }]],
  ])('a refund of %d is a %s', async (amount, rule, clauses) => {
    expect(await harness.ask(refund(amount))).toMatchObject({ state: 'pending', rule, clauses })
  })
  it('a refund over 500, or of an amount that nobody knows, needs two approvals', async () => {
    for (const line of [refund(501), refund()]) {
      const change = await harness.ask(line)
      expect(change).toMatchObject({ rule: 'large refund', clauses: [{ count: 2, from: ['finance'] }] })
    }
  })
  it('without one, a change asks its requester and a billing change somebody else', async () => {
    expect(await harness.ask('subscriber update ada@example.com --company "Acme"')).toMatchObject({
      rule: 'default for changes',
      clauses: [{ kind: 'confirm' }],
    })
    expect(await harness.ask('transaction delete pay_1001', 'fay')).toMatchObject({
      rule: 'default for billing changes',
      clauses: [{ kind: 'approvals', count: 1, from: [] }],
    })
  })
  it('a change that needs nothing is done at once', async () => {
    expect(await harness.ask('list create "Night owls"')).toMatchObject({ state: 'applied' })
    expect(harness.effects('createList')).toHaveLength(1)
  })
})

describe('who may do what', () => {
  it('a stranger is told that nobody knows them, and may ask for help', async () => {
    const stranger = account('slack', 'U0NOBODY')
    const asked = await harness.handle({ from: stranger, intent: { kind: 'line', line: refund(5) } })
    expect(refusalOf(asked)).toMatchObject({ code: 'stranger', message: expect.stringContaining('U0NOBODY') })
    const help = await harness.handle({ from: stranger, intent: { kind: 'line', line: 'bellhop help' } })
    expect(help.kind).toBe('answer')
  })
  it('somebody without the role is refused before anything is looked up, and it is recorded', async () => {
    const refused = refusalOf(await harness.say('subscriber update ada@example.com --company X', 'kim'))
    expect(refused.code).toBe('may_not_run')
    expect(harness.sandbox.wire).toEqual([])
    const [entry] = await harness.store.audit.find({ who: 'kim', limit: 1 })
    expect(entry).toMatchObject({
      kind: 'refused',
      command: 'subscriber update',
      doc: { code: 'may_not_run' },
    })
  })
  it('a role by group counts on its own platform only', async () => {
    const change = await harness.ask(refund(60))
    const press = { kind: 'press', verb: 'approve', id: buttonOf(change) } as const
    const elsewhere = account('discord', '900', ['S0FIN'])
    expect(refusalOf(await harness.handle({ from: elsewhere, intent: press })).code).toBe('may_not_approve')
    const gus = account('slack', 'U0GUS', ['S0FIN'])
    joinGroups(harness.app, 'slack', () => ['S0FIN'])
    expect(changeOf(await harness.handle({ from: gus, intent: press })).state).toBe('applied')
  })
  it('a stranger’s click decides nothing, asks no reason, and is recorded', async () => {
    const change = await harness.ask(refund(60))
    const stranger = account('slack', 'U0NOBODY')
    for (const verb of ['approve', 'reject', 'cancel'] as const) {
      const reply = await harness.handle({
        from: stranger,
        intent: { kind: 'press', verb, id: buttonOf(change) },
      })
      expect(refusalOf(reply).code).toBe(verb === 'cancel' ? 'not_requester' : 'may_not_approve')
    }
    const entries = await harness.store.audit.find({ changeId: change.id, limit: 10 })
    expect(entries.filter(({ kind }) => kind === 'refused').map(({ who }) => who)).toEqual(
      Array(3).fill('slack:U0NOBODY'),
    )
    expect((await harness.stored(change)).votes).toEqual([])
  })
})

describe('four eyes', () => {
  it('nobody approves their own request', async () => {
    const change = await harness.ask(refund(60), 'fay')
    expect((await harness.refusedClick('approve', change, 'fay')).code).toBe('own_request')
    expect((await harness.refusedClick('reject', change, 'fay', 'x')).code).toBe('own_request')
  })
  it('nobody approves their own request from the other messenger', async () => {
    const asked = await harness.handle({
      from: account('slack', 'U0FAY'),
      intent: { kind: 'line', line: refund(60) },
    })
    const change = changeOf(asked)
    const press = { kind: 'press', verb: 'approve', id: buttonOf(change) } as const
    const reply = await harness.handle({ from: account('discord', '400000000000000002'), intent: press })
    expect(refusalOf(reply).code).toBe('own_request')
    expect(harness.effects()).toEqual([])
  })
  it('one person with two accounts counts once', async () => {
    const change = await harness.ask(refund(501))
    const press = { kind: 'press', verb: 'approve', id: buttonOf(change) } as const
    const first = await harness.handle({ from: account('slack', 'U0FAY'), intent: press })
    expect(changeOf(first)).toMatchObject({ state: 'pending', votes: [{ by: { person: 'fay' } }] })
    const again = await harness.handle({ from: account('discord', '400000000000000002'), intent: press })
    expect(refusalOf(again).code).toBe('already_voted')
    expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'applied' })
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })
  it('a confirmation is the requester’s alone', async () => {
    const change = await harness.ask(refund(5))
    expect((await harness.refusedClick('confirm', change, 'fay')).code).toBe('not_requester')
    expect(await harness.click('confirm', change)).toMatchObject({ state: 'applied' })
  })
})

describe('decisions', () => {
  it('one rejection by somebody who may approve ends it, for good', async () => {
    const change = await harness.ask(refund(501))
    await harness.click('approve', change, 'fay')
    expect(await harness.click('reject', change, 'finn', 'not ours')).toMatchObject({
      state: 'rejected',
      ended: { reason: 'not ours' },
    })
    expect((await harness.refusedClick('approve', change, 'finn')).code).toBe('not_pending')
    expect(harness.effects()).toEqual([])
  })
  it('a rejection asks for its reason first', async () => {
    const change = await harness.ask(refund(60))
    const reply = await harness.press('reject', buttonOf(change), 'fay')
    expect(reply).toMatchObject({ kind: 'reason', verb: 'reject', id: buttonOf(change) })
    expect((await harness.stored(change)).state).toBe('pending')
  })
  it('the requester takes it back, and nobody else does', async () => {
    const change = await harness.ask(refund(60))
    expect((await harness.refusedClick('cancel', change, 'fay')).code).toBe('not_requester')
    expect(await harness.click('cancel', change)).toMatchObject({ state: 'cancelled' })
    expect((await harness.refusedClick('approve', change, 'fay')).code).toBe('not_pending')
  })
  it('a request expires when its time is over, and late votes count for nothing', async () => {
    const change = await harness.ask(refund(60))
    expect(change.expiresAt).toBe(now + 30 * 60_000)
    now += 30 * 60_000
    expect((await harness.refusedClick('approve', change, 'fay')).code).toBe('not_pending')
    await harness.app.drain()
    expect(await harness.stored(change)).toMatchObject({ state: 'expired' })
    expect(harness.effects()).toEqual([])
  })
  it('a line does what a button does', async () => {
    const change = await harness.ask(refund(60))
    await harness.say(`approval get ${change.id}`, 'fay')
    const reply = await harness.say(`approval approve ${change.id}`, 'fay')
    expect(changeOf(reply)).toMatchObject({ state: 'applied' })
  })
  it('a change that is not there is said to be not there', async () => {
    expect(refusalOf(await harness.press('approve', 'nothing.0123456789', 'fay')).code).toBe('no_such_change')
  })
})

describe('the same intent again', () => {
  it('says who did it and when, and a confirmation becomes an approval', async () => {
    const line = refund(20)
    const first = await harness.ask(line)
    await harness.click('confirm', first)
    now += 60_000
    const second = await harness.ask(line)
    expect(second.clauses).toMatchObject([{ kind: 'approvals', count: 1, from: [] }])
    expect(allWarnings(second).map((one) => plainWords(one))).toEqual([
      expect.stringMatching(`^Sam Support asked for the same at [\\w ,:]+ UTC \\(${first.id}\\)`),
    ])
    expect(await harness.click('approve', second, 'fay')).toMatchObject({ state: 'applied' })
  })
  it('is no repetition after the window, or when the first was cancelled', async () => {
    const line = refund(20)
    await harness.click('cancel', await harness.ask(line))
    expect((await harness.ask(line)).clauses).toEqual([{ kind: 'confirm' }])
    now += 31 * 60_000
    expect((await harness.ask(line)).clauses).toEqual([{ kind: 'confirm' }])
  })
  it('an approval that was given stays enough when the first is taken back', async () => {
    const line = refund(20)
    const first = await harness.ask(line)
    const second = await harness.ask(line)
    await harness.click('cancel', first)
    expect(await harness.click('approve', second, 'fay')).toMatchObject({ state: 'applied' })
  })
  it('upgrade and downgrade are one command, to policies and to duplicates', async () => {
    await harness.ask('upgrade sub_301 plan_team --payment-mode offline')
    const other = await harness.ask('downgrade sub_301 plan_team --payment-mode offline')
    expect(other).toMatchObject({
      rule: 'plan change',
      warnings: [
        { words: { parts: expect.arrayContaining([expect.stringContaining('asked for the same')]) } },
      ],
    })
  })
  it.each([
    ['upgrade', 'downgrade'],
    ['downgrade', 'upgrade'],
  ])('the right to %s is the right to %s', async (given, asked) => {
    const { ask } = await openHarness({
      policy: `version: 1\npeople: [{ id: sam, name: Sam, roles: [one] }]\nroles: { one: { run: [${given}] } }\n`,
    })
    expect((await ask(`${asked} sub_301 plan_team --payment-mode offline`)).names).toContain(asked)
  })
  it('two commands that mean the same are one wish, whichever was asked for, though neither says what its intent is', () => {
    const intents = ['upgrade', 'downgrade', 'refund'].map((name) => {
      const { intent: _, ...plain } = harness.registry.get(name) as ChangeCommand
      return intentOf(plain, { id: 'sub_301' })
    })
    expect(intents[0]).toBe(intents[1])
    expect(intents[0]).not.toBe(intents[2])
  })
  it('an api call for the same endpoint is the same wish under the same policy', async () => {
    const id = harness.payment()
    await harness.ask(`refund ${id} 60`)
    const call = await harness.ask(
      `api call billing POST /transaction/refund/${id} --body '{"amount": 60}'`,
      'fay',
    )
    expect(call).toMatchObject({
      rule: 'refund',
      amount: 60,
      warnings: [{ words: { parts: expect.arrayContaining([expect.stringContaining('Sam Support')]) } }],
    })
  })
  it('two at the same moment do not both pass as the first', async () => {
    const line = refund(20)
    const [one, other] = await Promise.all([harness.ask(line), harness.ask(line)])
    const ends = await Promise.all([harness.click('confirm', one), harness.press('confirm', buttonOf(other))])
    expect(ends.length).toBe(2)
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })
})
