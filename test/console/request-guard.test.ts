import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { openConsoleHarness } from './harness.ts'

const refusals: string[] = []
const open = await openConsoleHarness({
  count: (event) => {
    if (event.kind === 'refused_delivery') refusals.push(event.reason)
  },
})
const locked = await openConsoleHarness({ entry: { kind: 'demo', token: 'a-long-random-token' } })
const { port } = new URL(open.base)
const line = JSON.stringify({
  as: 'p-support',
  delivery: '7d6c5b4a-0000-4000-8000-000000000001',
  line: 'bellhop whoami',
})
const say = (headers: Record<string, string>, base = open.base) =>
  request(`${base}/console/api/say`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: line,
  })

test('the address of the server leads to the console', async () => {
  const { statusCode, headers, body } = await request(open.base)
  await body.dump()
  expect([statusCode, headers.location]).toEqual([302, '/console'])
})

describe('the console answers under its own names only', () => {
  test.each([
    ['127.0.0.1', (at: string) => `127.0.0.1:${at}`, 200],
    ['localhost', (at: string) => `localhost:${at}`, 200],
    ['LOCALHOST', (at: string) => `LOCALHOST:${at}`, 200],
    ['[::1]', (at: string) => `[::1]:${at}`, 200],
    ['a name that points here', (at: string) => `evil.example:${at}`, 403],
    ['a name that starts like ours', (at: string) => `localhost.evil.example:${at}`, 403],
    ['a name that starts like an address', (at: string) => `127.0.0.1.evil.example:${at}`, 403],
    ['another port', () => 'localhost:1', 403],
    ['no port', () => 'localhost', 403],
    ['another address', (at: string) => `192.0.2.1:${at}`, 403],
    ['a user before the name', (at: string) => `localhost:${at}@evil.example`, 403],
  ])('%s', async (_, host, status) => {
    const { statusCode, body } = await request(`${open.base}/console`, { headers: { host: host(port) } })
    await body.dump()
    expect(statusCode).toBe(status)
  })

  test('bound to every address, it may be asked by address and port of a container, but by no foreign name', async () => {
    const wide = await openConsoleHarness({
      entry: { kind: 'demo', token: 'another-token' },
      host: '0.0.0.0',
    })
    const at = `http://127.0.0.1:${new URL(wide.base).port}/console?token=another-token`
    const status = async (host: string) => {
      const { statusCode, body } = await request(at, { headers: { host } })
      await body.dump()
      return statusCode
    }
    expect(await status('192.0.2.1:8080')).toBe(303)
    expect(await status('localhost:8080')).toBe(303)
    expect(await status('evil.example:8080')).toBe(403)
    expect(wide.console.address?.(wide.base)).toMatch(
      /^http:\/\/localhost:\d+\/console\?token=another-token$/,
    )
  })
})

describe('a request that acts comes from the page itself', () => {
  test.each([
    ['its own origin', { origin: open.base }, 200],
    ['no origin', {}, 403],
    ['another site', { origin: 'https://evil.example' }, 403],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
  ])('%s', async (_, headers, status) => {
    const { statusCode, body } = await say(headers as Record<string, string>)
    await body.dump()
    expect(statusCode).toBe(status)
  })

  test('another site may link to the page, and read nothing from it', async () => {
    const from = async (path: string, mode: string) => {
      const { statusCode, body } = await request(`${open.base}/console${path}`, {
        headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode },
      })
      await body.dump()
      return statusCode
    }
    expect(await from('', 'navigate')).toBe(200)
    expect(await from('/api/changes?as=p-finance', 'no-cors')).toBe(403)
  })

  test('each refusal is counted by its reason', () => {
    expect(new Set(refusals)).toEqual(new Set(['host', 'origin']))
  })
})

