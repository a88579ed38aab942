import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createSandboxState } from '../../sandbox/sandbox.ts'
import { type BotProcess, newFolder, startBot, startProcess, stopProcess } from '../harness/bot-process.ts'
import { listen } from '../harness/listen.ts'

const policy = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
roles: { all: { run: ["*"] } }
policies: [{ name: refund, commands: [refund], require: confirm }]
`

test('SIGTERM in the middle of a refund that gets no answer ends in time, and the refund is unknown and not repeated', async () => {
  const billing = await serveSilence()
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), policy)
  const env = {
    BILLING_BASE_URL: billing.url,
    BILLING_API_KEY: 'k',
    BILLING_SECRET_KEY: 's',
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
  }
  const bot = startProcess({ env: { ...env, PORT: '0', CONSOLE: 'on', PUBLIC_URL: 'http://127.0.0.1' } })
  const console = await enter(bot, folder)
  await console.send('say', { line: 'refund pay_1001 10 --customer cus_1001' })
  const [{ id } = { id: '' }] = await console.waiting()
  // It is not answered before the bot stops, unless it is refused.
  const pressed = console.send('press', { verb: 'confirm', id }).then((answer) => answer.text(), String)
  expect(await Promise.race([billing.arrived, pressed])).toBeUndefined()
  const { code } = await stopProcess(bot)
  expect(code).toBe(0)

  const next = await startBot(env)
  const metrics = await (await fetch(`${next.base}/metrics`)).text()
  expect(metrics).toContain('bellhop_changes{state="unknown"} 1')
  expect(metrics).toContain('bellhop_changes{state="applying"} 0')
  expect(await stopProcess(next)).toMatchObject({ code: 0 })
  expect(billing.refunds()).toBe(1)
})

/** Shows the payments of the demo, takes refunds and says nothing. */
const serveSilence = async () => {
  const { transactions } = createSandboxState().billing
  let refunds = 0
  let arrive: () => void
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      const data = request.url?.includes('/transactions/cus_1001')
        ? transactions.filter(({ customer_id }) => customer_id === 'cus_1001')
        : []
      return void response.end(JSON.stringify({ status: 'success', data }))
    }
    refunds += 1
    arrive()
  })
  const { origin, close } = await listen(server)
  onTestFinished(close)
  return { url: `${origin}/api/v1`, arrived, refunds: () => refunds }
}

/** Goes into the console as Ann, by a link as a messenger would have given it to her. */
const enter = async (bot: BotProcess, folder: string) => {
  const [, address = ''] = await bot.printed(/Server +(http:\S+)[\s\S]*Stop with Ctrl-C/)
  expect(bot.out()).toMatch(/Console +on, sign in with the link of bellhop console\n/)
  const { origin } = new URL(address)
  const link = 'a-link-for-ann'
  const db = new DatabaseSync(join(folder, 'bellhop.sqlite'), { timeout: 10_000 })
  db.prepare("INSERT INTO sign_ins VALUES ('s1', ?, 'link', 'ann', 'slack', 0, ?)").run(
    createHash('sha256').update(link).digest('hex'),
    Date.now() + 60_000,
  )
  db.close()
  const { headers } = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ link }),
  })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    send: (what: 'say' | 'press', asked: object) =>
      fetch(`${origin}/console/api/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie },
        body: JSON.stringify({ as: 'ann', delivery: crypto.randomUUID(), ...asked }),
      }),
    waiting: async () => {
      const answer = await fetch(`${origin}/console/api/changes?as=ann`, { headers: { cookie } })
      return (await answer.json()) as { id: string }[]
    },
  }
}

test('SIGTERM while a messenger hangs ends with 0', async () => {
  let posts = 0
  const slack = createServer((request) => {
    if (request.url?.includes('chat.post')) posts += 1
  })
  const { origin, close } = await listen(slack)
  onTestFinished(close)
  const folder = newFolder()
  const file = join(folder, 'bellhop.yml')
  writeFileSync(file, policy.replace('name: Ann,', 'name: Ann, slack: U0ANN,'))
  const secret = 'a-signing-secret'
  const bot = await startBot({
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: secret,
    SLACK_API_URL: `${origin}/api/`,
    SANDBOX: 'on',
    BELLHOP_CONFIG: file,
    DATA_DIR: folder,
    LOG_LEVEL: 'fatal',
  })
  const body = new URLSearchParams({
    command: '/refund',
    text: 'pay_1001 10',
    trigger_id: 't1',
    user_id: 'U0ANN',
    channel_id: 'D0ANN',
  }).toString()
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
  const taken = await fetch(`${bot.base}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
    body,
  })
  expect(taken.status).toBe(200)
  await expect.poll(() => posts).toBeGreaterThan(0)
  const { code } = await stopProcess(bot)
  expect(code).toBe(0)
})
