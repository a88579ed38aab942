import { describe, expect, test } from 'vitest'
import { blocksOf, diffIn, factsIn, notesIn, unexpected, useBot } from './bot.ts'

const bot = useBot()
const always = Number.POSITIVE_INFINITY

describe('campaign find', () => {
  test('lists campaigns with type, status, subject and id, a page at a time', async () => {
    const view = await bot.look('campaign find')
    expect(view).toMatchObject({ title: '14 campaigns', footer: 'Page 1 of 2, 14 campaigns' })
    const [first] = blocksOf(view, 'table')[0]?.rows ?? []
    expect(first?.toSpliced(3, 1)).toEqual([
      'Welcome aboard',
      'live',
      'Welcome, here is how to begin',
      'API / Workflow',
      'cmp_welcome',
    ])
    expect(blocksOf(await bot.turn(view, 'next'), 'table')[0]?.rows).toHaveLength(4)
  })

  test.each([
    ['regular', 'Regular', 9],
    ['api', 'API / Workflow Campaign', 5],
    ['Workflow', 'API / Workflow Campaign', 5],
    ['"API / Workflow Campaign"', 'API / Workflow Campaign', 5],
    ['all', 'all', 14],
  ])('takes %s for the type %s', async (typed, type, count) => {
    const view = await bot.look(`campaign find --type ${typed}`)
    expect(view.title).toBe(`${count} campaigns`)
    const path = bot.sandbox.wire[0]?.path ?? ''
    expect(new URL(path, 'http://sandbox').searchParams.get('campaignType')).toBe(type)
  })

  test('leaves a large page size to the service, which cuts it', async () => {
    expect((await bot.look('campaign find --limit 500')).footer).toBe('Page 1 of 1, 14 campaigns')
  })
})

describe('campaign get', () => {
  test('shows status, subject, sender and template', async () => {
    const view = await bot.look('campaign get cmp_spring_sale')
    expect(view.title).toBe('“Spring sale”')
    expect(factsIn(view)).toMatchObject({
      Status: 'live',
      Type: 'Regular',
      Subject: 'A quarter off, until Sunday',
      'From name': 'Harbour Goods',
      Template: 'Spring sale template',
    })
  })

  test('hands over the HTML of its template as a file', async () => {
    const reply = await bot.say('campaign get cmp_spring_sale')
    if (reply.kind !== 'answer') throw unexpected('campaign get', reply)
    expect(reply.file).toMatchObject({ name: 'cmp_spring_sale.html', type: 'text/html' })
    expect(reply.file?.content).toMatch(/^</)
    expect(factsIn({ ...reply.view, blocks: reply.view.details ?? [] }).Content).toBe(
      `${reply.file?.content.length} characters of HTML`,
    )
  })

  test('looks through all campaigns where the service has no such path', async () => {
    bot.sandbox.fault({ row: 'getCampaign', kind: 'status', status: 405, times: always })
    expect(factsIn(await bot.look('campaign get cmp_renewal')).Status).toBe('live')
  })

  test('does not find another account’s campaign', async () => {
    expect(await bot.refused('campaign get cmp_foreign')).toMatchObject({
      code: 'not_found',
      next: 'campaign find shows every campaign id.',
    })
  })
})

