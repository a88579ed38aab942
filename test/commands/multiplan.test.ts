import { describe, expect, test } from 'vitest'
import { textOfView } from '../../src/lib/view/text.ts'
import { blocksOf, diffIn, factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const pages = () => bot.sandbox.state.billing.multiplans

describe('multiplan create', () => {
  const line =
    'multiplan create prod_desk --page-title "Spring offer" --plans plan_desk_starter_m,plan_desk_team_m'

  test('shows the page to come, with the names of plans that other pages know', async () => {
    const change = await bot.ask(`${line} --multiplan-list select --preferred-plan-id plan_desk_team_m`)
    expect(diffIn(change.preview)).toEqual({
      Title: [null, 'Spring offer'],
      Plans: [null, 'Desk Starter (plan_desk_starter_m), Desk Team (plan_desk_team_m)'],
      Choice: [null, 'select'],
      Preferred: [null, 'plan_desk_team_m'],
    })
    await bot.settle(change)
    expect(bot.sent('createMultiplan')).toEqual([
      {
        product_id: 'prod_desk',
        page_title: 'Spring offer',
        plans: ['plan_desk_starter_m', 'plan_desk_team_m'],
        multiplan_list: 'select',
        preferred_plan_id: 'plan_desk_team_m',
      },
    ])
  })

  test('tells the address that the service made', async () => {
    const change = await bot.run(line)
    expect(change.outcome?.message).toMatch(/^The page "Spring offer" was created\. It is at https:\/\//)
    expect(blocksOf(change.outcome?.view, 'table')[0]?.rows).toContainEqual([
      'Desk Starter',
      '19 USD',
      'every month',
      'yes',
      expect.any(String),
      'plan_desk_starter_m',
    ])
  })

  test('refuses a title that the product has already, before anybody is asked', async () => {
    const refusal = await bot.refused(
      'multiplan create prod_desk --page-title "Choose your desk" --plans plan_desk_team_m',
    )
    expect(refusal).toMatchObject({ code: 'not_allowed_now', next: expect.stringContaining('mp_desk') })
  })

  test('refuses a plan that is known to belong to another product', async () => {
    const refusal = await bot.refused(
      'multiplan create prod_desk --page-title New --plans plan_desk_team_m,plan_mail_pro_m',
    )
    expect(refusal.message).toContain('Mail Pro')
  })

  test('refuses a preferred plan that is not among the plans', async () => {
    expect(await bot.refused(`${line} --preferred-plan-id plan_desk_business_m`)).toMatchObject({
      code: 'bad_value',
      field: 'preferredPlanId',
    })
    expect(bot.sandbox.wire).toEqual([])
  })

  test('is asked for all the same if the pages cannot be read', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'findMultiplans', kind: 'status', status: 404 })
    const change = await bot.ask(line)
    expect(diffIn(change.preview).Plans).toEqual([null, 'plan_desk_starter_m, plan_desk_team_m'])
  })
})

describe('multiplan find and get', () => {
  test('list the pages with their addresses', async () => {
    const view = await bot.look('multiplan find')
    expect(blocksOf(view, 'table')[0]?.rows[0]).toEqual([
      'Choose your desk',
      '3',
      'prod_desk',
      'mp_desk',
      'https://checkout.example.com/checkout/mp_desk',
    ])
    expect(view.footer).toContain('3 pages')
  })

  test('say how to make one when there is none', async () => {
    pages().length = 0
    expect(notesIn(await bot.look('multiplan find'))).toContain('multiplan create')
  })

  test('show one page with its plans and prices', async () => {
    const view = await bot.look('multiplan get mp_mail')
    expect(view.title).toBe('“Choose your mail”')
    expect(factsIn(view)).toMatchObject({ Preferred: 'plan_mail_pro_m', Product: 'prod_mail' })
    expect(blocksOf(view, 'table')[0]?.rows[0]).toEqual([
      'Mail Basic',
      '15 EUR',
      'every month',
      'yes',
      expect.any(String),
      'plan_mail_basic_m',
    ])
  })

  test('show the trial, the setup fee and a plan that is not active', async () => {
    const plan = bot.sandbox.state.billing.plans.find(({ id }) => id === 'plan_mail_basic_m')
    Object.assign(plan ?? {}, {
      ...{ billing_period: 'm', billing_period_num: '3', trial_period: 14, trial_type: 'day' },
      ...{ setup_fee: 9.5, plan_active: 'false', plan_code: 'mail-basic' },
    })
    const [plans] = blocksOf(await bot.look('multiplan get mp_mail'), 'table')
    const labels = plans?.columns.map(({ label }) => label) ?? []
    expect(Object.fromEntries(labels.map((label, at) => [label, plans?.rows[0]?.[at]]))).toMatchObject({
      ...{ Billed: 'every 3 months', Trial: '14 days', 'Setup fee': '9.50 EUR' },
      ...{ Active: 'no', Code: 'mail-basic' },
    })
    const reply = await bot.say('multiplan get mp_mail', 'fay')
    if (reply.kind !== 'answer') throw new Error('no answer')
    const button = reply.view.actions?.find(({ verb }) => verb === 'details')?.id ?? ''
    for (const verb of ['details', 'file'] as const) {
      const behind = await bot.press(verb, button, 'fay')
      if (behind.kind !== 'answer') throw new Error('nothing behind')
      const shown = String(behind.file?.content ?? textOfView(behind.view))
      expect(shown).toContain('9.50 EUR')
      expect(shown).toContain('plan_mail_basic_m')
    }
    expect(reply.view.actions?.map(({ verb }) => verb)).toContain('file')
  })

  test('say where to look for an unknown page', async () => {
    expect(await bot.refused('multiplan get mp_nowhere')).toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('multiplan find'),
    })
  })
})

describe('multiplan delete', () => {
  test('shows what goes, and deletes it', async () => {
    const change = await bot.ask('multiplan delete mp_desk_yearly')
    expect(diffIn(change.preview)).toMatchObject({ Title: ['Pay for a year', null] })
    expect(diffIn(change.preview).Plans?.[0]).toContain('Desk Team yearly')
    expect((await bot.settle(change)).outcome?.message).toContain('"Pay for a year"')
    expect(pages().map(({ id }) => id)).toEqual(['mp_desk', 'mp_mail'])
  })

  test('asks again if the page is another one by then', async () => {
    const change = await bot.ask('multiplan delete mp_mail')
    Object.assign(pages()[2] ?? {}, { page_title: 'Renamed' })
    const settled = await bot.settle(change)
    expect(settled.state).toBe('pending')
    expect(pages()).toHaveLength(3)
  })

  test('refuses a page that is not there before anybody is asked', async () => {
    expect((await bot.refused('multiplan delete mp_nowhere')).code).toBe('not_found')
  })

  test('can be asked for although the page is shown unreadably', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'getMultiplan', kind: 'html', status: 200 })
    const change = await bot.ask('multiplan delete mp_mail')
    expect(notesIn(change.preview)).toContain('could not be read')
    expect(change.lookUps).toEqual(['multiplan get mp_mail'])
  })
})
