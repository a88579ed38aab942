import { describe, expect, test } from 'vitest'
import { blocksOf, factsIn, notesIn, useBot } from './bot.ts'

const bot = useBot()
const cards = JSON.stringify([
  { fileUrl: 'https://files.example.com/a.jpg', fileName: 'a.jpg', bodyParams: ['Mug'] },
  { fileUrl: 'https://files.example.com/b.jpg', fileName: 'b.jpg' },
])
const products = (
  more: string,
  sections = '[{"title":"Mugs","products":["sku-1",{"productRetailerId":"sku-2"}]}]',
) =>
  `message products 15550110000 --header Picks --body "Chosen for you" --catalog-id cat_1 --sections '${sections}' ${more}`

describe('message products', () => {
  test('shows what the recipient gets and sends just that', async () => {
    const change = await bot.run(products('--footer "Until Sunday"'))
    expect(change.preview.title).toBe('Send products to Ada Lindqvist (+15550110000)')
    expect(factsIn(change.preview)).toMatchObject({
      Header: 'Picks',
      Footer: 'Until Sunday',
      Catalog: 'cat_1',
    })
    expect(blocksOf(change.preview, 'code')[0]?.text).toBe('Chosen for you')
    expect(blocksOf(change.preview, 'table')[0]?.rows).toEqual([
      ['Mugs', 'sku-1'],
      ['Mugs', 'sku-2'],
    ])
    expect(bot.sent('sendProducts')).toEqual([
      {
        to: 15550110000,
        type: 'interactive',
        interactiveType: 'product_list',
        header: 'Picks',
        body: 'Chosen for you',
        footer: 'Until Sunday',
        action: { catalogId: 'cat_1' },
        sections: [
          { title: 'Mugs', products: [{ productRetailerId: 'sku-1' }, { productRetailerId: 'sku-2' }] },
        ],
      },
    ])
    const [message] = bot.sandbox.state.chat.messages
    expect(factsIn(change.outcome?.view)).toEqual({
      To: '15550110000',
      Status: 'accepted',
      Chat: message?.chatId,
      Message: message?.id,
    })
  })

  const sections = (count: number, each: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, at) => ({
        title: `S${at}`,
        products: Array.from({ length: each }, (_, product) => `sku-${at}-${product}`),
      })),
    )

  test('takes exactly as much as the service does', async () => {
    await bot.run(products('', sections(10, 3)))
    expect(bot.sent('sendProducts')).toHaveLength(1)
  })

  test.each([
    [sections(11, 1), 'a message has at most 10 sections.'],
    [sections(1, 31), 'a message has at most 30 products in all its sections.'],
    [`[{"title":"${'t'.repeat(25)}","products":["a"]}]`, 'a section title has at most 24 characters.'],
    ['[{"title":"Mugs","products":[]}]', 'a section needs at least one product.'],
    ['[]', 'at least one section is needed.'],
  ])('refuses the sections %s by name', async (given, message) => {
    expect(await bot.refused(products('', given))).toMatchObject({
      code: 'bad_value',
      message: expect.stringContaining(message),
    })
    expect(bot.sandbox.wire).toEqual([])
  })

  test.each([
    ['header', 61],
    ['body', 1025],
    ['footer', 61],
  ])('refuses a %s of %i characters', async (flag, length) => {
    const line = `message products 15550110000 --catalog-id c --sections '[{"title":"t","products":["a"]}]'`
    const texts = { header: 'h', body: 'b', footer: 'f', [flag]: 'x'.repeat(length) }
    const flags = Object.entries(texts).map(([name, value]) => `--${name} ${value}`)
    const refusal = await bot.refused(`${line} ${flags.join(' ')}`)
    expect(refusal).toMatchObject({
      code: 'bad_value',
      field: flag,
      message: expect.stringContaining(`${length - 1}`),
    })
  })
})

describe('recipients', () => {
  test.each(['"+1 555-011-0003"', '15550110003', '"1 (555) 011 0003"'])('%s is one number', async (typed) => {
    const change = await bot.run(`message media ${typed} spring_banner https://files.example.com/a.jpg`)
    expect(change.preview.title).toBe('Send spring_banner to Yusuf Whitlock (+15550110003)')
    expect(bot.sent('sendMediaTemplate')).toMatchObject([{ to: 15550110003 }])
  })

  test('a contact that has not opted in is pointed out', async () => {
    const change = await bot.ask('message media 15550110003 spring_banner https://files.example.com/a.jpg')
    expect(notesIn(change.preview)).toBe('This contact has not opted in to messages.')
  })

  test('a number that nobody has is pointed out', async () => {
    const change = await bot.ask('message media 4915550199999 spring_banner https://files.example.com/a.jpg')
    expect(change.preview.title).toBe('Send spring_banner to +4915550199999')
    expect(notesIn(change.preview)).toBe('No contact with this number was found.')
  })

  test('contacts that cannot be read do not stand in the way', async () => {
    bot.sandbox.fault({ row: 'findContacts', kind: 'status', status: 404, times: Number.POSITIVE_INFINITY })
    const change = await bot.run('message media 15550110000 spring_banner https://files.example.com/a.jpg')
    expect(change).toMatchObject({
      state: 'applied',
      outcome: { message: 'Sent spring_banner to +15550110000.' },
    })
  })

  test.each(['abc', '00491555', '1234', '1234567890123456'])('%s is no recipient', async (typed) => {
    const refusal = await bot.refused(`message media ${typed} spring_banner https://files.example.com/a.jpg`)
    expect(refusal).toMatchObject({ code: 'bad_value', field: 'to' })
  })
})

