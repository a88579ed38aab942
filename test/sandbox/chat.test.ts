import { expect, test } from 'vitest'
import { openSandbox } from './client.ts'
import { carousel, media, products } from './sample-requests.ts'

const { sandbox, ask } = await openSandbox()

const path = '/contacts/64b000000000000000000001'
const update = (body: object) => ask('chat', 'PUT', path, body)
const read = async () => (await ask('chat', 'GET', path)).body.data

test('tags replace all that were there', async () => {
  expect((await read()).tags).toEqual(['customer', 'vip'])
  const said = await update({ tags: ['lead'] })
  expect(said.body).toMatchObject({ status: 'success', data: { tags: ['lead'], __v: 1 } })
  expect((await read()).tags).toEqual(['lead'])
})

test.each([
  ['comma-separated words', 'lead, support', 'vip'],
  ['JSON text', '["lead","support"]', '["vip"]'],
  ['lists', ['lead', 'support'], ['vip']],
])('tags are added and removed as %s', async (_form, tagsToAdd, tagsToRemove) => {
  await update({ tagsToAdd, tagsToRemove })
  expect((await read()).tags).toEqual(['customer', 'lead', 'support'])
})

test('attributes are set by name, and an empty value removes one', async () => {
  await update({ attributes: '[{"name":"city","value":"Pune"},{"name":"plan","value":"Team"}]' })
  const [city] = (await read()).attributes.filter((one: { name: string }) => one.name === 'city')
  expect(city).toMatchObject({ value: 'Pune', _id: expect.stringMatching(/^[0-9a-f]{24}$/) })
  await update({ attributes: '{"name":"city","value":""}' })
  const names = (await read()).attributes.map((one: { name: string }) => one.name)
  expect(names).toContain('plan')
  expect(names).not.toContain('city')
})

test('the other fields are stored as sent, and lastActive is for the single read alone', async () => {
  const said = await update({ name: 'Ada L', mobile: '+15550119999', optin: false, incomingBlocked: true })
  expect(said.body.data).not.toHaveProperty('lastActive')
  expect(await read()).toMatchObject({
    name: 'Ada L',
    mobile: '15550119999',
    optin: false,
    incomingBlocked: true,
    lastActive: expect.any(String),
  })
})

test('contact lists come with their number', async () => {
  const { data } = (await ask('chat', 'GET', '/contacts/lists')).body
  expect(data.total).toBe(4)
  expect(data.lists.map((one: { name: string }) => one.name)).toContain('Shop customers')
})

test('the product message answers with success, the templates with status, all with branded names', async () => {
  const sent = { to: '15550110000', chatId: expect.any(String) }
  const many = await ask('chat', 'POST', '/messages', products)
  expect(many.body).toMatchObject({ success: true, data: sent })
  expect(many.body).not.toHaveProperty('status')
  for (const body of [media, carousel]) {
    const said = await ask('chat', 'POST', '/messages', body)
    expect(said.body).toMatchObject({ status: 'success', data: sent })
    expect(said.body.data.acmechatResponse).toMatchObject({
      contacts: [{ input: '15550110000', acmechat_id: '15550110000' }],
      messages: [{ message_status: 'accepted' }],
      status: 200,
    })
  }
  expect(sandbox.state.chat.messages.map((one) => one.row)).toEqual([
    'sendProducts',
    'sendMediaTemplate',
    'sendCarousel',
  ])
  expect(new Set(sandbox.state.chat.messages.map((one) => one.id)).size).toBe(3)
})

test('the limits themselves are allowed', async () => {
  const lamps = Array.from({ length: 3 }, (_, index) => ({ productRetailerId: `lamp-${index}` }))
  const sections = Array.from({ length: 10 }, () => ({ title: 'x'.repeat(24), products: lamps }))
  const full = {
    ...products,
    header: 'x'.repeat(60),
    body: 'x'.repeat(1024),
    footer: 'x'.repeat(60),
    sections,
  }
  expect((await ask('chat', 'POST', '/messages', full)).status).toBe(200)
  const card = carousel.carouselFileData[0]
  const ten = { carouselBodies: Array(10).fill({ bodyParams: [] }), carouselFileData: Array(10).fill(card) }
  expect((await ask('chat', 'POST', '/messages', { ...carousel, ...ten })).status).toBe(200)
})

test('a template message brings its contact up to date, or makes it', async () => {
  const count = sandbox.state.chat.contacts.length
  const first = sandbox.state.chat.contacts[0]
  const known = Number(first?.mobile)
  await ask('chat', 'POST', '/messages', {
    ...media,
    to: known,
    contact: '{"name":"Ada Renamed","tags":["lead"]}',
  })
  expect(await read()).toMatchObject({ name: 'Ada Renamed', tags: ['lead'] })
  await ask('chat', 'POST', '/messages', { ...media, to: 15_550_188_888, contact: 'Somebody New' })
  expect(sandbox.state.chat.contacts).toHaveLength(count + 1)
  expect(sandbox.state.chat.contacts.at(-1)).toMatchObject({
    name: 'Somebody New',
    mobile: '15550188888',
    source: 'api',
  })
})
