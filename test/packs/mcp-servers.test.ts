import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { pack as everything } from '../../examples/everything/index.ts'
import { pack as resend } from '../../examples/resend/index.ts'
import { openTestApp, type TestApp, textOf } from '../harness/app.ts'
import { freePort } from '../harness/free-port.ts'
import { until } from '../harness/until.ts'
import { whenDone } from '../harness/when-done.ts'
import { drop, json, startRecorder } from '../services/recorder.ts'

// Two servers that others wrote: the reference server of the protocol, and that of Resend, which sends mail through an API that is
// played here.

const api = await startRecorder(json({ id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' }))
whenDone(api.stop)

const node = process.execPath
const everythingAt = resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const resendAt = resolve('node_modules/resend-mcp/dist/index.js')

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [lead] }
roles:
  support: { run: ["*"] }
  lead: { run: ["*"], approve: ["*"] }
policies:
  - { name: mail, commands: [resend send-email, resend send-broadcast], require: { approvals: 1, from: [lead] } }
`

/** Starts a server of its own, and says where it is when it is there. */
const started = async (script: string, args: string[], variables: Record<string, string>, path: string) => {
  const port = await freePort()
  const own = { PORT: String(port), ...variables }
  const child = spawn(node, [script, ...args.map((one) => one.replace('PORT', String(port)))], {
    env: own,
    stdio: 'ignore',
  })
  whenDone(() => new Promise((gone) => child.once('exit', gone) && child.kill('SIGKILL')))
  const url = `http://127.0.0.1:${port}${path}`
  await until(() => fetch(url, { method: 'POST' }))
  return url
}

const variables = { RESEND_BASE_URL: api.origin }
const ways = {
  'a process': async () => ({
    everything: `${node} ${everythingAt} stdio`,
    resend: `RESEND_BASE_URL=${api.origin} ${node} ${resendAt}`,
  }),
  HTTP: async () => ({
    everything: await started(everythingAt, ['streamableHttp'], {}, '/mcp'),
    resend: await started(resendAt, ['--http', '--port', 'PORT'], variables, '/mcp'),
  }),
}

const botAt = (where: { everything: string; resend: string }): Promise<TestApp> =>
  openTestApp({
    policy,
    packs: [everything, resend],
    tasks: false,
    front: async ({ services }) => ({
      ...services,
      everything: { baseUrl: where.everything },
      resend: { baseUrl: where.resend, token: 're_secret_1' },
    }),
  })

const mail = 'resend send-email "Your refund" "It is on its way." team@acme.example --to ada@example.com'
const sent = () => api.requests.filter(({ method, url }) => method === 'POST' && url === '/emails')

test.each(Object.entries(ways))(
  'a look-up, a change that somebody approves, and one whose end nobody knows, over %s',
  async (_, open) => {
    api.requests.length = 0
    api.respond = json({ id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' })
    const bot = await botAt(await open())
    const sum = await bot.say('everything get-sum --a 2 --b 3', 'sam')
    expect(textOf(sum)).toContain('The sum of 2 and 3 is 5')
    const weather = textOf(await bot.say('everything get-structured-content Chicago', 'sam'))
    expect(weather).toMatch(/Temperature\s+36/)

    const asked = await bot.say(mail, 'sam')
    if (asked.kind !== 'change') throw new Error(textOf(asked))
    expect(textOf(asked)).toMatch(/To\s+ada@example.com[\s\S]*Text\s+It is on its way\./)
    expect(await bot.press('approve', asked.change.id, 'sam')).toMatchObject({
      refusal: { code: 'own_request' },
    })
    expect(sent()).toEqual([])
    const done = await bot.press('approve', asked.change.id, 'fay')
    expect(done).toMatchObject({ kind: 'change', change: { state: 'applied' } })
    expect(sent().map(({ body }) => JSON.parse(body))).toMatchObject([
      { to: ['ada@example.com'], subject: 'Your refund' },
    ])
    expect(sent()[0]?.headers).toMatchObject({
      authorization: 'Bearer re_secret_1',
      'idempotency-key': expect.stringMatching(/\w{8}/),
    })

    // The server says only that something went wrong behind it, and the mail may be on its way.
    api.respond = drop
    const again = await bot.say(mail.replace('Your refund', 'Your second refund'), 'sam')
    if (again.kind !== 'change') throw new Error(textOf(again))
    const open2 = await bot.press('approve', again.change.id, 'fay')
    expect(open2).toMatchObject({ kind: 'change', change: { state: 'unknown' } })
    expect(textOf(open2)).toContain('That does not say that nothing was done')
  },
)
