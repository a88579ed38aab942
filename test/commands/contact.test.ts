import { describe, expect, test } from 'vitest'
import { blocksOf, diffIn, factsIn, useBot } from './bot.ts'

const bot = useBot()
const id = '64b000000000000000000001'
const ada = () => bot.sandbox.state.chat.contacts[0]

describe('contact get', () => {
  test('shows number, consent, tags, lists and attributes', async () => {
    const view = await bot.look(`contact get ${id}`)
    expect(view.title).toBe('“Ada Lindqvist”')
    expect(factsIn(view)).toMatchObject({
      Mobile: '15550110000',
      'Opted in': 'yes',
      'Incoming blocked': 'no',
      Tags: 'customer, vip',
      'Attribute city': 'Halifax',
      'Last active': expect.stringMatching(/^\d+ \w+ \d{4}, [\d:]+ UTC$/),
    })
  })

  test('refuses what is no contact id before asking, and says where ids are', async () => {
    expect((await bot.refused('contact get 12')).message).toContain(
      'give a contact id of 24 hexadecimal characters, a phone number or an email address.',
    )
    expect(bot.sandbox.wire).toEqual([])
    expect(await bot.refused('contact get 64b0000000000000000000ff')).toMatchObject({
      code: 'not_found',
      next: 'contact find shows every contact id.',
    })
  })

  test('survives a record whose fields are missing, null or of another type', async () => {
    Object.assign(ada() ?? {}, {
      attributes: [null, { value: 'x' }],
      tags: null,
      list: 4,
      optin: 'maybe',
      name: null,
    })
    expect((await bot.look(`contact get ${id}`)).title).toBe('15550110000')
  })
})

test('contact find lists everybody with the id that the other commands take', async () => {
  const view = await bot.look('contact find')
  expect(view.title).toBe('60 contacts')
  expect(blocksOf(view, 'table')[0]?.rows[0]).toEqual(
    expect.arrayContaining(['Ada Lindqvist', '15550110000', id]),
  )
})

test('contact find says how many of very many it shows', async () => {
  const { contacts } = bot.sandbox.state.chat
  const [first] = contacts
  for (let at = 0; at < 100; at++)
    contacts.push({ ...structuredClone(first as NonNullable<typeof first>), _id: `${at}` })
  const view = await bot.look('contact find')
  expect(view.footer).toContain('1 to 20 of 160 contacts.')
  expect(blocksOf(view, 'table')[0]?.rows).toHaveLength(20)
})

test('contact lists names the lists', async () => {
  const view = await bot.look('contact lists')
  expect(view.title).toBe('4 contact lists')
  expect(blocksOf(view, 'table')[0]?.rows.map(([name]) => name)).toContain('Early access')
})

describe('contact update', () => {
  test('shows tags before and after, and sends what the service declares as text', async () => {
    const change = await bot.run(
      `contact update ${id} --tags-to-add support,lead,vip --tags-to-remove customer`,
    )
    expect(diffIn(change.preview)).toEqual({ Tags: ['customer, vip', 'vip, support, lead'] })
    expect(bot.sent('updateContact')).toEqual([{ tagsToAdd: 'support,lead', tagsToRemove: 'customer' }])
    expect(ada()?.tags.toSorted()).toEqual(['lead', 'support', 'vip'])
  })

  test('replaces all tags, or takes them all away', async () => {
    const change = await bot.run(`contact update ${id} --tags lead`)
    expect(diffIn(change.preview)).toEqual({ Tags: ['customer, vip', 'lead'] })
    const cleared = await bot.run(`contact update ${id} --tags ""`)
    expect(diffIn(cleared.preview)).toEqual({ Tags: ['lead', 'none'] })
    expect(bot.sent('updateContact')).toEqual([{ tags: ['lead'] }, { tags: [] }])
  })

  test.each([
    [`{"city":"Lund","plan":"","language":5}`],
    [`[{"name":"city","value":"Lund"},{"name":"plan","value":""},{"name":"language","value":5}]`],
  ])('reads attributes written as %s; an empty value takes one away', async (written) => {
    const change = await bot.run(`contact update ${id} --attributes '${written}'`)
    expect(diffIn(change.preview)).toEqual({
      'Attribute city': ['Halifax', 'Lund'],
      'Attribute plan': ['Business', null],
      'Attribute language': [null, '5'],
    })
    const [body] = bot.sent('updateContact') as { attributes: string }[]
    expect(JSON.parse(body?.attributes ?? '')).toEqual([
      { name: 'city', value: 'Lund' },
      { name: 'plan', value: '' },
      { name: 'language', value: '5' },
    ])
    expect(ada()?.attributes.map(({ name, value }) => [name, value])).toEqual([
      ['city', 'Lund'],
      ['language', '5'],
    ])
  })

  test('changes name, number and both flags', async () => {
    const change = await bot.run(
      `contact update ${id} --name "Ada Berg" --mobile "+1 (555) 011-9999" --optin no --incoming-blocked`,
    )
    expect(diffIn(change.preview)).toEqual({
      Name: ['Ada Lindqvist', 'Ada Berg'],
      Mobile: ['15550110000', '+15550119999'],
      'Opted in': ['yes', 'no'],
      'Incoming blocked': ['no', 'yes'],
    })
    expect(bot.sent('updateContact')).toEqual([
      { name: 'Ada Berg', optin: false, incomingBlocked: true, mobile: '+15550119999' },
    ])
    expect(factsIn(change.outcome?.view)).toMatchObject({ Name: 'Ada Berg', 'Opted in': 'no' })
  })

  test.each([
    ['', 'nothing_to_change'],
    ['--tags vip,customer', 'nothing_to_change'],
    ['--mobile "+1 555 011 0000" --optin yes', 'nothing_to_change'],
    [`--attributes '{"city":"Halifax","birthday":""}'`, 'nothing_to_change'],
    ['--tags lead --tags-to-add vip', 'bad_value'],
    ['--tags lead --tags-to-remove vip', 'bad_value'],
    ['--tags-to-add lead --tags-to-remove lead', 'bad_value'],
    [`--attributes '[]'`, 'bad_value'],
    [`--attributes '[{"name":"city","value":"a"},{"name":"city","value":"b"}]'`, 'bad_value'],
    ['--mobile 0049123456', 'bad_value'],
  ])('refuses "%s" before anybody is asked', async (flags, code) => {
    expect((await bot.refused(`contact update ${id} ${flags}`)).code).toBe(code)
  })

  test('fails with the service’s words for a tag that does not exist', async () => {
    const change = await bot.run(`contact update ${id} --tags-to-add unheard-of`)
    expect(change.state).toBe('failed')
    expect(change.outcome?.message).toContain('unheard-of')
    expect(ada()?.tags).toEqual(['customer', 'vip'])
  })
})

describe('a contact by phone number or words', () => {
  test('is found in the listing, however the number is written', async () => {
    const byId = await bot.look('contact get 64b000000000000000000001')
    expect((await bot.look('contact get "+1 555-011 0000"')).blocks).toEqual(byId.blocks)
  })

  test('is called missing only if all contacts were looked at', async () => {
    expect((await bot.refused('contact get +15559990000')).message).toBe(
      'No contact with this number was found.',
    )
  })

  test('is found by part of a name, with how many were looked at', async () => {
    const view = await bot.look('contact find lindqvist')
    expect(JSON.stringify(view.blocks)).toContain('Ada Lindqvist')
    expect(view.footer).toBe('Looked at 60 of 60 contacts.')
  })
})
