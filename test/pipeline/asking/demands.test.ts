import { expect, test } from 'vitest'
import { openTestApp } from '../../harness/app.ts'

const policy = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }, { id: bob, name: Bob, roles: [all] }]
roles: { all: { run: ["*"], approve: ["*"] } }
policies:
  - { name: seen, commands: [refund], require: { approvals: 1 }, evidence: required, reason: required }
  - { name: plans, commands: [upgrade], require: { approvals: 1 }, evidence: required, reason: required }
  - { name: looked, commands: ["list create"], require: { approvals: 1 }, evidence: required }
  - { name: why, commands: ["transaction delete"], require: { approvals: 1 }, reason: required }
`
const bot = await openTestApp({ policy, tasks: false })
const refused = async (line: string) => {
  const reply = await bot.say(line, 'ann')
  return reply.kind === 'refused' ? reply.refusal : reply.kind
}

test('a rule that demands evidence refuses what cannot be looked up', async () => {
  expect(await refused('refund pay_1001 20 --reason x')).toMatchObject({
    code: 'needs_evidence',
    message: expect.stringMatching(/Nobody has looked at this payment(?!.*Say whose)/),
    next: 'Say whose payment it is, so that it can be looked up.',
  })
  expect(await refused('refund pay_1003 20 --reason x --customer cus_1001')).toMatchObject({
    code: 'needs_evidence',
  })
  expect(
    await refused(
      `api call billing POST /transaction/refund/pay_1001 --body '{"amount":20,"description":"x"}'`,
    ),
  ).toMatchObject({ code: 'needs_evidence' })
})

test('a rule that demands evidence takes a plan that a checkout page has, and no other', async () => {
  const line = (plan: string) => `upgrade sub_1001 ${plan} --payment-mode offline`
  expect(await refused(`${line('plan_9_x')} --reason x`)).toMatchObject({
    code: 'needs_evidence',
    message: expect.stringContaining('Nobody has seen the plan plan_9_x: no checkout page has it.'),
  })
  expect(await refused(line('plan_desk_business_m'))).toMatchObject({ code: 'needs_reason' })
  expect(await refused(`${line('plan_desk_business_m')} --reason x`)).toBe('change')
})

test('a rule that demands evidence of what looks nothing up says so', async () => {
  expect(await refused('list create Winter')).toMatchObject({
    code: 'needs_evidence',
    message: 'The rule "looked" asks for evidence. list create looks nothing up.',
  })
})

test('a rule that demands a reason refuses what comes without one, by either flag', async () => {
  expect(await refused('refund pay_1001 20 --customer cus_1001')).toMatchObject({ code: 'needs_reason' })
  expect(await refused('refund pay_1001 20 --customer cus_1001 --reason "Twice"')).toBe('change')
  expect(await refused('refund pay_1001 21 --customer cus_1001 --description "Twice"')).toBe('change')
  expect(await refused('transaction delete pay_1001')).toMatchObject({
    code: 'needs_reason',
    next: expect.stringContaining('takes none'),
  })
})

test('what was asked for is not sent when the evidence is gone at the claim', async () => {
  const reply = await bot.say('refund pay_1001 30 --customer cus_1001 --reason "Twice"', 'ann')
  if (reply.kind !== 'change') throw new Error(reply.kind)
  bot.sandbox.fault({ service: 'billing', row: 'findTransactions', kind: 'status', status: 404, times: 9 })
  const after = await bot.press('approve', reply.change.id, 'bob')
  expect(after).toMatchObject({ change: { state: 'failed' } })
  expect(bot.sandbox.wire.filter(({ row }) => row === 'refundPayment')).toEqual([])
})
