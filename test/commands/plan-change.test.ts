import { describe, expect, test } from 'vitest'
import { addonsSent } from '../../commands/upgrade/addons.ts'
import type { LinkEnd } from '../../src/lib/things/link.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { fromOf } from '../harness/app.ts'
import { factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const subscription = (id: string) => bot.sandbox.state.billing.subscriptions.find((one) => one.id === id)
const learn = (id: string, end: LinkEnd) =>
  bot.store.links.learn([{ pair: [{ kind: 'subscription', id }, end], source: 'billing.changePlan' }])

describe('upgrade and downgrade', () => {
  test('show subscription, new plan, when, and how it is charged, and what the plan is', async () => {
    const change = await bot.ask(
      'upgrade sub_1001 plan_desk_business_m --payment-mode credit_card --card-id card_9 --activate now --coupon-code SPRING20 --reason "Grew"',
    )
    expect(factsIn(change.preview)).toEqual({
      Subscription: 'sub_1001',
      To: 'Desk Business: 120 USD each month, no trial (plan_desk_business_m)',
      'What it will cost': 'known when it is done',
      When: 'now',
      Paid: 'by credit card, card card_9',
      Coupon: 'SPRING20',
      Reason: 'Grew',
    })
    expect(notesIn(change.preview)).not.toContain('Nobody has')
    expect(change.lookUps).toEqual([])
    expect(change.preview.title).toBe('Move sub_1001 to Desk Business')
    expect(bot.asked()).toEqual(['GET /billing/api/v1/multiplans'])
  })

  test('find a plan by its name, also for somebody who may not look at checkout pages', async () => {
    const reply = await bot.say('downgrade sub_1001 "Mail Pro" --payment-mode offline', 'sam')
    if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
    expect(reply.change.preview.title).toBe('Move sub_1001 to Mail Pro')
    expect(factsIn(reply.change.preview)).toMatchObject({
      To: 'Mail Pro: 45 EUR each month, no trial (plan_mail_pro_m)',
    })
  })

  test('warn of a plan that nobody has seen, and say when nobody could look', async () => {
    const odd = await bot.ask('upgrade sub_1001 plan_9_x --payment-mode offline')
    expect(odd.preview.title).toBe('Move sub_1001 to plan_9_x')
    expect(notesIn(odd.preview)).toContain('Nobody has seen the plan plan_9_x: no checkout page has it')
    bot.sandbox.fault({ service: 'billing', row: 'findMultiplans', kind: 'status', status: 405, times: 9 })
    const unread = await bot.ask('upgrade sub_1002 plan_desk_team_m --payment-mode offline')
    expect(notesIn(unread.preview)).toContain('the checkout pages could not be read')
  })

  test('say what was charged, credited and comes next', async () => {
    const change = await bot.run(
      'upgrade sub_1001 plan_desk_business_m --payment-mode credit_card --activate immediately',
    )
    expect(change.outcome?.message).toMatch(
      /^Charged subscription sub_1001 [\d.]+ USD: 120 USD for Desk Business, less [\d.]+ USD for \d+ unused days? of Desk Team\.$/,
    )
    const shown = factsIn(change.outcome?.view)
    expect(shown).toMatchObject({
      Plan: 'Desk Team → Desk Business',
      Charged: expect.stringMatching(/^\d+(\.\d\d)? USD$/),
      Invoice: expect.stringMatching(/^INV-\d+, paid$/),
      'New plan costs': '120 USD',
      'Credit for the old plan': expect.stringMatching(/^\d.* USD$/),
      Status: 'live',
      'Next billing': expect.stringMatching(/^\d+ \w+ \d{4}, [\d:]+ UTC$/),
    })
    expect(shown.Customer).toContain('ada@example.com')
    expect(subscription('sub_1001')?.plan_id).toBe('plan_desk_business_m')
  })

  test('send figures and add-ons as the text that the service declares', async () => {
    await bot.run(
      'upgrade sub_1009 plan_desk_business_m --payment-mode offline --payment-term net30 --customer-id cus_1009 --price 99.50 --quantity 5 --setup-fee 10 --addons "addon_seats:2, addon_priority" --activate eot --reason "By phone"',
    )
    expect(bot.sent('changePlan')).toEqual([
      {
        plan_id: 'plan_desk_business_m',
        payment_mode: 'offline',
        customer_id: 'cus_1009',
        payment_term: 'net30',
        activated_at_val: 'eot',
        price: '99.5',
        quantity: '5',
        setup_fee: '10',
        addons: '[{"id":"addon_seats","quantity":2},{"id":"addon_priority","quantity":1}]',
        update_reason: 'By phone',
      },
    ])
  })

  test('at the end of the term is said as something to come', async () => {
    const change = await bot.run(
      'downgrade sub_1002 plan_desk_team_m --payment-mode offline --activate "end of term"',
    )
    expect(change.outcome?.message).toBe(
      'Will move subscription sub_1002 to Desk Team at the end of its term.',
    )
    expect(subscription('sub_1002')?.plan_id).toBe('plan_desk_business_m')
    expect(factsIn(change.outcome?.view)).toMatchObject({ 'New plan': 'Desk Team', Status: 'live' })
  })

  test('without a time leave it to the service and say nothing of it', async () => {
    const change = await bot.ask('upgrade sub_1003 plan_desk_team_m --payment-mode offline')
    expect(factsIn(change.preview)).toMatchObject({ Paid: 'offline' })
    expect(factsIn(change.preview)).not.toHaveProperty('When')
    await bot.settle(change)
    const next = await bot.ask('downgrade sub_1003 plan_desk_starter_m --payment-mode offline')
    expect(next.preview.title).toMatch(/^Move .+ from Desk Team to Desk Starter$/)
    expect(factsIn(next.preview).From).toMatch(/^Desk Team, since /)
    expect(bot.sent('changePlan')).toEqual([{ plan_id: 'plan_desk_team_m', payment_mode: 'offline' }])
  })

  test('are one command to the policy', async () => {
    const change = await bot.ask('downgrade sub_1005 plan_desk_team_y --payment-mode offline')
    expect(change).toMatchObject({ names: ['downgrade', 'upgrade'], rule: 'plan change' })
    const same = await bot.ask('upgrade sub_1005 plan_desk_team_y --payment-mode credit_card')
    expect(same).toMatchObject({ names: ['upgrade', 'downgrade'], intent: change.intent })
  })

  test.each([
    '',
    '--price 20',
    '--price 0 --setup-fee 0.0001',
    '--price 1000000000',
    '--quantity 2',
    '--price 0.01 --quantity 1000',
    '--price 20 --quantity 2 --setup-fee 5.5',
    '--price 500 --quantity 1 --coupon-code FREE',
    '--price 20 --quantity 2 --addons addon_seats',
  ])('with %j are of an amount that nobody knows: all of it is under the actor’s hand', async (flags) => {
    const line = `sub_1001 plan_desk_business_m --payment-mode offline ${flags}`
    for (const name of ['upgrade', 'downgrade']) {
      expect(await bot.ask(`${name} ${line}`)).toMatchObject({ amount: null, rule: 'plan change' })
    }
  })

  test.each([
    ['--price 0.01 --quantity 1000', 'The price asked for, 0.01 USD, is below the plan’s own, 120 USD.'],
    ['--coupon-code FREE', 'A coupon lowers what is charged'],
  ])('with %s say that less is asked for than the service shows', async (flags, words) => {
    const change = await bot.ask(`upgrade sub_1001 plan_desk_business_m --payment-mode offline ${flags}`)
    expect(textOfView(change.preview)).toContain(words)
  })
  test('at the plan’s own price say nothing of it', async () => {
    const change = await bot.ask('upgrade sub_1001 plan_desk_business_m --payment-mode offline --price 120')
    expect(textOfView(change.preview)).not.toContain('below the plan')
  })

  test('ask for the payment mode, which the service requires', async () => {
    expect(await bot.refused('upgrade sub_1001 plan_desk_team_m')).toMatchObject({
      code: 'missing_arguments',
      field: 'paymentMode',
    })
  })

  test.each([
    ['--quantity 0', 'quantity'],
    ['--price -1', 'price'],
    ['--price 1000000001', 'price'],
    ['--setup-fee 0.00001', 'setupFee'],
    ['--activate tomorrow', 'activate'],
    ['--payment-term net90', 'paymentTerm'],
    ['--addons "two seats"', 'addons'],
    ['--addons addon_seats:0', 'addons'],
  ])('refuse %s by name', async (flag, field) => {
    const line = `upgrade sub_1001 plan_desk_team_m --payment-mode offline ${flag}`
    expect(await bot.refused(line)).toMatchObject({ code: 'bad_value', field })
  })

  test('that end unknown offer the customer’s payments, if the line named the customer', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'changePlan', kind: 'drop_after' })
    const change = await bot.run(
      'upgrade sub_1001 plan_desk_business_m --payment-mode offline --customer-id cus_1001',
    )
    expect(change.state).toBe('unknown')
    expect(change.lookUps).toEqual(['transaction find cus_1001'])
    expect(bot.sent('changePlan')).toHaveLength(1)
  })

  test('may not name another customer than the one that the subscription is known to be of', async () => {
    await learn('sub_own', { kind: 'customer', id: 'cus_1001' })
    expect(
      await bot.refused('upgrade sub_own plan_desk_team_m --payment-mode offline --customer-id cus_1002'),
    ).toMatchObject({
      field: 'customerId',
      message:
        'Subscription sub_own is of customer cus_1001 (learned from the billing service), not of customer cus_1002.',
    })
  })

  test('may name any of the customers that the subscription is known to be of, and no other', async () => {
    for (const id of ['cus_1001', 'cus_1002']) await learn('sub_shared', { kind: 'customer', id })
    const line = (customer: string) =>
      `upgrade sub_shared plan_desk_team_m --payment-mode offline --customer-id ${customer}`
    for (const id of ['cus_1001', 'cus_1002'])
      expect(factsIn((await bot.ask(line(id))).preview).Customer).toContain(id)
    expect(await bot.refused(line('cus_1003'))).toMatchObject({
      field: 'customerId',
      message: expect.stringMatching(/cus_1001 \(.*\) or cus_1002 \(.*\), not of customer cus_1003\.$/),
    })
  })

  test.each([
    ['with its name', 'immediately', 'Your subscription has moved to Desk Business.'],
    ['with its name', 'eot', 'Your subscription moves to Desk Business at the end of its term.'],
    ['that could not be read', 'immediately', 'Your subscription has moved to plan_desk_business_m.'],
  ])('to a plan %s, %s, are told to whom it is for as done or to come', async (plan, activate, words) => {
    if (plan !== 'with its name')
      bot.sandbox.fault({ service: 'billing', row: 'findMultiplans', kind: 'status', status: 405, times: 9 })
    await learn('sub_1001', { kind: 'email', id: 'ada@example.com' })
    const change = await bot.run(
      `upgrade sub_1001 plan_desk_business_m --payment-mode offline --activate ${activate}`,
    )
    for (const said of [change.preview.title, change.outcome?.message])
      expect(said).toMatch(/^(Move|Charged|Will move) (Ada Lindqvist|ada@example\.com) /)
    expect(
      await bot.handle({
        from: fromOf('fay'),
        forms: true,
        intent: { kind: 'press', verb: 'tell', id: change.id },
      }),
    ).toMatchObject({ kind: 'form', form: { values: { to: 'ada@example.com', body: words } } })
  })

  test('answered in another shape leave open whether they were done', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'changePlan', kind: 'wrong_shape' })
    const change = await bot.run('upgrade sub_1001 plan_desk_business_m --payment-mode offline')
    expect(change.state).toBe('unknown')
    expect(change.outcome?.message).toContain('an answer that could not be read')
  })
})

describe('add-ons of a plan change', () => {
  test.each([
    ['a:2,b', '[{"id":"a","quantity":2},{"id":"b","quantity":1}]'],
    ['[{"addon": "a", "qty": 1}]', '[{"addon":"a","qty":1}]'],
    ['a b', undefined],
    ['', undefined],
    ['7', undefined],
    ['a:x', undefined],
  ])('written %j are sent as %j', (written, sent) => {
    expect(addonsSent(written, 'json')).toBe(sent)
  })
})