describe('in a demo that others can reach the printed token is needed', () => {
  test.each([
    '/console',
    '/console/app.js',
    '/console/api/start',
    '/console/api/events?as=p-support',
    '/console/nowhere',
  ])('%s is closed without it', async (path) => {
    const { statusCode, body } = await request(`${locked.base}${path}`)
    expect(statusCode).toBe(401)
    expect(await body.text()).toBe('Open the console at the address that Bellhop printed when it started.\n')
  })

  test.each(['wrong', '', 'a-long-random-toke', 'a-long-random-token2'])(
    'the token "%s" opens nothing',
    async (token) => {
      const { statusCode, headers, body } = await request(`${locked.base}/console?token=${token}`, {
        headers: { cookie: `bellhop_console=${token}` },
      })
      await body.dump()
      expect(statusCode).toBe(401)
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  test('the printed address hands out a cookie that scripts cannot read and other sites cannot send', async () => {
    const printed = locked.console.address?.(locked.base)
    expect(printed).toBe(`${locked.base}/console?token=a-long-random-token`)
    const opened = await request(`${printed}&as=p-finance`)
    await opened.body.dump()
    expect(opened.statusCode).toBe(303)
    expect(opened.headers.location).toBe('/console?as=p-finance')
    const cookie = String(opened.headers['set-cookie'])
    expect(cookie).toBe('bellhop_console=a-long-random-token; HttpOnly; SameSite=Strict; Path=/console')
    const [pair = ''] = cookie.split(';')
    const page = await request(`${locked.base}/console`, { headers: { cookie: `other=1; ${pair}` } })
    expect(await page.body.text()).toContain('<title>Bellhop</title>')
    const said = await say({ origin: locked.base, cookie: pair }, locked.base)
    await said.body.dump()
    expect(said.statusCode).toBe(200)
  })
})

describe('what every answer carries', () => {
  test.each(['/console', '/console/app.js', '/console/api/start', '/console/nowhere'])('%s', async (path) => {
    const { headers, body } = await request(`${open.base}${path}`)
    await body.dump()
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('answers are never kept by anybody; the page is asked for again each time', async () => {
    const cacheOf = async (path: string) => {
      const { headers, body } = await request(`${open.base}/console${path}`)
      await body.dump()
      return headers['cache-control']
    }
    expect(await cacheOf('/api/start')).toBe('no-store')
    expect(await cacheOf('/app.js')).toBe('no-cache')
    const { headers, body } = await request(`${open.base}/console/app.js`)
    await body.dump()
    const again = await request(`${open.base}/console/app.js`, {
      headers: { 'if-none-match': String(headers.etag) },
    })
    await again.body.dump()
    expect(again.statusCode).toBe(304)
  })

  test('nothing outside its folder is served', async () => {
    for (const path of ['/console/..%2fconsole.ts', '/console/%2e%2e/console.ts', '/console/guard.ts']) {
      const { statusCode, body } = await request(`${open.base}${path}`)
      await body.dump()
      expect([400, 403, 404]).toContain(statusCode)
    }
  })
})

test('a body that is too large or not what the page sends is refused in a sentence', async () => {
  const send = async (body: string, type = 'application/json', path = 'say') => {
    const answer = await request(`${open.base}/console/api/${path}`, {
      method: 'POST',
      headers: { origin: open.base, 'content-type': type },
      body,
    })
    return { status: answer.statusCode, said: await answer.body.text() }
  }
  const large = JSON.stringify({ reason: 'x'.repeat(300_000) })
  expect((await send(large, 'application/json', 'press')).status).toBe(413)
  expect((await send(JSON.stringify({ ...JSON.parse(line), line: 'x'.repeat(60_000) }))).status).toBe(400)
  expect((await send('{')).status).toBe(400)
  expect((await send(line, 'text/plain')).status).toBe(400)
  expect((await send(line, 'application/x-www-form-urlencoded')).status).toBe(415)
  const stranger = await send(JSON.stringify({ ...JSON.parse(line), as: 'p-nobody' }))
  expect(stranger).toMatchObject({
    status: 400,
    said: expect.stringContaining('Nobody here goes by this id'),
  })
  const unnumbered = await send(JSON.stringify({ as: 'p-support', line: 'bellhop whoami' }))
  expect(unnumbered).toMatchObject({ status: 400, said: expect.stringContaining('delivery') })
})
