import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import { type CheckResult, checkFailed, checkPassed } from '../../src/kernel/messenger/definition.ts'
import { longAgo, msBetween, type Tick, type Ticks } from '../../src/lib/clock.ts'

/** The client that a token was given to; undefined for a token that is not good. It throws if the issuer's keys cannot be had. */
export type ReadToken = (token: string) => Promise<string | undefined>

const withinMs = 5_000
const freshMs = 10 * 60_000
/** Whoever calls, and with whatever tokens: the issuer is asked again only after this. */
const momentMs = 10_000
/** By how much the clocks may differ. */
const clockTolerance = 30

const claims = z.object({
  client_id: z.string().optional(),
  azp: z.string().optional(),
  sub: z.string().optional(),
})

/**
 * Reads the access tokens (JWT, RFC 9068) of one issuer: signature by a key that the issuer publishes, issuer, audience,
 * and time. `client_id`, else `azp`, else `sub` says who calls.
 */
export const createTokenReader = (
  issuer: string,
  audience: string,
  { now, ticks }: { now(): number; ticks: Ticks },
): ReadToken => {
  const keyFor = createKeyFinder(issuer, ticks)
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyFor, {
        issuer,
        audience,
        clockTolerance,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        requiredClaims: ['exp'],
        currentDate: new Date(now()),
      })
      const said = claims.safeParse(payload).data
      return said?.client_id ?? said?.azp ?? said?.sub
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }
}

const createKeyFinder = (issuer: string, ticks: Ticks): JWTVerifyGetKey => {
  let kept: { find: JWTVerifyGetKey; at: Tick } | undefined
  let failure: unknown
  let asking: Promise<void> | undefined
  let askedAt = longAgo
  /** One question at a time, and none right after the last; what it failed with is kept as long. */
  const ask = async (): Promise<void> => {
    if (asking === undefined) {
      if (msBetween(askedAt, ticks()) < momentMs) return
      askedAt = ticks()
      asking = fetchKeys(issuer)
        .then(
          (keys) => {
            kept = { find: createLocalJWKSet({ keys }), at: ticks() }
          },
          (error) => {
            failure = error
          },
        )
        .finally(() => {
          asking = undefined
        })
    }
    await asking
  }
  const fresh = () => (kept !== undefined && msBetween(kept.at, ticks()) <= freshMs ? kept.find : undefined)
  return async (header, token) => {
    if (fresh() === undefined) await ask()
    const find = fresh()
    if (find === undefined) throw failure
    try {
      return await find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await ask()
      return (fresh() ?? find)(header, token)
    }
  }
}

export const checkIssuer = async (issuer: string): Promise<CheckResult> => {
  try {
    const keys = (await fetchKeys(issuer)).filter(({ kty }) => ['RSA', 'EC', 'OKP'].includes(kty))
    return keys.length > 0
      ? checkPassed('mcp', `${issuer} publishes ${keys.length} keys.`)
      : checkFailed('mcp', `${issuer} publishes no key that we can use: RS256, PS256, ES256 or EdDSA.`)
  } catch (error) {
    return checkFailed('mcp', `${issuer} cannot be used: ${(error as Error).message}. Look at MCP_ISSUER.`)
  }
}

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

const fetchKeys = async (issuer: string) => {
  const found = metadata.safeParse(await fetchMetadata(issuer)).data
  if (found === undefined) throw new Error('it does not say where its keys are')
  if (found.issuer !== issuer) throw new Error(`it calls itself ${found.issuer}`)
  return keySet.parse(await fetchJson(found.jwks_uri)).keys
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
