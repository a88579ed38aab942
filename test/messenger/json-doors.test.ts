import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { parseBounded } from '../../src/lib/codecs/bounded-json.ts'
import { interpretAnswer } from '../../src/lib/services/client/interpret.ts'
import { rowById } from '../../src/lib/services/endpoints/tables.ts'
import { ServiceError } from '../../src/lib/services/errors.ts'
import { openConsoleHarness } from '../console/harness.ts'
import { openDiscordHarness } from '../discord/harness.ts'
import { openAgents, tokenOf } from '../mcp/harness.ts'
import { encodePayload, signRequest } from '../slack/fake/wire.ts'
import { openSlackHarness } from '../slack/harness.ts'

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const wide = (values: number): string => `[${Array.from({ length: values }, () => '0').join(',')}]`

/** What every door is sent, in a place where it does not read closely. */
const hostile: [string, string][] = [
  ['nests 10,000 deep', nested(10_000)],
  ['holds 100,000 values', wide(100_000)],
  ['holds 100,000 names', `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":0`).join(',')}}`],
]

describe('JSON that others wrote', () => {
  it.each([
    ['nested as deep as allowed', nested(40)],
    ['with as many values as allowed', wide(19_999)],
    ['with brackets in its text', JSON.stringify({ a: '[{"\\'.repeat(30_000) })],
    ['with a text of nothing but backslashes', JSON.stringify('\\'.repeat(50_001))],
  ])('is read %s', (_, text) => {
    expect(parseBounded(text)).toEqual(JSON.parse(text))
  })

  it.each([...hostile, ['nests one too deep', nested(41)], ['holds one value too many', wide(20_001)]])(
    'is refused when it %s',
    (_, text) => {
      expect(() => parseBounded(text)).toThrow(SyntaxError)
    },
  )

  it.each(['{"a":', '"', '"\\', '[1,', ''])('is told broken where it is broken: %s', (text) => {
    expect(() => parseBounded(text)).toThrow(SyntaxError)
  })
})

describe('a body that comes through', async () => {
  const slack = await openSlackHarness()
  const discord = await openDiscordHarness({ over: 'http' })
  const web = await openConsoleHarness()
  const agents = await openAgents()
  afterAll(agents.close)

  const toSlack = (text: string) => {
    const payload = `{"type":"block_actions","user":{"id":"U0SAM"},"actions":[],"more":${text}}`
    const body = new URLSearchParams({ payload }).toString()
    const { type } = encodePayload('interactive', {})
    const headers = { 'content-type': type, ...signRequest('test-signing-secret', body, Date.now()) }
    return fetch(slack.url, { method: 'POST', headers, body })
  }
  const toDiscord = (text: string) => discord.fake.post(`{"type":1,"id":"${randomUUID()}","more":${text}}`)
  const toConsole = (text: string) =>
    fetch(`${web.base}/console/api/say`, {
      method: 'POST',
      headers: { origin: web.base, 'content-type': 'application/json' },
      body: `{"as":"p-support","delivery":"${randomUUID()}","line":"whoami","more":${text}}`,
    })
  const toAgents = (text: string) =>
    fetch(`${agents.base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf('helper')}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bellhop_whoami","arguments":{"more":${text}}}}`,
    })

  describe.each([
    ['Slack', toSlack],
    ['Discord', toDiscord],
    ['the console', toConsole],
    ['the endpoint for agents', toAgents],
  ])('%s', (_, post) => {
    it.each(hostile)('is refused when it %s', async (_, text) => {
      const { status } = await post(text)
      expect([400, 413]).toContain(status)
    })
  })

  it('the same bodies are taken when they are small', async () => {
    const [fromDiscord, fromConsole, fromAgents] = await Promise.all(
      [toDiscord, toConsole, toAgents].map((post) => post(nested(3))),
    )
    expect([fromDiscord?.status, fromConsole?.status, fromAgents?.status]).toEqual([200, 200, 200])
  })
})

it.each(hostile.slice(0, 1))('an answer of a service that %s is malformed', (_, text) => {
  const exchange = {
    end: 'answered' as const,
    status: 200,
    headers: {},
    body: Buffer.from(`{"data":${text}}`),
  }
  const meant = interpretAnswer(rowById('email.getSubscriber'), exchange, {
    now: 0,
    redact: (words) => words,
  })
  expect(meant).toBeInstanceOf(ServiceError)
  expect(meant).toMatchObject({ kind: 'malformed' })
})