describe('campaign send', () => {
  test('shows name, status, subject and recipients, then queues to just those', async () => {
    const change = await bot.ask('campaign send cmp_welcome ada@example.com,kim@example.com')
    expect(change.preview.title).toBe('Send Welcome aboard to 2 people')
    expect(factsIn(change.preview)).toMatchObject({
      Campaign: 'Welcome aboard (cmp_welcome)',
      Status: 'live',
      Subject: 'Welcome, here is how to begin',
      Recipients: '2 addresses',
    })
    expect(bot.sent('sendCampaign')).toEqual([])
    const done = await bot.confirm(change)
    expect(done.outcome?.message).toBe('Queued 2 emails of Welcome aboard.')
    expect(factsIn(done.outcome?.view).Queued).toBe('2 of 2')
    expect(bot.sent('sendCampaign')).toEqual([
      { campaignId: 'cmp_welcome', emails: ['ada@example.com', 'kim@example.com'] },
    ])
  })

  test('shows what replaces subject and sender, and the attachments', async () => {
    const change = await bot.run(
      'campaign send cmp_welcome ada@example.com --subject "Hello again" --from-name Bo --sender-email bo@example.com --delivery-server-id srv-1 --attachments \'[{"filename":"prices.pdf","url":"https://files.example.com/price-list.pdf"}]\'',
    )
    expect(diffIn(change.preview)).toEqual({
      Subject: ['Welcome, here is how to begin', 'Hello again'],
      'From name': ['Harbour Goods', 'Bo'],
    })
    expect(factsIn(change.preview)).toMatchObject({
      'Send from': 'bo@example.com',
      'Delivery server': 'srv-1',
    })
    expect(blocksOf(change.preview, 'list')[1]?.items).toEqual([
      'prices.pdf: https://files.example.com/price-list.pdf',
    ])
    expect(bot.sent('sendCampaign')).toEqual([
      {
        campaignId: 'cmp_welcome',
        emails: ['ada@example.com'],
        subject: 'Hello again',
        fromName: 'Bo',
        senderEmail: 'bo@example.com',
        deliveryServerId: 'srv-1',
        attachments: [{ filename: 'prices.pdf', url: 'https://files.example.com/price-list.pdf' }],
      },
    ])
  })

  test.each([
    ...[
      'http://localhost/a.pdf',
      'http://127.0.0.1:8080/a.pdf',
      'https://[::1]/a.pdf',
      'http://0x7f.1/a.pdf',
    ],
    ...[
      'http://10.1.2.3/a.pdf',
      'http://192.168.0.9/a.pdf',
      'http://files.local/a.pdf',
      'http://intranet/a.pdf',
    ],
  ])('refuses the attachment %s, which no service could fetch', async (url) => {
    const files = JSON.stringify([{ filename: 'a.pdf', url }])
    const refusal = await bot.refused(`campaign send cmp_welcome ada@example.com --attachments '${files}'`)
    expect(refusal.message).toContain('an address that the service can reach')
  })

  test('sends one mail to an address that was given twice, and says so', async () => {
    const change = await bot.run('campaign send cmp_welcome ada@example.com,ada@EXAMPLE.com,Ada@example.com')
    expect(factsIn(change.preview)).toMatchObject({ Recipients: '1 address', 'Given twice': '2 addresses' })
    expect(bot.sandbox.state.email.outbox.map(({ email }) => email)).toEqual(['ada@example.com'])
  })

  test('names every recipient of the plan', async () => {
    const emails = Array.from({ length: 12 }, (_, at) => `p${at}@example.com`)
    const change = await bot.ask(`campaign send cmp_welcome ${emails.join(',')}`)
    expect(blocksOf(change.preview, 'list')[0]?.items).toEqual(emails)
  })

  test('means the same whatever the order of its recipients', async () => {
    const one = await bot.ask('campaign send cmp_welcome a@example.com,b@example.com')
    const other = await bot.ask('campaign send cmp_welcome b@EXAMPLE.com,a@example.com --subject Hello')
    const third = await bot.ask('campaign send cmp_renewal a@example.com,b@example.com')
    expect(other.intent).toBe(one.intent)
    expect(third.intent).not.toBe(one.intent)
  })

  test.each([
    ['cmp_survey', 'Yearly survey is draft, and only a live campaign can be sent.'],
    ['cmp_winter_sale', 'Winter sale is scheduled, and only a live campaign can be sent.'],
  ])('refuses %s, which is not live, before anybody is asked', async (id, message) => {
    expect(await bot.refused(`campaign send ${id} ada@example.com`)).toMatchObject({
      code: 'not_allowed_now',
      message,
    })
  })

  test.each([
    [404, 'cmp_renewal'],
    [405, 'cmp_renewal'],
  ])('finds the status in the list where the campaign’s own path answers %i', async (status, id) => {
    bot.sandbox.fault({ row: 'getCampaign', kind: 'status', status, times: always })
    const change = await bot.ask(`campaign send ${id} ada@example.com`)
    expect(factsIn(change.preview).Status).toBe('live')
    expect((await bot.refused('campaign send cmp_survey ada@example.com')).code).toBe('not_allowed_now')
    expect((await bot.refused('campaign send cmp_nothing ada@example.com')).code).toBe('not_found')
  })

  test('does not go out when the campaign is taken down in the meantime', async () => {
    const change = await bot.ask('campaign send cmp_welcome ada@example.com')
    const campaign = bot.sandbox.state.email.campaigns.find(({ _id }) => _id === 'cmp_welcome')
    Object.assign(campaign ?? {}, { status: 'draft' })
    expect((await bot.confirm(change)).state).toBe('voided')
    expect(bot.sent('sendCampaign')).toEqual([])
  })

  test('is unknown when the answer is lost, and offers look-ups', async () => {
    bot.sandbox.fault({ row: 'sendCampaign', kind: 'drop_after' })
    const change = await bot.run('campaign send cmp_welcome ada@example.com')
    expect(change.state).toBe('unknown')
    expect(change.lookUps).toEqual(['subscriber get ada@example.com', 'campaign get cmp_welcome'])
    expect(bot.sent('sendCampaign')).toHaveLength(1)
  })

  test.each([
    ['campaign send cmp_welcome ada@example.com,nope,x@y', 'not valid as email addresses: nope, x@y.'],
    [
      'campaign send cmp_welcome ada@example.com --attachments \'[{"filename":"prices","url":"https://a.io/p.pdf"}]\'',
      'an attachment filename needs an extension such as .pdf.',
    ],
    [
      'campaign send cmp_welcome ada@example.com --attachments \'[{"filename":"p.pdf","url":"file:///p.pdf"}]\'',
      'a web address starts with http:// or https://.',
    ],
    ['campaign send cmp_welcome ada@example.com --sender-email nope', 'that is not a valid email address.'],
  ])('refuses %s by name', async (line, message) => {
    expect(await bot.refused(line)).toMatchObject({
      code: 'bad_value',
      message: expect.stringContaining(message),
    })
    expect(bot.sandbox.wire).toEqual([])
  })

  test('warns that mail cannot be called back', async () => {
    const change = await bot.ask('campaign send cmp_welcome ada@example.com')
    expect(notesIn(change.preview)).toContain('cannot be recalled')
  })
})
