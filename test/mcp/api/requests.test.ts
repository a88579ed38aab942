import { afterAll, describe, expect, it } from 'vitest'
import { eachEngine } from '../../harness/database.ts'
import { agentPolicy, openAgents, tokenOf } from '../harness.ts'

let clock = Date.now()
const opened = await openAgents({ policy: agentPolicy, now: () => clock })
const { base, store, press } = opened
afterAll(opened.close)

type Sent = { agent?: string | null; key?: string; headers?: Record<string, string>; at?: string }

const call = (
  method: string,
  path: string,
  body?: unknown,
  { agent = 'helper', key, headers, at = base }: Sent = {},
) =>
  fetch(`${at}${path}`, {
    method,
    headers: {
      ...(agent === null ? {} : { authorization: `Bearer ${tokenOf(agent)}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })

let keys = 0
const newKey = () => `key-${++keys}`
const refund = (payment: string, amount: number | string) => ({
  command: 'refund',
  values: { payment_id: payment, amount },
})

/** Every problem has the same form, and nothing of a token in it. */
const problemOf = async (answer: Response) => {
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await answer.json()) as Record<string, unknown>
  expect(problem).toMatchObject({
    type: `urn:bellhop:refusal:${problem.code}`,
    status: answer.status,
    title: expect.any(String),
    detail: expect.stringMatching(/[.?]$/),
    next: expect.any(String),
  })
  expect(JSON.stringify(problem)).not.toContain('-token-')
  return [answer.status, problem.code]
}

describe('a call is refused with a status, a code and what to do next', () => {
  it.each<[string, string, string, unknown, Sent, number, string]>([
    ['no token', 'GET', '/api/requests', undefined, { agent: null }, 401, 'no_token'],
    ['a wrong token', 'GET', '/api/requests', undefined, { agent: 'nobody' }, 401, 'no_token'],
    [
      'a token in the address',
      'GET',
      '/api/requests?token=helper-token-0',
      undefined,
      { agent: null },
      401,
      'no_token',
    ],
    [
      'another origin',
      'GET',
      '/api/requests',
      undefined,
      { headers: { origin: 'https://evil.example.com' } },
      403,
      'may_not_run',
    ],
    ['no such address', 'GET', '/api/nothing', undefined, {}, 404, 'unknown_endpoint'],
    ['a method that it has not', 'DELETE', '/api/requests', undefined, {}, 405, 'unknown_endpoint'],
    ['no such change', 'GET', '/api/requests/abc', undefined, {}, 404, 'no_such_change'],
    ['a state that there is not', 'GET', '/api/requests?state=done', undefined, {}, 400, 'bad_value'],
    ['a parameter that there is not', 'GET', '/api/requests?sort=up', undefined, {}, 400, 'unknown_field'],
    ['a wait that is too long', 'GET', '/api/requests/abc?wait_seconds=51', undefined, {}, 400, 'bad_value'],
    ['a mark that no page had', 'GET', '/api/requests?before=x', undefined, {}, 400, 'bad_value'],
    ['a page that is too long', 'GET', '/api/requests?limit=101', undefined, {}, 400, 'bad_value'],
    ['the same twice', 'GET', '/api/requests?limit=1&limit=2', undefined, {}, 400, 'bad_value'],
    ['no key', 'POST', '/api/requests', refund('pay_1001', 120), {}, 400, 'missing_key'],
    [
      'a key that is too long',
      'POST',
      '/api/requests',
      refund('pay_1001', 120),
      { key: 'k'.repeat(201) },
      400,
      'bad_value',
    ],
    ['no JSON', 'POST', '/api/requests', '{ "line": ', { key: 'a' }, 400, 'bad_value'],
    [
      'another type',
      'POST',
      '/api/requests',
      'line=x',
      { key: 'a', headers: { 'content-type': 'text/plain' } },
      415,
      'bad_value',
    ],
    [
      'too long a body',
      'POST',
      '/api/requests',
      { line: 'x'.repeat(1_100_000) },
      { key: 'a' },
      413,
      'too_large',
    ],
    ['neither a line nor a command', 'POST', '/api/requests', { values: {} }, { key: 'a' }, 422, 'bad_value'],
    [
      'both',
      'POST',
      '/api/requests',
      { line: 'refund pay_1001', command: 'refund' },
      { key: 'a' },
      422,
      'bad_value',
    ],
    [
      'an unknown command',
      'POST',
      '/api/requests',
      { command: 'refnd', values: {} },
      { key: 'a' },
      422,
      'unknown_command',
    ],
    [
      'an unknown line',
      'POST',
      '/api/requests',
      { line: 'refnd pay_1001' },
      { key: 'a' },
      422,
      'unknown_command',
    ],
    [
      'an unknown value',
      'POST',
      '/api/requests',
      { command: 'refund', values: { payment: 'x' } },
      { key: 'a' },
      422,
      'unknown_field',
    ],
    [
      'a value of /mcp',
      'POST',
      '/api/requests',
      { command: 'refund', values: { payment_id: 'pay_1001', wait_seconds: 5 } },
      { key: 'a' },
      422,
      'unknown_field',
    ],
    [
      'a missing value',
      'POST',
      '/api/requests',
      { command: 'refund', values: {} },
      { key: 'a' },
      422,
      'missing_arguments',
    ],
    [
      'a look-up as a request',
      'POST',
      '/api/requests',
      { line: 'subscriber get ada@example.com' },
      { key: 'a' },
      400,
      'wrong_way',
    ],
    ['a change as a look-up', 'POST', '/api/look-ups', refund('pay_1001', 120), {}, 400, 'wrong_way'],
    [
      'a command of others',
      'POST',
      '/api/requests',
      { command: 'multiplan delete', values: { id: 'x' } },
      { key: 'a' },
      403,
      'may_not_run',
    ],
    [
      'a decision',
      'POST',
      '/api/requests',
      { line: 'approval approve abc' },
      { key: 'a' },
      403,
      'may_not_approve',
    ],
    [
      'what nobody has',
      'POST',
      '/api/look-ups',
      { line: 'subscriber get nobody@example.org' },
      {},
      404,
      'not_found',
    ],
  ])('%s', async (_, method, path, body, sent, status, code) => {
    expect(await problemOf(await call(method, path, body, sent))).toEqual([status, code])
  })

  it('and nothing was asked for', async () => {
    expect(await store.changes.list({ limit: 10 })).toEqual([])
  })
})

it('a change through api call is no look-up, whatever the address says', async () => {
  const all = { line: 'api call billing POST /transaction/refund/pay_1001 --body {"amount":"5"}' }
  expect(await problemOf(await call('POST', '/api/look-ups', all))).toEqual([400, 'wrong_way'])
})

it('a request is accepted with its id, its state and its address', async () => {
  const answer = await call('POST', '/api/requests', refund('pay_1001', 120), { key: newKey() })
  const told = (await answer.json()) as { id: string }
  expect([answer.status, answer.headers.get('location')]).toEqual([202, `/api/requests/${told.id}`])
  expect(told).toMatchObject({ state: 'pending', command: 'refund', needs: '1 approval from finance' })
  const look = await call('GET', `/api/requests/${told.id}`)
  expect([look.status, await look.json()]).toEqual([200, told])
})

it('another agent neither sees a request nor shares its key', async () => {
  const key = newKey()
  const first = (await (await call('POST', '/api/requests', refund('pay_1002', 110), { key })).json()) as {
    id: string
  }
  expect((await call('GET', `/api/requests/${first.id}`, undefined, { agent: 'clerk' })).status).toBe(404)
  const listed = (await (await call('GET', '/api/requests', undefined, { agent: 'clerk' })).json()) as {
    requests: []
  }
  expect(listed.requests).toEqual([])
  const other = (await (
    await call('POST', '/api/requests', refund('pay_1003', 110), { key, agent: 'clerk' })
  ).json()) as { id: string }
  expect(other.id).not.toBe(first.id)
})

it('requests are listed by state, page by page, the last changed first', async () => {
  const made: string[] = []
  for (const amount of [101, 102, 103]) {
    clock += 1_000
    const answer = await call('POST', '/api/requests', refund('pay_1004', amount), {
      key: newKey(),
      agent: 'clerk',
    })
    made.unshift(((await answer.json()) as { id: string }).id)
  }
  clock += 1_000
  await press('reject', made[2] as string, 'finn', 'not this one')
  type Page = { requests: { id: string; state: string }[]; next?: string }
  const page = async (query: string) =>
    (await (await call('GET', `/api/requests?${query}`, undefined, { agent: 'clerk' })).json()) as Page
  const pending = await page('state=pending&limit=2')
  expect(pending.requests.map(({ id }) => id)).toEqual(made.slice(0, 2))
  expect((await page(`state=pending&before=${pending.next}`)).requests.map(({ state }) => state)).toEqual([
    'pending',
  ])
  expect((await page('state=rejected')).requests.map(({ id }) => id)).toEqual([made[2]])
})

eachEngine('a key names one request', (engine) => {
  it('a copy gets the first answer, and another body is refused', async () => {
    const { base: at, press: decide, store: kept } = await openAgents({ engine })
    const key = 'one'
    const ask = (body: unknown, named = key) => call('POST', '/api/requests', body, { key: named, at })
    const copies = await Promise.all(Array.from({ length: 8 }, () => ask(refund('pay_1001', 120))))
    const answers = (await Promise.all(copies.map((one) => one.json()))) as { id: string; state: string }[]
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    const [first] = answers
    await decide('approve', first?.id ?? '', 'fay')
    for (const same of [
      refund('pay_1001', 120),
      refund('pay_1001', '120.00'),
      { line: 'refund pay_1001 120' },
    ]) {
      const copy = await ask(same)
      expect([copy.status, await copy.json()]).toEqual([202, first])
    }
    const wrong = [refund('pay_1001', 121), { command: 'refund', values: {} }, { line: 'list create Other' }]
    for (const other of wrong) expect(await problemOf(await ask(other))).toEqual([409, 'key_reused'])
    expect(await kept.changes.list({ limit: 10 })).toHaveLength(1)
    const refused = await ask({ command: 'refund', values: {} }, 'two')
    expect(refused.status).toBe(422)
    expect((await ask(refund('pay_1002', 120), 'two')).status).toBe(202)
  })
})

it('says how many calls are left, and when more are', async () => {
  const answers: Response[] = []
  for (let n = 0; n < 6; n++) answers.push(await call('GET', '/api/requests', undefined, { agent: 'frugal' }))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"calls";q=5;w=60')
  expect(answers[0]?.headers.get('ratelimit')).toBe('"calls";r=4;t=60')
  const last = answers[5] as Response
  expect(last.headers.get('ratelimit-remaining')).toBe('0')
  expect(last.headers.get('retry-after')).toBe('60')
  expect(await problemOf(last)).toEqual([429, 'too_many_calls'])
  clock += 60_000
  expect((await call('GET', '/api/requests', undefined, { agent: 'frugal' })).status).toBe(200)
})

it('every address says that agents are frozen', async () => {
  const { base: at, say } = await openAgents()
  const key = newKey()
  const before = refund('pay_1002', 120)
  expect((await call('POST', '/api/requests', before, { at, key })).status).toBe(202)
  await say('freeze agents --reason "Odd requests"', 'finn')
  for (const [method, path, body] of [
    ['GET', '/api/requests', undefined],
    ['GET', '/api/requests/abc', undefined],
    ['POST', '/api/requests', refund('pay_1001', 120)],
    ['POST', '/api/look-ups', { line: 'subscriber get ada@example.com' }],
  ] as const) {
    const answer = await call(method, path, body, { at, key: newKey() })
    expect([path, await problemOf(answer)]).toEqual([path, [409, 'frozen']])
  }
  // What was answered before the freeze is not handed out under it.
  const again = await call('POST', '/api/requests', before, { at, key })
  expect(await problemOf(again)).toEqual([409, 'frozen'])
})

const values = { payment_id: 'pay_1003', amount: 120 }
const people = (name: string) => ({
  name: 'people.csv',
  content: `email,first name\nada@example.com,${name}\n`,
})
describe('a key stands for all that was asked under it', () => {
  const send = { command: 'subscriber import', values: { file: people('Adele') } }
  it.each<[string, object, object]>([
    [
      'somebody else who is asked as well',
      { command: 'refund', values },
      { command: 'refund', values: { ...values, also: 'fay' } },
    ],
    [
      'another one',
      { command: 'refund', values: { ...values, also: 'fay' } },
      { command: 'refund', values: { ...values, also: 'finn' } },
    ],
    ['a time', { command: 'refund', values }, { command: 'refund', values: { ...values, at: 'in 2h' } }],
    [
      'another time',
      { command: 'refund', values: { ...values, at: 'in 2h' } },
      { command: 'refund', values: { ...values, at: 'in 3h' } },
    ],
    [
      'another amount',
      { command: 'refund', values },
      { command: 'refund', values: { ...values, amount: 121 } },
    ],
    [
      'another reason',
      { command: 'refund', values },
      { command: 'refund', values: { ...values, reason: 'another one' } },
    ],
    ['as a line', { line: 'refund pay_1003 120' }, { line: 'refund pay_1003 120 --also fay' }],
    ['another file', send, { ...send, values: { ...send.values, file: people('Adriana') } }],
  ])('%s is another request', async (_, first, other) => {
    const key = newKey()
    const asked = await call('POST', '/api/requests', first, { key })
    const { id } = (await asked.json()) as { id: string }
    expect([asked.status, id]).toEqual([202, expect.any(String)])
    expect(await problemOf(await call('POST', '/api/requests', other, { key }))).toEqual([409, 'key_reused'])
    const again = await call('POST', '/api/requests', first, { key })
    expect([again.status, await again.json()]).toMatchObject([202, { id }])
  })
})
