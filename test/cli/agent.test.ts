import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { entry, newFolder, startBot, startProcess } from '../harness/bot-process.ts'
import { runTool } from '../harness/tool.ts'

const agent = (env: Record<string, string>, ...line: string[]) => runTool('agent', line, { env })

test('the agent of the demo looks up, asks for a refund, and tells the end when somebody approves it', async () => {
  const DATA_DIR = newFolder()
  const { base } = await startBot({ CONSOLE: 'on', DATA_DIR })
  const env = { DATA_DIR, PORT: new URL(base).port }

  expect(await agent(env, 'subscriber get ada@example.com')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Northwind Cycles'),
  })

  const line = 'refund pay_1001 20 --customer cus_1001 --description "Charged twice"'
  const asking = startProcess({ args: entry('src/cli/agent.ts', line), env })
  const [, id = ''] = await asking.printed(/Waiting for people to decide about (\w+)/)
  const post = (path: string, body: object) =>
    fetch(`${base}/console/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: base },
      body: JSON.stringify({ delivery: randomUUID(), id, ...body }),
    })
  for (const as of ['p-support', 'p-finance']) {
    // A decision by an id alone is for what its author was shown.
    await post('show', { as })
    await post('press', { as, verb: 'approve' })
  }
  expect((await asking.ended).code).toBe(0)
  expect(asking.out()).toContain('Charged twice')
  expect(asking.out()).toMatch(/refunded: 20/)

  const refused = await agent(env, 'multiplan find')
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('There is no tool for "multiplan find"')
})

test('the agent says what is missing in one sentence', async () => {
  const lost = await agent({ DATA_DIR: newFolder() }, 'bellhop whoami')
  expect(lost.code).toBe(2)
  expect(lost.err).toBe(
    'There is no token: start the demo with npm start, or set BELLHOP_TOKEN to that of your agent.\n',
  )
  const nobody = await agent({ BELLHOP_TOKEN: 'x'.repeat(40), PORT: '9' }, 'bellhop whoami')
  expect(nobody.code).toBe(2)
  expect(nobody.err).toMatch(
    /^http:\/\/127\.0\.0\.1:9\/mcp does not let us in: .*Is the bot running, with MCP=on\?\n$/,
  )
})
