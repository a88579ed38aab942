import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import {
  namingModules,
  newFolder,
  refusedStart,
  startBot,
  startProcess,
  stopProcess,
} from '../harness/bot-process.ts'
import { listen } from '../harness/listen.ts'
import { runTool } from '../harness/tool.ts'

test('a start with nothing configured says what is on, what is off and what turns it on, and answers at its address until Ctrl-C', async () => {
  const bot = await startBot({ DATA_DIR: newFolder(), NODE_OPTIONS: namingModules(/opentelemetry.(?!api)/) })
  const banner = bot.out()
  // Whoever wants no traces pays nothing for them; the metrics' own library brings the API of that name.
  expect(banner).not.toContain('LOADED')
  expect(banner).toMatch(/Bellhop \d+\.\d+\.\d+, demo/)
  for (const [what, state] of [
    ['Email', /SANDBOX, made-up data .*EMAIL_BASE_URL/],
    ['Messaging', /SANDBOX, made-up data .*CHAT_BASE_URL/],
    ['Billing', /SANDBOX, made-up data .*BILLING_BASE_URL/],
    ['Slack', /off .*SLACK_BOT_TOKEN.*SLACK_SIGNING_SECRET.*SLACK_APP_TOKEN/],
    ['Discord', /off .*DISCORD_TOKEN.*DISCORD_APPLICATION_ID/],
    ['Database', /embedded, in \S+ .*DATABASE_URL/],
    ['Policy', /the demo policy .*bellhop\.yml.*BELLHOP_CONFIG/],
    ['Console', /off .*CONSOLE=on/],
  ] as const) {
    expect(lineOf(banner, what)).toMatch(state)
  }

  const { base } = bot
  expect(new URL(base).hostname).toBe('127.0.0.1')
  expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${base}/readyz`)).json()).toMatchObject({
    status: 'ready',
    parts: expect.arrayContaining([
      { part: 'database', state: 'connected' },
      { part: 'mcp requests', state: 'connected' },
    ]),
  })
  expect(await (await fetch(`${base}/metrics`)).text()).toContain('bellhop_queue_depth')
  expect(await stopProcess(bot, 'SIGINT')).toMatchObject({ code: 0 })
  expect(bot.err()).toBe('')
})

test('the demo opens the console at an address of this machine, without a token', async () => {
  const bot = startProcess({ env: { PORT: '0', DATA_DIR: newFolder() } })
  const [, address = ''] = await bot.printed(/Console +(http:\S+)[\s\S]*Stop with Ctrl-C/)
  expect(bot.out()).toContain('Acting as somebody is for trying out')
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console$/)
  const page = await fetch(address)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
})

test('a console that others could reach asks for the token in the printed address, in the demo too', async () => {
  const bot = startProcess({ env: { PORT: '0', HOST: '0.0.0.0', DATA_DIR: newFolder() } })
  const [, address = ''] = await bot.printed(/Console +(http:\S+)[\s\S]*Stop with Ctrl-C/)
  const { port, searchParams } = new URL(address)
  expect(searchParams.get('token')).toMatch(/^[\w-]{24}$/)
  expect((await fetch(`http://127.0.0.1:${port}/console`)).status).toBe(401)
  const entered = await fetch(`http://127.0.0.1:${port}/console?${searchParams}`, { redirect: 'manual' })
  expect([entered.status, entered.headers.get('set-cookie')]).toEqual([
    303,
    expect.stringContaining('HttpOnly'),
  ])
})

test('a second start keeps what the first one knew, and no open connection keeps SIGTERM from stopping it', async () => {
  const env = { DATA_DIR: newFolder() }
  expect(await runTool('say', ['refund pay_1001 120 --customer cus_1001'], { env })).toMatchObject({
    code: 3,
  })
  const first = await startBot(env)
  expect(await stopProcess(first)).toMatchObject({ code: 0 })
  const bot = await startBot(env)
  expect(await (await fetch(`${bot.base}/metrics`)).text()).toContain('bellhop_changes{state="pending"} 1')
  const { hostname, port } = new URL(bot.base)
  const idle = connect(Number(port), hostname)
  const endless = connect(Number(port), hostname)
  for (const socket of [idle, endless]) {
    socket.on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
  }
  endless.write(
    'POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  )
  await Promise.all([idle, endless].map((socket) => socket.readyState === 'open' || once(socket, 'connect')))
  // The server has read what came before this request when it answers it.
  await fetch(`${bot.base}/healthz`)
  const { code } = await stopProcess(bot)
  expect(code).toBe(0)
  expect(bot.err()).toBe('')
})

test('a port in use is a sentence with a way out', async () => {
  const { port, close } = await listen(createServer())
  onTestFinished(close)
  const { code, out, lines } = await refusedStart({
    PORT: String(port),
    CONSOLE: 'off',
    DATA_DIR: newFolder(),
  })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(new RegExp(`^Port ${port} is in use\\..*PORT=\\d+ npm start`))
})

const lineOf = (banner: string, what: string): string =>
  banner.split('\n').find((line) => line.trim().startsWith(what)) ?? ''
