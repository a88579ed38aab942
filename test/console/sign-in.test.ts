import { createHash, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { createConsole } from '../../adapters/console/console.ts'
import { type Messenger, MessengerError } from '../../src/kernel/messenger/messenger.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { defined } from '../../src/lib/defined.ts'
import { createHttpServer } from '../../src/lib/http/server.ts'
import { createLog } from '../../src/lib/log.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import { stateOf } from '../harness/connection-state.ts'
import { openConsoleHarness } from './harness.ts'

const policy = `version: 1
unseen: pass
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
groups: { slack: { S0FIN: [finance] } }
everyone: { run: ["bellhop *"] }
policies: [{ name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }]
`
const publicUrl = 'https://bellhop.example.com'
let clock = Date.parse('2026-05-04T10:00:00Z')
const opened = await openConsoleHarness({
  policy,
  now: () => clock,
  entry: { kind: 'sign-in', publicUrl, isGiven: true },
})
const { base, app, store } = opened
const groups = new Map<string, string[]>()
let messengerIsAway = false
const slack: Messenger = {
  platform: 'slack',
  post: async () => 'slack:1',
  edit: async () => undefined,
  direct: async () => 'slack:2',
  membership: async (account) => {
    if (messengerIsAway) throw new MessengerError('later', 'down')
    return groups.get(account) ?? []
  },
}
app.join(slack)

const say = (line: string, account: string, platform = 'slack', groups: string[] = []) =>
  opened.handle({ from: { platform, account, name: account, groups }, intent: { kind: 'line', line } })

const said = async (line: string, account: string, platform?: string, groups?: string[]) => {
  const reply = await say(line, account, platform, groups)
  return 'view' in reply ? textOfView(reply.view) : reply.kind
}

const linkOf = async (account: string): Promise<string> => {
  const [, link = ''] =
    /https:\/\/bellhop\.example\.com\/console\/sign-in#([\w-]{43})/.exec(
      await said('bellhop console', account),
    ) ?? []
  return link
}

const redeem = async (link: string) => {
  const { statusCode, headers, body } = await request(`${base}/console/sign-in`, {
    method: 'POST',
    headers: { origin: base, 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  })
  const cookie = String(headers['set-cookie'] ?? '')
  return { status: statusCode, cookie, pair: cookie.split(';')[0] ?? '', said: await body.text() }
}

const get = async (path: string, cookie: string, host?: string) => {
  const { statusCode, body } = await request(`${base}/console${path}`, {
    headers: { cookie, ...defined({ host }) },
  })
  return { status: statusCode, said: await body.text() }
}

const post = async (path: string, cookie: string, asked: object) => {
  const { statusCode, body } = await request(`${base}/console/api/${path}`, {
    method: 'POST',
    headers: { origin: base, cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ delivery: randomUUID(), ...asked }),
  })
  return { status: statusCode, said: await body.text() }
}

const minute = 60_000

