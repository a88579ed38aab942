import { describe, expect, test } from 'vitest'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { fromOf } from '../harness/app.ts'
import { blocksOf, factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()
const codeIn = (view: Parameters<typeof blocksOf>[0]) => blocksOf(view, 'code').map(({ text }) => text)

describe('api call that reads', () => {
  test('shows the JSON as it came, envelope and all', async () => {
    const view = await bot.look('api call billing get /addon/addon_seats')
    expect(view.title).toBe('GET /addon/addon_seats')
    expect(JSON.parse(codeIn(view)[0] ?? '')).toMatchObject({
      status: 'success',
      data: { id: 'addon_seats' },
    })
  })

  test('cuts a long answer visibly and hands over all of it', async () => {
    const reply = await bot.say('api call billing GET /multiplans', 'fay')
    if (reply.kind !== 'answer') throw new Error(reply.kind)
    const shown = codeIn(reply.view)[0] ?? ''
    const whole = reply.file?.content ?? ''
    expect(shown.length).toBeLessThan(2_500)
    expect(notesIn(reply.view)).toContain(
      `${(whole.length - shown.length).toLocaleString('en-US')} more characters of`,
    )
    expect(reply.file).toMatchObject({ name: 'findMultiplans.json', type: 'application/json' })
    expect(JSON.parse(whole)).toMatchObject({ status: 'success' })
  })

  test('joins the query of the path and the flag', async () => {
    await bot.look(`api call email GET /subscribers?status=subscribed --query '{"limit": 5}'`)
    expect(bot.asked()).toEqual(['GET /email/api/v2/subscribers?limit=5&status=subscribed'])
  })

  test('refuses a name that stands in both', async () => {
    const refusal = await bot.refused(`api call email GET /subscribers?limit=2 --query '{"limit": 5}'`)
    expect(refusal.code).toBe('given_twice')
  })

  test('takes a path without its first slash, and an address inside', async () => {
    await bot.look('api call email GET subscribers/<mailto:ada@example.com|ada@example.com>')
    expect(bot.asked()).toEqual(['GET /email/api/v2/subscribers/ada%40example.com'])
  })

  test('finds by its query the one of two rows that is meant', async () => {
    await bot.look(`api call email GET /lists --query '{"name": "Newsletter"}'`)
    expect(bot.sandbox.wire[0]?.row).toBe('findListByName')
  })

  test('takes an encoded slash in a code and in nothing else', async () => {
    const pool = bot.sandbox.state.billing.licenses.find(({ id }) => id === 'lic_502')
    pool?.license_codes.push({ code: 'A/B', is_used: 'no' })
    await bot.run('api call billing DELETE /products/prod_desk/licenses/lic_502/codes/A%2FB')
    expect(bot.asked()).toEqual(['DELETE /billing/api/v1/products/prod_desk/licenses/lic_502/codes/A%2FB'])
    expect(pool?.license_codes.map(({ code }) => code)).not.toContain('A/B')
    for (const path of ['/addon/a%2Fb', '/products/p/licenses/l/codes/A%2F..', '/multiplans%2Fmp_desk']) {
      expect((await bot.refused(`api call billing DELETE ${path}`)).code).toBe('unknown_endpoint')
    }
  })

  test.each(['multiplan find', 'contact lists', 'subscriber stats', 'api call email GET /custom-fields'])(
    'and %s say that the service has no such endpoint where a 404 is about no id',
    async (line) => {
      bot.sandbox.fault({ kind: 'status', status: 404, times: 9 })
      const { code, message } = await bot.refused(line)
      expect(code).toBe('not_found')
      expect(message).toMatch(/^The \w+ service has no such endpoint: GET \/[\w/-]+\.$/)
    },
  )

  test('refuses a query that the endpoint does not take, and a body', async () => {
    expect(await bot.refused('api call billing GET /products/prod_desk/licenses?limit=500')).toMatchObject({
      code: 'bad_value',
      message: expect.stringContaining('at most 100'),
    })
    expect((await bot.refused(`api call billing GET /multiplans --body '{"a": 1}'`)).message).toContain(
      'takes no body',
    )
    expect(bot.sandbox.wire).toEqual([])
  })
})

test('help of api call hands over every endpoint with what is known of its shape', async () => {
  const reply = await bot.say('bellhop help api call', 'fay')
  if (reply.kind !== 'answer') throw new Error(reply.kind)
  expect(notesIn(reply.view)).toContain('endpoints.txt')
  const text = reply.file?.content ?? ''
  expect(text).toContain(
    'billing POST /multiplans\n  Create a multiplan checkout page\n  body: product_id, page_title, plans, multiplan_list?, preferred_plan_id?',
  )
  expect(text).toContain('chat POST /contacts\n  Create a contact\n  body not documented')
  expect(text).toContain('billing GET /products/{product_id}/licenses\n')
  expect(text.match(/^(email|chat|billing) (GET|POST|PUT|DELETE) \//gm)).toHaveLength(67)
})

test('completion lists the paths that begin as typed, and none to somebody who may not call them', async () => {
  const found = await bot.app.bot.suggest(fromOf('fay'), { kinds: ['endpoint'], by: 'id' }, '/multi')
  expect(found).toEqual([
    { label: '/multiplans (billing POST, GET)', value: '/multiplans' },
    {
      label: '/multiplans/{multiplan_id} (billing GET, PUT, DELETE)',
      value: '/multiplans/{multiplan_id}',
    },
  ])
  expect(await bot.app.bot.suggest(fromOf('nobody'), { kinds: ['endpoint'], by: 'id' }, '/multi')).toEqual([])
})

test('completion keeps the id that is typed into a path', async () => {
  const values = async (typed: string) =>
    (await bot.app.bot.suggest(fromOf('fay'), { kinds: ['endpoint'], by: 'id' }, typed)).map(
      ({ value }) => value,
    )
  expect(await values('/transaction/refund/pay_1')).toEqual(['/transaction/refund/pay_1'])
  expect(await values('/products/prod_desk/lic')).toEqual([
    '/products/prod_desk/licenses',
    '/products/prod_desk/licenses/{license_id}',
    '/products/prod_desk/licenses/{license_id}/codes',
    '/products/prod_desk/licenses/{license_id}/codes/{code}',
  ])
})

describe('api call of something undocumented', () => {
  test.each([
    ['billing PATCH /multiplans', 'bad_value'],
    ['billing GET /customers', 'unknown_endpoint'],
    ['billing GET /multiplans/../addon/addon_seats', 'unknown_endpoint'],
    ['billing GET /multiplans/%2e%2e/addon', 'unknown_endpoint'],
    ['billing GET /addon/a%2Fb', 'unknown_endpoint'],
    ['billing GET //evil.example.com/x', 'unknown_endpoint'],
    ['paypal GET /multiplans', 'bad_value'],
  ])('%s is refused and nothing is sent', async (line, code) => {
    expect((await bot.refused(`api call ${line}`)).code).toBe(code)
    expect(bot.sandbox.wire).toEqual([])
  })

  test('names the methods that the path has', async () => {
    expect((await bot.refused('api call billing POST /multiplans/mp_desk/')).usage).toContain(
      'api call billing PUT /multiplans/{multiplan_id}',
    )
  })

  test('names the service that has the path', async () => {
    expect((await bot.refused('api call billing GET /campaigns')).usage).toContain(
      'api call email GET /campaigns',
    )
  })

  test('names paths that are spelled alike', async () => {
    const { usage } = await bot.refused('api call billing GET /multiplan/mp_desk')
    expect(usage?.split('\n')[0]).toBe('api call billing GET /multiplans/{multiplan_id}')
  })
})

describe('api call that writes', () => {
  test('is one request however its path and query are written', async () => {
    const [first, ...others] = await Promise.all(
      [
        `DELETE /addon/addon_seats`,
        `DELETE /addon/addon_seats/`,
        `DELETE addon/addon%5Fseats`,
        `DELETE /addon/%61ddon_seats?`,
      ].map((words) => bot.ask(`api call billing ${words}`)),
    )
    expect(new Set(others.map(({ intent }) => intent))).toEqual(new Set([first?.intent]))
    expect(new Set(others.map(({ preview }) => preview.title))).toEqual(new Set([first?.preview.title]))
    const byPath = await bot.ask('api call billing DELETE /multiplans/mp_desk?b=1&a=2')
    const byFlag = await bot.ask(`api call billing DELETE /multiplans/mp_desk --query '{"a": 2, "b": 1}'`)
    expect(byFlag.intent).toBe(byPath.intent)
  })

  test('is refused when its path hides a character', async () => {
    for (const path of [
      '/addon/addon\u200b_seats',
      '/addon/addon%E2%80%8B_seats',
      '/addon/addon%C2%AD_seats',
    ]) {
      expect(await bot.refused(`api call billing DELETE ${path}`)).toMatchObject({
        code: 'bad_value',
        message: expect.stringContaining('nobody sees: [U+'),
      })
    }
  })

  test('shows the JSON, and what the service does not document', async () => {
    const change = await bot.ask(
      `api call billing PUT /products/prod_desk/licenses/lic_502?dry=no --body '{"name": "Two", "codes": ["X-1"]}'`,
    )
    expect(change.preview.title).toBe('Update a license: PUT /products/prod_desk/licenses/lic_502')
    expect(codeIn(change.preview).map((text) => JSON.parse(text))).toEqual([
      { dry: 'no' },
      { name: 'Two', codes: ['X-1'] },
    ])
    expect(notesIn(change.preview)).toContain('No document of the service shows this request')
    expect(change).toMatchObject({
      area: 'billing',
      names: ['api call', 'license'],
      rule: 'default for billing changes',
      lookUps: ['api call billing GET /products/prod_desk/licenses/lic_502'],
    })
    const settled = await bot.settle(change)
    expect(settled.outcome?.message).toContain('License updated')
    expect(bot.asked()).toEqual(['PUT /billing/api/v1/products/prod_desk/licenses/lic_502?dry=no'])
    expect(bot.sent('updateLicense')).toEqual([{ name: 'Two', codes: ['X-1'] }])
  })

  test('of a refund follows the policy, the amount and the intent of refund', async () => {
    const small = await bot.ask(
      `api call billing POST /transaction/refund/pay_1001 --body '{"amount": 20, "description": "x"}'`,
    )
    expect(small).toMatchObject({ names: ['api call', 'refund'], amount: 20, rule: 'small refund' })
    expect(small.intent).toBe((await bot.ask('refund pay_1001 20')).intent)
    const open = await bot.ask('api call billing POST /transaction/refund/pay_1001')
    expect(open).toMatchObject({ amount: null, rule: 'large refund' })
    expect(open.intent).toBe((await bot.ask('refund pay_1001')).intent)
  })

  test('of a plan change follows the policy and the intent of both its commands', async () => {
    const change = await bot.ask(
      `api call billing PUT /subscription/sub_1001/upgrade-downgrade --body '{"plan_id": "plan_desk_business_m", "payment_mode": "offline", "price": "20", "quantity": "2"}'`,
    )
    expect(change).toMatchObject({ amount: null, rule: 'plan change' })
    expect(change.names.toSorted()).toEqual(['api call', 'downgrade', 'upgrade'])
    const same = await bot.ask('downgrade sub_1001 plan_desk_business_m --payment-mode offline')
    expect(change.intent).toBe(same.intent)
    expect((await bot.settle(change)).state).toBe('applied')
  })

  test('is not a way around a command that somebody may not run', async () => {
    const line = `api call billing POST /transaction/refund/pay_1001 --body '{"amount": 5}'`
    expect((await bot.refused(line, 'sam')).code).toBe('may_not_run')
  })

  test('of a message belongs to the message commands, whatever its kind', async () => {
    const change = await bot.ask(
      `api call chat POST /messages --body '{"to": 15550100001, "type": "text", "text": "Hello"}'`,
    )
    expect(change.area).toBe('chat')
    expect(change.names).toContain('message products')
    expect(change.clauses).toEqual([{ kind: 'confirm' }])
  })

  test.each([
    [
      { type: 'template', templateName: 'order_invoice', link: 'https://files.example.com/i.pdf' },
      'a media template',
    ],
    [
      {
        type: 'template',
        templateName: 'order_invoice',
        link: 'https://files.example.com/i.pdf',
        buttons: ['x'],
      },
      'a template with a link, of a kind that is not documented',
    ],
    [{ type: 'template', templateName: 'login_code' }, 'a template without media'],
    [{ type: 'image', link: 'https://files.example.com/i.png' }, 'an image'],
    [{ type: 'sticker' }, 'a message whose type is not documented (sticker)'],
    [
      { type: 'interactive', interactiveType: 'poll' },
      'a message whose interactiveType is not documented (poll)',
    ],
  ])('of the message %j is named as what it is, and sent as it is', async (kind, words) => {
    const body = { to: 15550110000, ...kind }
    const change = await bot.ask(`api call chat POST /messages --body '${JSON.stringify(body)}'`)
    expect(factsIn(change.preview)['What it does']).toBe(`Send ${words}`)
    await bot.settle(change)
    expect(bot.sandbox.wire.map((entry) => entry.body)).toEqual([body])
  })

  test('and its 404 says that the name or the endpoint is missing', async () => {
    bot.sandbox.fault({ kind: 'status', status: 404 })
    const settled = await bot.run(`api call chat POST /contacts --body '{"name": "Ada"}'`)
    expect(settled.outcome?.message).toContain('or has no endpoint POST /contacts')
  })

  test('is checked by the documented shape before anybody is asked', async () => {
    const bodies = ['{"amount": 0}', '{"amount": 1.5}', '{"amount": "1,000"}', '{"amont": 20}']
    for (const body of bodies) {
      const refusal = await bot.refused(`api call billing POST /transaction/refund/pay_1001 --body '${body}'`)
      expect(refusal.code).toBe('bad_value')
    }
    expect(
      (await bot.refused('api call billing PUT /subscription/sub_1001/upgrade-downgrade')).message,
    ).toMatch(/plan_id.*payment_mode/)
    expect(bot.sandbox.wire).toEqual([])
  })

  test('takes an object as body and nothing else', async () => {
    for (const body of ['[1]', 'null', '"x"', '{broken']) {
      const line = `api call billing PUT /multiplans/mp_desk --body '${body}'`
      expect(await bot.refused(line)).toMatchObject({ code: 'bad_value', field: 'body' })
    }
  })

  test('in another service belongs to that service', async () => {
    const change = await bot.run(`api call email POST /lists --body '{"name": "Spring"}'`)
    expect(change).toMatchObject({
      area: 'email',
      state: 'applied',
      names: ['api call', 'list create', 'list'],
    })
    expect(factsIn(change.preview)).toMatchObject({ Service: 'email' })
  })
})

test('every example of the billing commands runs, and its changes come to a good end', async () => {
  const billing = /^(refund|upgrade|downgrade|multiplan|addon|license|transaction|api)\b/
  for (const command of bot.registry.all.filter(({ name }) => billing.test(name))) {
    for (const line of command.examples) {
      bot.sandbox.reset()
      const reply = await bot.say(line, 'fay')
      if (reply.kind === 'answer') continue
      expect(reply.kind, line).toBe('change')
      if (reply.kind !== 'change') continue
      expect((await bot.settle(reply.change)).state, line).toBe('applied')
      for (const lookUp of reply.change.lookUps) {
        expect(parseLine(bot.registry, lookUp), lookUp).toMatchObject({ ok: true, value: { missing: [] } })
      }
    }
  }
})
