import { describe, expect, test } from 'vitest'
import { blocksOf, diffIn, factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const addon = (id: string) => bot.sandbox.state.billing.addons.find((one) => one.id === id)

describe('addon create', () => {
  const line =
    'addon create prod_desk --name "Phone support" --code phone --price 30 --billing-period monthly --billing-period-num 3 --billing-cycle recurring --status yes'

  test('shows the add-on in words and sends it in the service’s', async () => {
    const change = await bot.ask(
      `${line} --associate-plans all --categories extras,support --description "By hand"`,
    )
    expect(diffIn(change.preview)).toEqual({
      Name: [null, 'Phone support'],
      Code: [null, 'phone'],
      Price: [null, '30'],
      Cycle: [null, 'recurring'],
      Period: [null, 'every 3 months'],
      'Active (status)': [null, 'yes'],
      'Goes with': [null, 'all plans'],
      Categories: [null, 'extras, support'],
      Description: [null, 'By hand'],
    })
    const settled = await bot.settle(change)
    expect(bot.sent('createAddon')).toEqual([
      {
        name: 'Phone support',
        code: 'phone',
        price: 30,
        billing_period: 'm',
        billing_period_num: 3,
        billing_cycle: 'lifetime',
        status: 'true',
        associate_plans: 'all_plans',
        category_array: ['extras', 'support'],
        description: 'By hand',
      },
    ])
    expect(settled.outcome?.message).toBe('The add-on Phone support (phone) was created.')
    expect(factsIn(settled.outcome?.view)).toMatchObject({ Price: '30', 'Goes with': 'all plans' })
  })

  test('sends the selected plans as a list', async () => {
    await bot.run(`${line} --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m`)
    expect(bot.sent('createAddon')).toMatchObject([
      { associate_plans: 'selected_plans', plans_array: ['plan_desk_team_m', 'plan_desk_business_m'] },
    ])
  })

  test.each([
    ['--associate-plans selected_plans', 'plans'],
    ['--associate-plans all_plans --plans plan_desk_team_m', 'plans'],
    ['--associate-plans some', 'associatePlans'],
  ])('refuses %s', async (flags, field) => {
    expect(await bot.refused(`${line} ${flags}`)).toMatchObject({ code: 'bad_value', field })
  })

  test('refuses a code that is taken before anybody is asked', async () => {
    const refusal = await bot.refused(`${line.replace('phone', 'priority')} --associate-plans all`)
    expect(refusal).toMatchObject({ code: 'not_allowed_now' })
    expect(refusal.message).toContain('Priority support')
    expect(bot.sent('createAddon')).toEqual([])
  })
})

describe('addon update', () => {
  test('shows old and new, and sends only what differs', async () => {
    const change = await bot.ask(
      'addon update addon_priority --name "Priority support" --price 45 --status no --description "Sold out"',
    )
    expect(diffIn(change.preview)).toEqual({
      Price: ['40', '45'],
      Active: ['yes', 'no'],
      Description: ['nothing', 'Sold out'],
    })
    const settled = await bot.settle(change)
    expect(settled.outcome?.message).toBe('The add-on Priority support (priority) was changed.')
    expect(bot.sent('updateAddon')).toEqual([{ price: 45, status: false, description: 'Sold out' }])
    expect(addon('addon_priority')).toMatchObject({ price: 45, status: false })
  })

  test('sends plans as the text that the service declares, and null for none', async () => {
    await bot.run(
      'addon update addon_seats --associate-plans selected --plans plan_desk_team_m,plan_desk_team_y',
    )
    await bot.run('addon update addon_priority --associate-plans all --plans ""')
    expect(bot.sent('updateAddon')).toEqual([
      { associate_plans: 'selected_plans', plans_array: 'plan_desk_team_m,plan_desk_team_y' },
      { associate_plans: 'all_plans', plans_array: null },
    ])
  })

  test.each([
    ['', 'No new value was given.'],
    ['--price 25 --associate-plans all_plans', 'already has these values'],
  ])('with %j has nothing to change', async (flags, sentence) => {
    const refusal = await bot.refused(`addon update addon_seats ${flags}`)
    expect(refusal.code).toBe('nothing_to_change')
    expect(refusal.message).toContain(sentence)
  })

  test('moves to another product', async () => {
    const change = await bot.run('addon update addon_seats --product-id prod_mail')
    expect(diffIn(change.preview)).toEqual({ Product: ['prod_desk', 'prod_mail'] })
    expect(bot.sent('updateAddon')).toEqual([{ product_id: 'prod_mail' }])
  })

  test('refuses selected plans for an add-on of all plans, and takes a repeated one once', async () => {
    expect(await bot.refused('addon update addon_seats --plans plan_desk_team_m')).toMatchObject({
      code: 'not_allowed_now',
      next: 'Add --associate-plans selected_plans, or leave --plans out.',
    })
    await bot.run(
      'addon update addon_seats --associate-plans selected --plans plan_desk_team_m,plan_desk_team_m',
    )
    expect(bot.sent('updateAddon')).toMatchObject([{ plans_array: 'plan_desk_team_m' }])
  })

  test('refuses selected plans where none are selected', async () => {
    expect(await bot.refused('addon update addon_seats --associate-plans selected_plans')).toMatchObject({
      code: 'not_allowed_now',
      next: 'Name them with --plans.',
    })
  })

  test('shows the new values alone if the add-on cannot be read', async () => {
    bot.sandbox.fault({ service: 'billing', row: 'getAddon', kind: 'html', status: 200, times: 2 })
    const change = await bot.ask('addon update addon_seats --price 25')
    expect(diffIn(change.preview)).toEqual({ Price: ['not shown', '25'] })
    expect(notesIn(change.preview)).toContain('could not be read')
    expect((await bot.settle(change)).state).toBe('applied')
    expect(bot.sent('updateAddon')).toEqual([{ price: 25 }])
  })

  test('asks again if the price has moved meanwhile', async () => {
    const change = await bot.ask('addon update addon_seats --price 30')
    Object.assign(addon('addon_seats') ?? {}, { price: 28 })
    const settled = await bot.settle(change)
    expect(settled.state).toBe('pending')
    expect(diffIn(settled.preview)).toEqual({ Price: ['28', '30'] })
    expect(bot.sent('updateAddon')).toEqual([])
  })

  test('warns of an add-on that the service does not show, because only the update is documented', async () => {
    const change = await bot.ask('addon update addon_none --price 3')
    expect(notesIn(change.preview)).toContain('check the id for mistakes')
    expect(await bot.settle(change)).toMatchObject({ state: 'failed' })
  })
})

describe('addon find and get', () => {
  test('list the add-ons of a product', async () => {
    const view = await bot.look('addon find prod_desk')
    const [list] = blocksOf(view, 'table')
    expect(list?.columns.map(({ label }) => label)).toEqual([
      'Name',
      'Price',
      'Billed',
      'Active',
      'Code',
      'Id',
    ])
    expect(list?.rows).toContainEqual([
      'Training day',
      '300',
      'one time',
      'yes',
      'training',
      'addon_training',
    ])
  })

  test('show one add-on', async () => {
    expect(factsIn(await bot.look('addon get addon_priority'))).toMatchObject({
      Name: 'Priority support',
      Billed: 'every month',
      Plans: 'plan_desk_team_m, plan_desk_business_m',
      Updated: expect.stringMatching(/^\d+ \w+ \d{4}, [\d:]+ UTC$/),
    })
  })

  test('survive fields that are missing, null or of another type', async () => {
    Object.assign(addon('addon_seats') ?? {}, {
      price: null,
      status: 'maybe',
      plans_array: 'x',
      name: 7,
      extra: 'kept',
    })
    expect(factsIn(await bot.look('addon get addon_seats'))).toMatchObject({ Name: '7', Extra: 'kept' })
    expect(blocksOf(await bot.look('addon find prod_desk'), 'table')[0]?.rows).toHaveLength(3)
  })

  test('say so when there is nothing to read in the answer', async () => {
    const at = bot.sandbox.state.billing.addons.findIndex(({ id }) => id === 'addon_seats')
    bot.sandbox.state.billing.addons[at] = { id: 'addon_seats', toJSON: () => [] } as never
    expect(notesIn(await bot.look('addon get addon_seats'))).toContain('its answer could not be read')
  })

  test('say where to look for an unknown product', async () => {
    expect(await bot.refused('addon find prod_none')).toMatchObject({ code: 'not_found' })
  })
})

describe('addon delete', () => {
  test('shows what goes, and deletes it', async () => {
    const change = await bot.ask('addon delete addon_archive')
    expect(diffIn(change.preview)).toEqual({
      Name: ['Mail archive (archive)', null],
      Price: ['8', null],
      'Goes with': ['all plans', null],
    })
    expect((await bot.settle(change)).state).toBe('applied')
    expect(addon('addon_archive')).toBeUndefined()
    expect(change.lookUps).toEqual(['addon get addon_archive'])
  })
})
