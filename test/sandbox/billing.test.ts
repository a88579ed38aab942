import { expect, test } from 'vitest'
import { openSandbox } from './client.ts'
import { addon, multiplan } from './sample-requests.ts'

const { ask } = await openSandbox()

const get = async (path: string) => (await ask('billing', 'GET', path)).body.data
const refund = (id: string, body?: object) => ask('billing', 'POST', `/transaction/refund/${id}`, body)

test('a multiplan comes back with its plans and its checkout page', async () => {
  const { data } = (
    await ask('billing', 'POST', '/multiplans', { ...multiplan, preferred_plan_id: 'plan_desk_team_y' })
  ).body
  expect(data).toMatchObject({
    page_title: 'Pick one',
    multiplan_list: 'radio',
    preferred_plan_id: 'plan_desk_team_y',
  })
  expect(data.plans).toMatchObject([
    { id: 'plan_desk_team_m', price: 49 },
    { id: 'plan_desk_team_y', price: 490 },
  ])
  expect(data.checkout_page).toMatch(new RegExp(`/checkout/${data.id}$`))
  expect(await get(`/multiplans/${data.id}`)).toEqual(data)
  expect((await ask('billing', 'POST', '/multiplans', multiplan)).status).toBe(409)
})

test('a title taken by one product is free for another', async () => {
  const body = { product_id: 'prod_mail', page_title: 'Choose your desk', plans: ['plan_mail_pro_m'] }
  expect((await ask('billing', 'POST', '/multiplans', body)).status).toBe(200)
})

test('an add-on answers with a boolean status, `all` for all plans and no frequency', async () => {
  const { data } = (await ask('billing', 'POST', '/addon/prod_desk', addon)).body
  expect(data).toMatchObject({
    product_id: 'prod_desk',
    status: true,
    associate_plans: 'all',
    plans_array: null,
  })
  expect(data).not.toHaveProperty('billing_period_num')
  const off = await ask('billing', 'POST', '/addon/prod_desk', {
    ...{ ...addon, code: 'other', status: 'false', associate_plans: 'selected_plans' },
    plans_array: ['plan_desk_team_m'],
  })
  expect(off.body.data).toMatchObject({
    status: false,
    associate_plans: 'selected_plans',
    plans_array: ['plan_desk_team_m'],
  })
})

test('an add-on update keeps the id and what was not sent', async () => {
  const { data } = (await ask('billing', 'PUT', '/addon/addon_priority', { price: 45, status: false })).body
  expect(data).toMatchObject({
    id: 'addon_priority',
    price: 45,
    status: false,
    code: 'priority',
    plans_array: ['plan_desk_team_m', 'plan_desk_business_m'],
  })
  const words = await ask('billing', 'PUT', '/addon/addon_priority', {
    plans_array: 'plan_desk_team_m,plan_desk_team_y',
  })
  expect(words.body.data.plans_array).toEqual(['plan_desk_team_m', 'plan_desk_team_y'])
  const all = await ask('billing', 'PUT', '/addon/addon_priority', {
    associate_plans: 'all_plans',
    plans_array: null,
  })
  expect(all.body.data).toMatchObject({ associate_plans: 'all', plans_array: null })
})

test('refunds add up to the payment and not beyond', async () => {
  const said = await refund('pay_1001', { amount: 20, refund_type: 'record_refund', description: 'Late' })
  expect(said.body.status).toBe('success')
  expect(said.body.message).toMatch(/refunded/i)
  expect((await refund('pay_1001', { amount: 101 })).status).toBe(400)
  expect((await refund('pay_1001')).status).toBe(200)
  expect((await refund('pay_1001', { amount: 1 })).status).toBe(400)
  expect(await get('/refund/cus_1001')).toMatchObject([
    { payment_id: 'pay_1001', amount: 20, refund_type: 'record_refund', description: 'Late' },
    { payment_id: 'pay_1001', amount: 100, refund_type: 'refund' },
  ])
  const [payment] = await get('/transactions/cus_1001')
  expect(payment).toMatchObject({ id: 'pay_1001', amount: 120, refunded_amount: 120, status: 'refunded' })
})

test('licenses come ten a page, then the rest', async () => {
  expect(await get('/products/prod_desk/licenses')).toHaveLength(10)
  expect(await get('/products/prod_desk/licenses?page=2')).toHaveLength(2)
  const all = await get('/products/prod_desk/licenses?limit=100')
  expect(all).toHaveLength(12)
  expect(all[0]).toMatchObject({ method: 'list', status: 'active', total_license: 3, used_license: 1 })
  expect(all[0].license_codes[0]).toEqual({ code: 'HG-501-1', is_used: 'yes' })
})

test('a deleted license code is gone, and so is a deleted license', async () => {
  await ask('billing', 'DELETE', '/products/prod_desk/licenses/lic_501/codes/HG-501-2')
  expect(await get('/products/prod_desk/licenses/lic_501')).toMatchObject({ total_license: 2 })
  await ask('billing', 'DELETE', '/products/prod_desk/licenses/lic_501')
  expect((await ask('billing', 'GET', '/products/prod_desk/licenses/lic_501')).status).toBe(404)
})

test.each([
  ['/multiplans/mp_desk', '/multiplans/mp_desk'],
  ['/addon/addon_seats', '/addon/addon_seats'],
])('after DELETE %s it is not found', async (path, look) => {
  expect((await ask('billing', 'DELETE', path)).status).toBe(200)
  expect((await ask('billing', 'GET', look)).status).toBe(404)
  expect((await ask('billing', 'DELETE', path)).status).toBe(404)
})

test('a deleted transaction cannot be refunded', async () => {
  await ask('billing', 'DELETE', '/transaction/pay_1001')
  expect((await refund('pay_1001')).status).toBe(404)
})
