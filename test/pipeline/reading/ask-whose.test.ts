import { expect, test } from 'vitest'
import { seedBilling } from '../../../packs/billing/sandbox/seed.ts'
import { seedEmail } from '../../../packs/email/sandbox/seed.ts'
import type { Inbound, Reply } from '../../../src/kernel/messenger/inbound.ts'
import { choiceOptions } from '../../../src/lib/view/menu-options.ts'
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
  expect(await bot.store.changes.list({ limit: 9 })).toHaveLength(0)
})

test('what was typed is kept, whichever way it goes on', async () => {
  const reply = await ask(bot, line('refund pay_1005 15 --reason "Too late"'))
  const form = await ask(bot, press(reply, 'Say the customer'))
  expect(form).toMatchObject({
    kind: 'form',
    form: { command: 'refund', values: { paymentId: 'pay_1005', description: 'Too late' } },
  })
  if (form.kind !== 'form') throw new Error(form.kind)
  expect(form.form).toMatchObject({ title: 'Whose payment is it?', summary: 'Whose payment is pay_1005?' })
  expect(form.form.fields[0]).toMatchObject({
    name: 'customer',
    required: true,
    hint: 'Name, address, number or id',
  })
  const card = await ask(bot, press(reply, 'Ask without it'))
  expect(card).toMatchObject({ kind: 'change', change: { plan: { paymentId: 'pay_1005', amount: 15 } } })
  expect(textOf(card)).toContain('Nobody has looked at this payment')
})

/** What a select offers for what somebody typed into it, and a press of that. */
const search = async (app: typeof bot, reply: Reply, typed: string) => {
  const id = 'view' in reply ? (reply.view.menu?.id ?? '') : ''
  const menu = await app.app.bot.menuOf(fromOf('p-support'), id, typed)
  return (menu === undefined ? [] : (choiceOptions(menu) ?? [])).map(({ label, value }) => ({
    label,
    press: { kind: 'press', verb: 'act', id: value } as const,
  }))
}

test('where nobody was ever looked at, the customer is found by a name, an address, a number and an id', async () => {
  const app = await openTestApp({ tasks: false })
  const reply = await ask(app, line('refund pay_1001 20'))
  expect('view' in reply && reply.view.menu).toMatchObject({
    asks: 'Choose the customer',
    isOpen: true,
    items: [],
  })
  for (const typed of [
    'ada',
    'Ada Lindqvist',
    'lindqv',
    'ada@example.com',
    '15550110000',
    '+1 555 011 0000',
  ]) {
    const [first] = await search(app, reply, typed)
    expect([typed, first?.label]).toEqual([typed, 'Ada Lindqvist (cus_1001)'])
  }
  const [first] = await search(app, reply, 'ada')
  const card = await ask(app, first?.press as Inbound['intent'])
  expect(textOf(card)).toContain('Refund 20 USD to Ada Lindqvist')
  const again = await ask(app, line('refund pay_1003 20'))
  const [asTyped] = (await search(app, again, 'cus_1002')).filter(({ press: { id } }) =>
    id.endsWith('cus_1002'),
  )
  expect(textOf(await ask(app, asTyped?.press as Inbound['intent']))).toContain('Refund 20 USD')
})

test('somebody whom no link leads on from is found, and what is missing is said', async () => {
  const app = await openTestApp({ tasks: false, policy: demoPolicy.replace(/^links: .*$/m, '') })
  const reply = await ask(app, line('refund pay_1001 20'))
  const [first] = await search(app, reply, 'ada lind')
  expect(first?.label).toBe('Ada Lindqvist (ada@example.com)')
  expect(await ask(app, first?.press as Inbound['intent'])).toMatchObject({
    kind: 'refused',
    refusal: { message: 'No customer is linked to ada@example.com.' },
  })
})

test('a customer who was looked up can be chosen, and then the payment is looked at', async () => {
  const theirs = seedBilling().transactions.find(({ customer_id: of }) => of === 'cus_1009')
  await bot.say(`refund ${theirs?.id} 1 --customer cus_1009`)
  const choose = (reply: Reply, id: string) => {
    const menu = reply.kind === 'answer' ? reply.view.menu : undefined
    const item = menu?.items.find(({ thing }) => thing.id === id)
    return ask(bot, { kind: 'press', verb: 'act', id: `${menu?.id}.${item?.at}.refund` })
  }
  const wrong = await choose(await ask(bot, line('refund pay_1007 30')), 'cus_1009')
  expect(textOf(wrong)).toContain('Whose payment is pay_1007, if not that of customer cus_1009?')
  const card = await ask(bot, press(wrong, 'Ask without it'))
  expect(card).toMatchObject({ kind: 'change', change: { input: { customer: 'cus_1009' } } })
})

test('a rule that demands evidence offers nothing without it', async () => {
  const reply = await ask(strict, line('refund pay_1004 120'))
  expect(textOf(reply)).toContain('Whose payment is pay_1004?')
  expect(labelsOf(reply)).toEqual(['Say the customer'])
  expect(textOf(await ask(both, line('refund pay_1004 120')))).toContain('Whose payment is pay_1004?')
})

test('a line in a message, where no form can be opened yet, has the button that opens one', async () => {
  const reply = await bot.handle({
    from: fromOf('p-support'),
    canBeAsked: true,
    intent: line('refund pay_1006 9'),
  })
  expect(textOf(reply)).toContain('Whose payment is pay_1006?')
  expect(labelsOf(reply)).toEqual(['Say the customer', 'Ask without it'])
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
