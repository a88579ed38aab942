import { expect, it } from 'vitest'
import { tokenUrlOf } from '../../../src/cli/pack/token-url.ts'
import { createServices } from '../../../src/lib/services/client/client.ts'
import { defineService } from '../../../src/lib/services/endpoints/row.ts'
import { useServices } from '../../../src/lib/services/endpoints/tables.ts'
import { whenDone } from '../../harness/when-done.ts'
import { inTurn, json, startRecorder } from '../recorder.ts'
import { scripted } from './scripted-pack.ts'
import { overHttp } from './scripted-server.ts'

it('gets a token for its client id where the pack says, keeps it, and gets another when it is no longer taken', async () => {
  const token = (name: string) => json({ access_token: name, token_type: 'Bearer', expires_in: 3600 })
  const issuer = await startRecorder(inTurn(token('token-1'), token('token-2')))
  whenDone(issuer.stop)
  const server = await overHttp()
  whenDone(server.close)
  server.accepts('token-1')
  useServices([
    defineService({
      ...scripted,
      auth: 'none',
      mcp: { tools: scripted.mcp.tools, signIn: { tokenUrl: `${issuer.origin}/token`, scope: 'act' } },
      environment: {
        baseUrl: 'SCRIPTED_MCP_URL',
        keys: { clientId: 'SCRIPTED_CLIENT_ID', clientSecret: 'SCRIPTED_CLIENT_SECRET' },
      },
    }),
  ])
  const where = { baseUrl: server.baseUrl, clientId: 'bellhop', clientSecret: 'se:cret' }
  const log = { info: () => undefined, warn: () => undefined }
  const services = createServices({ scripted: where }, { log, settings: { retries: 0, attemptMs: 60_000 } })
  whenDone(services.close)
  const look = () => services.call('scripted.look', { body: { how: 'well' } }, { deadlineMs: 60_000 })
  await look()
  await look()
  expect(issuer.requests.map(({ body }) => body)).toEqual([
    `grant_type=client_credentials&resource=${encodeURIComponent(server.baseUrl)}&scope=act`,
  ])
  const pair = Buffer.from('bellhop:se%3Acret').toString('base64')
  expect(issuer.requests[0]?.headers.authorization).toBe(`Basic ${pair}`)
  server.accepts('token-2')
  await expect(look()).rejects.toMatchObject({ kind: 'unauthorized', outcome: 'not_done' })
  expect((await look()).data).toEqual({ text: 'done: well' })
  // What was got for the secret is as secret.
  expect(services.redact('it said token-2 and se:cret')).toBe('it said [key] and [key]')
})

it('finds where tokens are given out, and asks nobody else', async () => {
  const asked = await startRecorder((response, request) => {
    const { origin } = asked
    const known: Record<string, object> = {
      '/.well-known/oauth-protected-resource/mcp': { authorization_servers: [`${origin}/tenant`] },
      '/.well-known/oauth-authorization-server/tenant': { token_endpoint: `${origin}/tenant/token` },
    }
    const found = known[request.url]
    json(found ?? {}, found === undefined ? 404 : 200)(response, request, 1)
  })
  whenDone(asked.stop)
  expect(await tokenUrlOf(`${asked.origin}/mcp`)).toBe(`${asked.origin}/tenant/token`)
  await expect(tokenUrlOf(`${asked.origin}/other`)).rejects.toThrow('does not say where tokens are given out')
})
