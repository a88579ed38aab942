import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { type CheckResult, checkFailed, checkPassed } from '../../src/messenger/definition.ts'

/** The client that a token was given to; undefined for a token that is not good. It throws if the issuer's keys cannot be had. */
export type ReadToken = (token: string) => Promise<string | undefined>

const withinMs = 5_000
const freshMs = 10 * 60_000
/** A token with a key that nobody knows makes us look again, but not each time. */
const lookAgainMs = 30_000
/** By how much the clocks may differ. */
const leewaySeconds = 30

const header = z.object({ alg: z.string(), kid: z.string().optional(), crit: z.undefined().optional() })
const claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  client_id: z.string().optional(),
  azp: z.string().optional(),
  sub: z.string().optional(),
})

/**
 * Reads the access tokens (JWT, RFC 9068) of one issuer: signature by a key that the issuer publishes, issuer, audience,
 * and time. `client_id`, else `azp`, else `sub` says who calls.
 */
export const createTokenReader = (issuer: string, resource: string, now: () => number): ReadToken => {
  let kept: { keys: Map<string, KeyObject>; at: number } | undefined
  const keyFor = async (kid: string): Promise<KeyObject | undefined> => {
    const age = kept === undefined ? Infinity : now() - kept.at
    if (kept === undefined || age > freshMs || (!kept.keys.has(kid) && age > lookAgainMs)) {
      kept = { keys: await fetchKeys(issuer), at: now() }
    }
    return kept.keys.get(kid)
  }
  return async (token) => {
    const [head = '', body = '', signature = '', ...more] = token.split('.')
    const read = header.safeParse(jsonIn(head)).data
    const said = claims.safeParse(jsonIn(body)).data
    if (read === undefined || said === undefined || more.length > 0) return undefined
    const key = await keyFor(read.kid ?? '')
    if (key === undefined || !isSigned(read.alg, key, `${head}.${body}`, signature)) return undefined
    const seconds = now() / 1000
    const isGood =
      said.iss === issuer &&
      [said.aud].flat().includes(resource) &&
      said.exp > seconds - leewaySeconds &&
      (said.nbf ?? 0) < seconds + leewaySeconds
    return isGood ? (said.client_id ?? said.azp ?? said.sub) : undefined
  }
}

export const checkIssuer = async (issuer: string): Promise<CheckResult> => {
  try {
    const keys = await fetchKeys(issuer)
    return keys.size > 0
      ? checkPassed('mcp', `${issuer} publishes ${keys.size} keys.`)
      : checkFailed('mcp', `${issuer} publishes no key that we can use: RS256, PS256, ES256 or EdDSA.`)
  } catch (error) {
    return checkFailed('mcp', `${issuer} cannot be used: ${(error as Error).message}. Look at MCP_ISSUER.`)
  }
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string().optional() })) })

const fetchKeys = async (issuer: string): Promise<Map<string, KeyObject>> => {
  const found = metadata.safeParse(await fetchMetadata(issuer)).data
  if (found === undefined) throw new Error('it does not say where its keys are')
  if (found.issuer !== issuer) throw new Error(`it calls itself ${found.issuer}`)
  const { keys } = keySet.parse(await fetchJson(found.jwks_uri))
  return new Map(
    keys.flatMap((key) => {
      try {
        return [[key.kid ?? '', createPublicKey({ key: key as JsonWebKey, format: 'jwk' })] as const]
      } catch {
        return []
      }
    }),
  )
}

/** RFC 8414 puts its name before the path of the issuer, OpenID Connect behind it. */
const fetchMetadata = async (issuer: string): Promise<unknown> => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  try {
    return await fetchJson(`${origin}/.well-known/oauth-authorization-server${path}`)
  } catch {
    return fetchJson(`${origin}${path}/.well-known/openid-configuration`)
  }
}

const fetchJson = async (url: string): Promise<unknown> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(withinMs), redirect: 'error' })
  if (!response.ok) throw new Error(`${new URL(url).pathname} answers with status ${response.status}`)
  return response.json()
}

/** Only by what the key itself is for: a token cannot choose another way. */
const isSigned = (alg: string, key: KeyObject, signed: string, signature: string): boolean => {
  const way = ways[alg]
  if (way === undefined || key.asymmetricKeyType !== way.type) return false
  const bytes = Buffer.from(signature, 'base64url')
  return verify(way.hash, Buffer.from(signed), { key, ...way.more }, bytes)
}

const ways: Record<string, { type: string; hash: string | null; more: object }> = {
  RS256: { type: 'rsa', hash: 'sha256', more: {} },
  PS256: { type: 'rsa', hash: 'sha256', more: { padding: 6, saltLength: 32 } },
  ES256: { type: 'ec', hash: 'sha256', more: { dsaEncoding: 'ieee-p1363' } },
  EdDSA: { type: 'ed25519', hash: null, more: {} },
}

const jsonIn = (part: string): unknown => {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
