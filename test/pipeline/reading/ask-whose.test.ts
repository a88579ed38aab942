import { expect, test } from 'vitest'
import { seedBilling } from '../../../packs/billing/sandbox/seed.ts'
import { seedEmail } from '../../../packs/email/sandbox/seed.ts'
import type { Inbound, Reply } from '../../../src/messenger/inbound.ts'
import { fromOf, openTestApp, textOf } from '../../harness/app.ts'
import { demoPolicy } from '../../harness/demo-policy.ts'

const bot = await openTestApp({ tasks: false })
const strict = await openTestApp({
  tasks: false,
  policy: demoPolicy.replaceAll(/commands: \[refund\]\n(?! {4}per)/g, '$&    evidence: required\n'),
})
const both = await openTestApp({
  tasks: false,
  policy: `${demoPolicy.replaceAll(/commands: \[refund\]\n(?! {4}per)/g, '$&    evidence: required\n')}\nunseen: pass\n`,
})
const passing = await openTestApp({ tasks: false, policy: `${demoPolicy}\nunseen: pass\n` })

test('where no customer was ever seen there is nobody to choose from, and nobody is asked back', async () => {
  expect((await ask(bot, line('refund pay_1004 121'))).kind).toBe('change')
  const demanded = await ask(strict, line('refund pay_1004 121'))
  expect(labelsOf(demanded)).toEqual(['Say the customer'])
  expect('view' in demanded && demanded.view.menu).toBeUndefined()
  expect('view' in demanded && demanded.view.blocks.map(({ kind }) => kind)).toEqual(['text'])
  const theirs = seedBilling().transactions.find(({ customer_id: of }) => of === 'cus_1009')
  await bot.say(`refund ${theirs?.id} 1 --customer cus_1009`)
})

const ask = (app: typeof bot, intent: Inbound['intent'], canBeAsked = true): Promise<Reply> =>
  app.handle({ from: fromOf('p-support'), forms: true, canBeAsked, intent })
const line = (words: string): Inbound['intent'] => ({ kind: 'line', line: words })
const labelsOf = (reply: Reply) =>
  'view' in reply ? (reply.view.actions?.map(({ label }) => label) ?? []) : []
const press = (reply: Reply, label: string): Inbound['intent'] => {
  const action = 'view' in reply ? reply.view.actions?.find((one) => one.label === label) : undefined
  if (action === undefined) throw new Error(`no button ${label}`)
  return { kind: 'press', verb: action.verb, id: action.id }
}

test.each<[string, Inbound['intent']]>([
  ['a line', line('refund pay_1004 120')],
  ['a form', { kind: 'form', command: 'refund', values: { paymentId: 'pay_1004', amount: '120' } }],
  ['options', { kind: 'options', command: 'refund', values: { 'payment-id': 'pay_1004', amount: 120 } }],
])('%s that leaves out whose payment it is asks the requester, and nobody else', async (_, intent) => {
  const reply = await ask(bot, intent)
  expect(textOf(reply)).toContain('Whose payment is pay_1004?')
  expect(labelsOf(reply)).toEqual(['Say the customer', 'Ask without it'])
  expect(await bot.store.changes.list({ limit: 9 })).toHaveLength(2)
})

test('what was typed is kept, whichever way it goes on', async () => {
  const reply = await ask(bot, line('refund pay_1005 15 --reason "Too late"'))
  const form = await ask(bot, press(reply, 'Say the customer'))
  expect(form).toMatchObject({
    kind: 'form',
    form: { command: 'refund', values: { paymentId: 'pay_1005', description: 'Too late' } },
  })
  const card = await ask(bot, press(reply, 'Ask without it'))
  expect(card).toMatchObject({ kind: 'change', change: { plan: { paymentId: 'pay_1005', amount: 15 } } })
  expect(textOf(card)).toContain('Nobody has looked at this payment')
})

test('a customer who was looked up can be chosen, and then the payment is looked at', async () => {
  const reply = await ask(bot, line('refund pay_1007 30'))
  const menu = reply.kind === 'answer' ? reply.view.menu : undefined
  const item = menu?.items.find(({ thing }) => thing.id === 'cus_1009')
  const card = await ask(bot, { kind: 'press', verb: 'act', id: `${menu?.id}.${item?.at}.refund` })
  expect(card).toMatchObject({ kind: 'change', change: { input: { customer: 'cus_1009' } } })
})

test('a rule that demands evidence offers nothing without it', async () => {
  const reply = await ask(strict, line('refund pay_1004 120'))
  expect(textOf(reply)).toContain('Whose payment is pay_1004?')
  expect(labelsOf(reply)).toEqual(['Say the customer'])
  expect(textOf(await ask(both, line('refund pay_1004 120')))).toContain('Whose payment is pay_1004?')
})

test('where there are no forms, nothing is offered that opens one', async () => {
  const reply = await bot.handle({
    from: fromOf('p-support'),
    canBeAsked: true,
    intent: line('refund pay_1006 9'),
  })
  expect(textOf(reply)).toContain('Whose payment is pay_1006?')
  expect(labelsOf(reply)).toEqual(['Ask without it'])
})

test('nobody is asked back who cannot answer, or where bellhop.yml says so, or where it is known', async () => {
  expect((await ask(bot, line('refund pay_1008 5'), false)).kind).toBe('change')
  expect((await ask(passing, line('refund pay_1004 120'))).kind).toBe('change')
  expect((await ask(bot, line('refund pay_1003 21 --customer cus_1002'))).kind).toBe('change')
})

test('customers of the demo are its first subscribers', () => {
  const people = seedEmail().subscribers.filter(({ customFields }) => 'billing_id' in customFields)
  expect(
    people.map(({ email, firstName, customFields }) => [email, firstName, customFields.billing_id]),
  ).toEqual(seedBilling().customers.map(({ email_id, first_name, id }) => [email_id, first_name, id]))
})