describe('message media', () => {
  test('sends file name, placeholders and contact', async () => {
    const change = await bot.run(
      'message media 4915550199999 order_invoice https://files.example.com/i.pdf --filename i.pdf --body-params "Zed,12\\, 50" --contact \'{"name":"Zed","tags":["vip"]}\'',
    )
    expect(factsIn(change.preview)).toMatchObject({
      Template: 'order_invoice',
      Media: 'https://files.example.com/i.pdf',
      'File name': 'i.pdf',
      '{{1}}': 'Zed',
      '{{2}}': '12, 50',
      Name: 'Zed',
      Tags: 'vip',
    })
    const [body] = bot.sent('sendMediaTemplate') as { contact: string }[]
    expect(body).toEqual({
      to: 4915550199999,
      type: 'template',
      templateName: 'order_invoice',
      link: 'https://files.example.com/i.pdf',
      filename: 'i.pdf',
      bodyParams: ['Zed', '12, 50'],
      contact: expect.any(String),
    })
    expect(JSON.parse(body?.contact ?? '')).toEqual({ name: 'Zed', tags: ['vip'] })
  })

  test('fails with the service’s words for a template that does not exist', async () => {
    const change = await bot.run('message media 15550110000 nothing_here https://files.example.com/a.jpg')
    expect(change).toMatchObject({
      state: 'failed',
      outcome: { message: expect.stringContaining('nothing_here') },
    })
  })

  test('is unknown when the answer is lost, is sent once, and offers the contact', async () => {
    bot.sandbox.fault({ row: 'sendMediaTemplate', kind: 'drop_after' })
    const change = await bot.run('message media 15550110000 spring_banner https://files.example.com/a.jpg')
    expect(change).toMatchObject({ state: 'unknown', lookUps: ['contact get 64b000000000000000000001'] })
    expect(bot.sent('sendMediaTemplate')).toHaveLength(1)
  })

  test('refuses a link that is no web address, and an empty contact', async () => {
    expect((await bot.refused('message media 15550110000 t ftp://a.io/a.jpg')).field).toBe('link')
    const empty = await bot.refused(`message media 15550110000 t https://a.io/a.jpg --contact '{}'`)
    expect(empty.field).toBe('contact')
  })
})

describe('message carousel', () => {
  test('shows its cards and sends bodies and files, one of each per card', async () => {
    const change = await bot.run(
      `message carousel 15550110000 spring_picks --cards '${cards}' --body-params Ada --language-code en --url-variables a,b --copy-code-param SPRING --quick-replies "yes,not now" --contact '{"name":"Ada"}'`,
    )
    expect(blocksOf(change.preview, 'table')[0]?.rows).toEqual([
      ['1', 'a.jpg', 'Mug', 'https://files.example.com/a.jpg', 'a'],
      ['2', 'b.jpg', '', 'https://files.example.com/b.jpg', 'b'],
    ])
    expect(factsIn(change.preview)).toMatchObject({
      '{{1}}': 'Ada',
      Language: 'en',
      'Copy code': 'SPRING',
      'Quick replies': 'yes, not now',
    })
    expect(bot.sent('sendCarousel')).toEqual([
      {
        to: 15550110000,
        type: 'template',
        templateName: 'spring_picks',
        languageCode: 'en',
        bodyParams: ['Ada'],
        carouselBodies: [{ bodyParams: ['Mug'] }, { bodyParams: [] }],
        carouselFileData: [
          { fileUrl: 'https://files.example.com/a.jpg', fileName: 'a.jpg' },
          { fileUrl: 'https://files.example.com/b.jpg', fileName: 'b.jpg' },
        ],
        urlVariables: ['a', 'b'],
        copyCodeParam: 'SPRING',
        quickReplies: '["yes","not now"]',
        contact: '{"name":"Ada"}',
      },
    ])
  })

  const many = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, at) => ({ fileUrl: 'https://a.io/a.jpg', fileName: `${at}.jpg` })),
    )

  test.each([
    [`--cards '${many(1)}'`, 'a carousel has at least 2 cards.'],
    [`--cards '${many(11)}'`, 'a carousel has at most 10 cards.'],
    [`--cards '${many(3)}' --url-variables a,b`, 'give one value for each card.'],
    [
      `--cards '[{"fileUrl":"https://a.io/a"},{"fileUrl":"https://a.io/b"}]'`,
      'the fileName of a card is needed.',
    ],
  ])('refuses %s by name', async (flags, message) => {
    expect(await bot.refused(`message carousel 15550110000 spring_picks ${flags}`)).toMatchObject({
      code: 'bad_value',
      message: expect.stringContaining(message),
    })
    expect(bot.sandbox.wire).toEqual([])
  })
})

describe('an address in the place of a number', () => {
  test('leads to the contact with the number of that subscriber, and the number is what is sent', async () => {
    await bot.run('message text ada@example.com hello')
    expect(bot.sent('sendText')).toMatchObject([{ to: 15550110000 }])
  })

  test('that leads to nobody is refused, with what would make it lead', async () => {
    expect(await bot.refused('message text nobody@example.com hello')).toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('person link nobody@example.com --contact'),
    })
  })
})
