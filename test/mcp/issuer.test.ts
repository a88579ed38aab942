import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { createTokenReader } from '../../adapters/mcp/issuer.ts'
import { ticks } from '../../src/lib/clock.ts'
import { listen } from '../harness/listen.ts'
import { ticksOf } from '../harness/ticks.ts'

const resource = 'https://bellhop.example.com/mcp'
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const jwks = {
  keys: [
    { ...ec.publicKey.export({ format: 'jwk' }), kid: 'ec' },
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' },
    { kty: 'odd', kid: 'odd' },
  ],
}

let asked = 0
let isDown = false
const server = createServer((request, response) => {
  if (request.url === '/keys') asked++
  if (isDown) response.statusCode = 500
  const about = { issuer: origin, jwks_uri: `${origin}/keys` }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.url === '/keys' ? jwks : about))
})
const { origin, close } = await listen(server)
afterAll(close)

const seconds = Math.floor(Date.now() / 1000)
const good = {
  iss: origin,
  aud: [resource, 'https://elsewhere.example.com'],
  exp: seconds + 600,
  client_id: 'client-1',
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: object, { alg = 'ES256', kid = 'ec', key = ec.privateKey as KeyObject } = {}) => {
  const signed = `${part({ alg, kid })}.${part(claims)}`
  const bytes = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${bytes.toString('base64url')}`
}

const read = createTokenReader(origin, resource, { now: Date.now, ticks })

describe('a token of the issuer', () => {
  it('names the client, by whichever claim says it', async () => {
    expect(await read(tokenOf(good))).toBe('client-1')
    expect(await read(tokenOf({ ...good, client_id: undefined, azp: 'a', sub: 's' }))).toBe('a')
    expect(await read(tokenOf({ ...good, client_id: undefined, sub: 's' }))).toBe('s')
    expect(
      await read(tokenOf({ ...good, aud: resource }, { alg: 'RS256', kid: 'rsa', key: rsa.privateKey })),
    ).toBe('client-1')
  })

  const unsigned = `${part({ alg: 'none', kid: 'ec' })}.${part(good)}.`
  const [head, body, signature] = tokenOf(good).split('.')
  it.each([
    ['is over', tokenOf({ ...good, exp: seconds - 60 })],
    ['has not begun', tokenOf({ ...good, nbf: seconds + 120 })],
    ['has no end', tokenOf({ ...good, exp: undefined })],
    ['is for somebody else', tokenOf({ ...good, aud: 'https://elsewhere.example.com' })],
    ['is from somebody else', tokenOf({ ...good, iss: 'https://elsewhere.example.com' })],
    ['is signed by another key', tokenOf(good, { key: other.privateKey })],
    ['has a key that the issuer does not publish', tokenOf(good, { kid: 'new' })],
    ['says that it needs no signature', unsigned],
    ['says another way than its key is for', tokenOf(good, { alg: 'RS256' })],
    ['was changed', `${head}.${part({ ...good, client_id: 'client-2' })}.${signature}`],
    ['has more parts', `${head}.${body}.${signature}.x`],
    ['is no token', 'x'.repeat(50)],
  ])('is not good when it %s', async (_, token) => {
    expect(await read(token)).toBeUndefined()
  })

  it('cannot be read while the issuer does not answer, and that is no refusal', async () => {
    const away = createTokenReader('http://127.0.0.1:9', resource, { now: Date.now, ticks })
    await expect(away(tokenOf(good))).rejects.toThrow()
  })

  it('makes us ask the issuer at most once a moment, whoever calls with whatever tokens', async () => {
    let clock = Date.now()
    const reader = createTokenReader(origin, resource, { now: () => clock, ticks: ticksOf(() => clock) })
    const from = asked
    const storm = (kid: string) =>
      Promise.all(Array.from({ length: 50 }, (_, at) => reader(tokenOf(good, { kid: `${kid}-${at}` }))))
    expect(await reader(tokenOf(good))).toBe('client-1')
    await storm('soon')
    expect(asked - from).toBe(1)
    clock += 11_000
    await storm('later')
    await storm('later')
    expect(asked - from).toBe(2)
    isDown = true
    clock += 11_000
    await storm('down')
    // Keys that are known stay good while others cannot be had.
    expect(await reader(tokenOf(good))).toBe('client-1')
    clock += 11 * 60_000
    const fails = async () => reader(tokenOf({ ...good, exp: seconds + 6_000 })).catch(() => 'failed')
    expect(await Promise.all([fails(), fails(), fails()])).toEqual(['failed', 'failed', 'failed'])
    isDown = false
    expect(await fails()).toBe('failed')
    expect(asked - from).toBe(2)
    clock += 11_000
    expect(await fails()).toBe('client-1')
    expect(asked - from).toBe(3)
  })
})