describe('the link of bellhop console', () => {
  test('signs in whoever asked for it, once', async () => {
    const link = await linkOf('U0SAM')
    const first = await redeem(link)
    expect(first.status).toBe(200)
    expect(first.cookie).toMatch(
      /^bellhop_console=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/console; Max-Age=43200; Secure$/,
    )
    expect(JSON.parse((await get('/api/start', first.pair)).said)).toMatchObject({
      people: [{ id: 'sam' }],
      demo: false,
    })
    const second = await redeem(link)
    expect(second).toMatchObject({
      status: 401,
      cookie: '',
      said: expect.stringContaining('Run bellhop console'),
    })
  })

  test('of two that use it at the same moment one gets in', async () => {
    const link = await linkOf('U0SAM')
    const all = await Promise.all(Array.from({ length: 8 }, () => redeem(link)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('lasts five minutes', async () => {
    const [early, late] = [await linkOf('U0SAM'), await linkOf('U0SAM')]
    clock += 5 * minute - 1
    expect((await redeem(early)).status).toBe(200)
    clock += 1
    expect((await redeem(late)).status).toBe(401)
  })

  test('is not used up by a request for its page, as a preview makes it', async () => {
    const link = await linkOf('U0SAM')
    const page = await get('/sign-in', '')
    expect(page).toMatchObject({ status: 200, said: expect.stringContaining('Sign in to the console') })
    expect((await redeem(link)).status).toBe(200)
  })

  test('is stored nowhere as it is, and cannot be shared', async () => {
    const link = await linkOf('U0SAM')
    const reply = await say('bellhop console', 'U0SAM')
    expect(reply).toMatchObject({ kind: 'answer' })
    expect('view' in reply ? (reply.view.actions ?? []) : undefined).toEqual([])
    const entries = JSON.stringify(await store.audit.find({ limit: 100 }))
    expect(entries).toContain('bellhop console')
    expect(entries).not.toContain(link)
    expect(await store.sessions.find(link)).toBeUndefined()
    const { pair } = await redeem(link)
    const [, secret = ''] = pair.split('=')
    expect(await store.sessions.find(secret)).toBeUndefined()
    const digest = createHash('sha256').update(secret).digest('hex')
    expect(await store.sessions.find(digest)).toMatchObject({ person: 'sam', via: 'slack' })
    expect(JSON.stringify(await store.audit.find({ limit: 100 }))).toContain('signed in')
  })

  test.each([
    ['the terminal, where anybody says who they are', 'terminal', 'fay', 'nobody can tell who you are'],
    ['the console itself', 'console', 'fay', 'You are in the console'],
    [
      'an account that the file does not list, whatever its group',
      'slack',
      'U0OTHER',
      'Only people whom bellhop.yml lists',
    ],
  ])('is not given to %s', async (_, platform, account, words) => {
    const answer = await said('bellhop console', account, platform, ['S0FIN'])
    expect(answer).toContain(words)
    expect(answer).not.toContain('/console/sign-in')
  })
})

describe('a session', () => {
  test('acts as its person, and as nobody else', async () => {
    const { pair } = await redeem(await linkOf('U0SAM'))
    expect(
      (await post('say', pair, { as: 'sam', line: 'refund pay_1001 120 --customer cus_1001' })).status,
    ).toBe(200)
    const [change] = await store.changes.list({ states: ['pending'], limit: 1 })
    const id = change?.id ?? ''
    for (const [path, asked] of [
      ['say', { as: 'fay', line: `approval approve ${id}` }],
      ['press', { as: 'fay', verb: 'approve', id }],
      ['form', { as: 'fay', command: 'bellhop whoami', values: {} }],
      ['show', { as: 'fay', id }],
    ] as const) {
      expect(await post(path, pair, asked)).toMatchObject({
        status: 403,
        said: expect.stringContaining('signed in as somebody else'),
      })
    }
    for (const path of ['events', 'commands', 'changes', 'audit', 'complete']) {
      expect((await get(`/api/${path}?as=fay`, pair)).status).toBe(403)
    }
    await post('press', pair, { as: 'sam', verb: 'approve', id })
    expect(await store.changes.get(id)).toMatchObject({ state: 'pending', votes: [] })
    const fay = await redeem(await linkOf('U0FAY'))
    await post('press', fay.pair, { as: 'fay', verb: 'approve', id })
    expect((await store.changes.get(id))?.state).toBe('applied')
  })

  test('is needed for everything but the page that begins one', async () => {
    for (const path of ['', '/app.js', '/api/start', '/api/events?as=sam', '/nowhere']) {
      for (const cookie of ['', 'bellhop_console=', 'bellhop_console=made-up']) {
        expect(await get(path, cookie)).toEqual({
          status: 401,
          said: 'Run bellhop console in Slack or Discord, and open the link that it answers with.\n',
        })
      }
    }
  })

  test('works under the public address, and under no other foreign name', async () => {
    const { pair } = await redeem(await linkOf('U0SAM'))
    expect((await get('', pair, 'bellhop.example.com')).status).toBe(200)
    expect((await get('', pair, 'evil.example')).status).toBe(403)
  })

  test('lasts twelve hours', async () => {
    const { pair } = await redeem(await linkOf('U0SAM'))
    clock += 12 * 60 * minute - 1
    expect((await get('', pair)).status).toBe(200)
    clock += 1
    expect((await get('', pair)).status).toBe(401)
  })

  test('is listed and ended by bellhop sessions, by its own person only', async () => {
    const [one, two] = [await redeem(await linkOf('U0SAM')), await redeem(await linkOf('U0SAM'))]
    const sessions = await store.sessions.of('sam')
    const [id = ''] = sessions.map((session) => session.id)
    expect(sessions).toHaveLength(2)
    expect(await said('bellhop sessions', 'U0SAM')).toContain(id)
    expect(await said('bellhop sessions', 'U0FAY')).not.toContain(id)
    expect(await said(`bellhop sessions --end ${id}`, 'U0FAY')).toContain(`You have no session "${id}".`)
    expect(await said('bellhop sessions --end all', 'U0FAY')).not.toContain(id)
    const open = async () =>
      (await Promise.all([get('', one.pair), get('', two.pair)])).map(({ status }) => status)
    expect(await open()).toEqual([200, 200])
    await said(`bellhop sessions --end ${id}`, 'U0SAM')
    expect((await open()).toSorted()).toEqual([200, 401])
    const unused = await linkOf('U0SAM')
    expect(await said('bellhop sessions --end all', 'U0SAM')).toContain('You have no session')
    expect(await open()).toEqual([401, 401])
    expect((await redeem(unused)).status).toBe(401)
  })

  test('is worth nothing once the policy no longer lists its person', async () => {
    const { pair } = await redeem(await linkOf('U0FAY'))
    const http = createHttpServer()
    const without = { ...app.bot, people: app.bot.people.filter(({ id }) => id !== 'fay') }
    const console = createConsole({
      bot: without,
      http,
      config: { entry: { kind: 'sign-in', publicUrl, isGiven: true }, host: '127.0.0.1', port: 0 },
      previews: {},
      log: createLog('silent'),
    })
    const later = await http.listen({ host: '127.0.0.1', port: 0 })
    const { statusCode, body } = await request(`${later}/console`, { headers: { cookie: pair } })
    await body.dump()
    expect(statusCode).toBe(401)
    await console.stop()
    await http.close()
  })
})

test('nothing to open is printed, and how to get in is', () => {
  expect(opened.console.address).toBeUndefined()
  expect(stateOf(opened.console)).toBe('on, sign in with the link of bellhop console')
})

describe('the roles of a person who is signed in', () => {
  const ask = async () => {
    const asked = await say('refund pay_1003 60 --customer cus_1002', 'U0FAY')
    if (asked.kind !== 'change') throw new Error(asked.kind)
    return asked.change
  }
  const approve = async (cookie: string, change: Change) => {
    await post('press', cookie, { as: 'sam', verb: 'approve', id: buttonIdOf(change) })
    return store.changes.get(change.id)
  }

  test('are also those of the messenger’s groups that they are in at that moment', async () => {
    const { pair } = await redeem(await linkOf('U0SAM'))
    const change = await ask()
    groups.set('U0SAM', [])
    expect((await approve(pair, change))?.state).toBe('pending')
    groups.set('U0SAM', ['S0FIN'])
    const after = await approve(pair, change)
    expect(after?.state).toBe('applied')
    expect(after?.votes).toMatchObject([{ by: { person: 'sam', platform: 'console' } }])
  })

  test('are only those of the file while the messenger cannot be asked', async () => {
    const { pair } = await redeem(await linkOf('U0SAM'))
    groups.set('U0SAM', ['S0FIN'])
    const change = await ask()
    messengerIsAway = true
    expect((await approve(pair, change))?.state).toBe('pending')
    messengerIsAway = false
    groups.clear()
  })
})
