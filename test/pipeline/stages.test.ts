import { describe, expect, it } from 'vitest'
import { textOf } from '../harness/app.ts'
import { buttonOf, changeOf, openHarness } from './harness.ts'

const file = (require: string, more = '') => `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support], manager: mo }
  - { id: tim, name: Tim, slack: U0TIM, roles: [support] }
  - { id: lea, name: Lea, slack: U0LEA, roles: [lead] }
  - { id: lou, name: Lou, slack: U0LOU, roles: [lead, finance] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: mo, name: Mo, slack: U0MO }
roles:
  support: { run: [refund, "approval *", "policy explain"] }
  lead: { approve: ["*"] }
  finance: { run: ["*"], approve: ["*"], delegate: true }
policies:
  - { name: refunds, commands: [refund], require: ${require} }
${more}
`
const open = (require: string, more = '') => openHarness({ policy: file(require, more), tasks: false })
const inOrder = '{ stages: [{ approvals: 1, from: [lead] }, { approvals: 1, from: [finance] }] }'

describe('in stages', () => {
  it('the second is neither counted nor told before the first is complete, and the card shows where it stands', async () => {
    const harness = await open(inOrder)
    const asked = await harness.say(`refund ${harness.payment()} 60`)
    const change = changeOf(asked)
    expect(textOf(asked)).toContain('Stage 1: needs 1 approval from lead')
    expect(textOf(asked)).toContain('Stage 2: then needs 1 approval from finance')
    expect((await harness.refusedClick('approve', change, 'fay')).message).toBe(
      'Stage 1 comes first: it needs approval from lead.',
    )
    expect(textOf(await harness.say('approval list', 'fay'))).not.toContain('Waiting for you')
    const first = await harness.click('approve', change, 'lea')
    expect(first).toMatchObject({ state: 'pending', reminder: { n: 1, why: 'Stage 2' } })
    const last = await harness.press('approve', buttonOf(change), 'fay')
    expect(changeOf(last)).toMatchObject({ state: 'applied' })
  })

  it('takes different people, whatever roles one of them has', async () => {
    const harness = await open(inOrder)
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.click('approve', change, 'lou')
    expect(await harness.refusedClick('approve', change, 'lou')).toMatchObject({ code: 'already_voted' })
    expect((await harness.refusedClick('approve', change, 'lea')).message).toBe(
      'The stage that you are asked in is complete.',
    )
    expect(harness.effects()).toEqual([])
    expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
  })

  it('takes the vote of somebody without a right of their own for one who is away, by the right of that one', async () => {
    const harness = await open(inOrder, '  - { name: away, commands: ["away *"], require: none }')
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.click('approve', change, 'lea')
    expect(await harness.refusedClick('approve', change, 'tim')).toMatchObject({ code: 'may_not_approve' })
    await harness.say('away set --until "in 9h" --to tim', 'fay')
    const { state, votes } = await harness.click('approve', change, 'tim')
    expect(state).toBe('applied')
    expect(votes[1]).toMatchObject({ by: { person: 'tim' }, for: { person: 'fay' } })
    expect(votes[1]).not.toHaveProperty('granted')
  })

  it('a vote for what a budget asks beside them counts in no later stage', async () => {
    const harness = await open(
      inOrder,
      'budgets:\n  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 50, then: { approvals: 2 } }',
    )
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    // Fay is asked in stage 2, and waits for it.
    expect(await harness.refusedClick('approve', change, 'fay')).toMatchObject({ code: 'not_your_turn' })
    await harness.click('approve', change, 'lou')
    expect(await harness.click('approve', change, 'lea')).toMatchObject({ state: 'pending' })
    expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
  })

  it('anybody who is asked may say no at any time', async () => {
    const harness = await open(inOrder)
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    expect(await harness.click('reject', change, 'fay', 'no')).toMatchObject({ state: 'rejected' })
  })
})

describe('a manager', () => {
  it('may approve what they are asked for, without any role, and nothing else', async () => {
    const harness = await open('{ approvals: 1, from: [manager] }')
    const asked = await harness.say(`refund ${harness.payment()} 60`)
    expect(textOf(asked)).toContain('Needs 1 approval from Mo as manager')
    const change = changeOf(asked)
    expect(await harness.refusedClick('approve', change, 'fay')).toMatchObject({ code: 'may_not_approve' })
    expect(await harness.click('approve', change, 'mo')).toMatchObject({ state: 'applied' })
  })

  it('counts for the clause that names them alone', async () => {
    const harness = await open('[{ approvals: 1, from: [manager] }, { approvals: 1 }]')
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    expect(await harness.click('approve', change, 'mo')).toMatchObject({ state: 'pending' })
    expect(await harness.click('approve', change, 'fay')).toMatchObject({ state: 'applied' })
    // Nor does it look approved while it would be held.
    const held = await open('[{ approvals: 1, from: [manager] }, { approvals: 1 }], hold: 1h')
    const waiting = await held.ask(`refund ${held.payment()} 60`)
    expect(await held.click('approve', waiting, 'mo')).toMatchObject({ state: 'pending' })
    expect(await held.click('approve', waiting, 'fay')).toMatchObject({ state: 'approved' })
  })

  it('who has none asks nobody', async () => {
    const harness = await open('{ approvals: 1, from: [manager] }')
    const reply = await harness.say(`refund ${harness.payment()} 60`, 'tim')
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'no_manager' } })
    expect(await harness.store.changes.list({ limit: 5 })).toEqual([])
    const other = await open('{ approvals: 1, from: [manager, finance] }')
    expect(await other.ask(`refund ${other.payment()} 60`, 'tim')).toMatchObject({ state: 'pending' })
  })

  it('is known to explain', async () => {
    const harness = await open(
      '{ stages: [{ approvals: 1, from: [manager] }, { approvals: 1, from: [finance] }] }',
    )
    const said = textOf(await harness.say('policy explain "refund pay_1 60"'))
    expect(said).toContain('1 approval from Mo as manager in stage 1')
    expect(said).toContain('today: Mo.')
    expect(textOf(await harness.say('policy explain "refund pay_1 60"', 'tim'))).toContain('names none')
  })
})
