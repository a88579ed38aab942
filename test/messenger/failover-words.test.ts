import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { fates } from '../../src/lib/sql/sqlstates.ts'
import { textOf } from '../harness/app.ts'
import { breakDatabase, saidByServer } from '../harness/broken-database.ts'
import { until } from '../harness/until.ts'
import { agentPolicy, openAgents, tokenOf } from '../mcp/harness.ts'
import { openConsoleConversation } from './console-harness.ts'
import { openDiscordConversation } from './discord-harness.ts'
import { openSlackConversation } from './slack-harness.ts'

const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** What a failover, and whatever else happens to a server, makes of what somebody sends, and the words for it. */
const cases: [name: string, error: Error, stores: boolean, code: string, words: RegExp][] = [
  ...Object.entries(fates).map(([state, { kind }]): (typeof cases)[number] => [
    state,
    saidByServer(state.padEnd(5, '0')),
    false,
    kind === 'full' ? 'disk_full' : 'database_down',
    kind === 'full'
      ? /The disk is full, so nothing was done\.[\s\S]*This does not count/
      : /The database cannot be reached, so nothing was done\.[\s\S]*This does not count/,
  ]),
  ['a lost connection', lost, false, 'database_down', /nothing was done\.[\s\S]*This does not count/],
  ['a connection lost at the commit', lost, true, 'maybe_stored', /may count or not/],
  ['a shutdown at the commit', saidByServer('57P01', 'FATAL'), true, 'maybe_stored', /may count or not/],
  ['a conflict at the commit', saidByServer('40001'), true, 'database_down', /nothing was done/],
]

describe.each([
  ['Slack over HTTP', () => openSlackConversation('http')],
  ['Slack over Socket Mode', () => openSlackConversation('socket')],
  ['Discord over the gateway', () => openDiscordConversation('gateway')],
  ['Discord over HTTP', () => openDiscordConversation('http')],
  ['the console', openConsoleConversation],
])('%s', async (_, open) => {
  const { says, sees, presses, db } = await open()
  const read = () => sees('fay').map(({ id, words }) => [id, words] as const)

  it.each(cases)(
    'says of a vote and of a command what %s means for them',
    async (_, error, stores, __, words) => {
      if (!read().some(([, one]) => one.includes('pay_1001'))) await says('sam', 'refund pay_1001 60')
      const card = await until(() => {
        const found = sees('fay').find(
          ({ words: all, buttons }) => /pay_1001/.test(all) && buttons.includes('Approve'),
        )
        expect(found).toBeDefined()
        return found as NonNullable<typeof found>
      })
      const isNew = (before: ReturnType<typeof read>) =>
        read()
          .filter(([id, one]) => !before.some(([old, said]) => old === id && said === one))
          .map(([, one]) => one)
          .join('\n')
      for (const act of [() => presses('fay', card, 'Approve'), () => says('fay', 'list create Autumn')]) {
        const before = read()
        const repair = breakDatabase(db, error, stores)
        await act().finally(repair)
        await until(() => expect(isNew(before)).toMatch(words))
        expect(isNew(before)).not.toMatch(/Something broke/)
      }
    },
  )
})

describe('agents and the terminal', async () => {
  const { base, db, say, close } = await openAgents({ policy: agentPolicy.replace('rate: 5', 'rate: 600') })
  afterAll(close)
  const headers = { authorization: `Bearer ${tokenOf('helper')}`, 'content-type': 'application/json' }
  const refund = { command: 'refund', values: { payment_id: 'pay_1001', amount: 60 } }
  const json = async (answer: Response) => ({ status: answer.status, text: await answer.text() })
  const post = (path: string, body: unknown, more: object = {}) =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    }).then(json)

  it.each(cases)('read %s by its code', async (_, error, stores, code, words) => {
    const repair = breakDatabase(db, error, stores)
    try {
      const rest = await post('/api/requests', refund, { 'idempotency-key': randomUUID() })
      expect(rest.status).toBe(503)
      expect(rest.text).toContain(`"code":"${code}"`)
      const get = await fetch(`${base}/api/requests`, { headers }).then(json)
      expect(get.text).not.toContain('"code":"broken"')
      const mcp = await post(
        '/mcp',
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'refund', arguments: refund.values },
        },
        { accept: 'application/json, text/event-stream' },
      )
      expect(mcp.text).toContain(code)
      expect(textOf(await say('refund pay_1001 60', 'sam'))).toMatch(words)
    } finally {
      repair()
    }
  })
})
