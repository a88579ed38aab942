import { createHash, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { cookieIn, isPrivateHost } from '../../src/lib/http/server.ts'
import type { Log } from '../../src/lib/log.ts'
import type { OidcConfig } from './config.ts'

type Oidc = typeof import('openid-client')
type Claims = Readonly<Record<string, unknown>>

/** What the page of the sign-in says in the place of a session. */
type Said = 'away' | 'unverified' | 'unlisted' | 'failed'

export type OidcLog = Pick<Log, 'warn'>

type OidcOptions = {
  signIns: Bot['signIns']
  publicUrl: string
  config: OidcConfig
  log: OidcLog
  /** Answers with the cookie of a session and what comes behind it. */
  begin(reply: FastifyReply, session: { secret: string; seconds: number }): FastifyReply
}

/** Nobody stays signed in for longer without asking the provider again, which is one redirect while its own session lasts. */
const sessionMs = 3_600_000
const attempt = { cookie: 'bellhop_oidc', path: '/console/sign-in/oidc', seconds: 600 }
const timeoutSeconds = 10

/**
 * OpenID Connect: the provider says who somebody is by a verified address, which one listed person has. What an attempt needs
 * until the browser is back is kept by that browser alone, so that attempts take up nothing here.
 */
export const serveOidc = (routes: FastifyInstance, options: OidcOptions): void => {
  const { signIns, publicUrl, config, log, begin } = options
  const { host } = new URL(config.issuer)
  const redirectUri = `${publicUrl}${attempt.path}/callback`
  const provider = discovered(config)
  const back = (reply: FastifyReply, said: Said, error?: unknown) => {
    if (error !== undefined) log.warn({ err: error, provider: host }, 'somebody could not be signed in')
    return reply.redirect(`/console/sign-in?${new URLSearchParams({ said })}`, 303)
  }
  const keep = (reply: FastifyReply, value: string, seconds: number) =>
    reply.header(
      'set-cookie',
      `${attempt.cookie}=${value}; HttpOnly; SameSite=Lax; Path=${attempt.path}; Max-Age=${seconds}${publicUrl.startsWith('https:') ? '; Secure' : ''}`,
    )

  routes.get('/sign-in/oidc', async () => ({ provider: host }))
  routes.get('/sign-in/oidc/begin', async (request, reply) => {
    try {
      const { oidc, server } = await provider()
      const kept = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        change: String((request.query as { change?: unknown }).change ?? '').slice(0, 100),
      }
      const url = oidc.buildAuthorizationUrl(server, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await oidc.calculatePKCECodeChallenge(kept.verifier),
        code_challenge_method: 'S256',
        state: kept.state,
        nonce: kept.nonce,
      })
      return keep(reply, Buffer.from(JSON.stringify(kept)).toString('base64url'), attempt.seconds).redirect(
        url.href,
        303,
      )
    } catch (error) {
      return back(reply, 'away', error)
    }
  })
  routes.get('/sign-in/oidc/callback', async (request, reply) => {
    const kept = keptIn(request)
    if (kept === undefined) return back(reply, 'failed')
    keep(reply, '', 0)
    const claims = await claimsOf(await provider(), new URL(request.url, publicUrl), kept).catch(
      (error: unknown) => {
        log.warn({ err: error, provider: host }, 'somebody could not be signed in')
      },
    )
    if (claims === undefined) return back(reply, 'failed')
    const { email } = claims
    if (typeof email !== 'string' || !isVerified(claims)) return back(reply, 'unverified')
    const about = { id: sessionId(claims), via: host, ms: sessionMs }
    const session = await signIns.vouched(email, about)
    if (session === undefined) return back(reply, 'unlisted')
    // A page of ours in between: browsers send the cookie of the session along with what that page opens.
    const next =
      kept.change === '' ? '/console' : `/console/sign?${new URLSearchParams({ change: kept.change })}`
    return begin(reply, session)
      .type('text/html; charset=utf-8')
      .send(`<!doctype html><meta http-equiv="refresh" content="0; url=${next.replaceAll('"', '%22')}">`)
  })
  /** The provider itself says that a session of its own is over. */
  routes.register(async (inner) => {
    inner.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 20_000 },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    )
    inner.post('/sign-in/oidc/logout', async ({ body }, reply) => {
      const token = body instanceof URLSearchParams ? body.get('logout_token') : null
      try {
        const ended = await endedBy(await provider(), config, token ?? '')
        await signIns.endThose((id) => ended.some((part) => id.startsWith('oidc-') && id.includes(part)))
        return reply.code(200).send()
      } catch (error) {
        log.warn({ err: error, provider: host }, 'a word about an ended session was refused')
        return reply.code(400).send({ error: 'invalid_request' })
      }
    })
  })
}

type Provider = { oidc: Oidc; server: InstanceType<Oidc['Configuration']> }

/** Found once; a provider that did not answer is asked again by whoever comes next. */
const discovered = ({ issuer, clientId, clientSecret }: OidcConfig): (() => Promise<Provider>) => {
  let found: Promise<Provider> | undefined
  const find = async (): Promise<Provider> => {
    const oidc = await import('openid-client')
    const url = new URL(issuer)
    const execute =
      url.protocol === 'http:' && isPrivateHost(url.hostname) ? [oidc.allowInsecureRequests] : []
    const server = await oidc.discovery(url, clientId, clientSecret, undefined, {
      execute,
      timeout: timeoutSeconds,
    })
    return { oidc, server }
  }
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}

type Kept = { state: string; nonce: string; verifier: string; change: string }

const keptIn = (request: FastifyRequest): Kept | undefined => {
  try {
    const kept = JSON.parse(
      Buffer.from(cookieIn(request.headers, attempt.cookie), 'base64url').toString('utf8'),
    ) as Record<string, unknown>
    const { state, nonce, verifier, change } = kept
    const all = [state, nonce, verifier, change]
    return all.every((one) => typeof one === 'string') ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}

/** What the provider says of whoever came back: what it signed, and where that names no address, what it tells besides. */
const claimsOf = async ({ oidc, server }: Provider, url: URL, kept: Kept): Promise<Claims> => {
  const tokens = await oidc.authorizationCodeGrant(server, url, {
    pkceCodeVerifier: kept.verifier,
    expectedState: kept.state,
    expectedNonce: kept.nonce,
    idTokenExpected: true,
  })
  const claims: Claims & { sub: string } = tokens.claims() ?? { sub: '' }
  if (typeof claims.email === 'string' || server.serverMetadata().userinfo_endpoint === undefined)
    return claims
  return { ...(await oidc.fetchUserInfo(server, tokens.access_token, claims.sub)), ...claims }
}

/** Entra has a claim of its own for that, and none that others have. */
const isVerified = ({ email_verified, xms_edov }: Claims): boolean =>
  email_verified === true || xms_edov === true || xms_edov === 1 || xms_edov === '1'

const sessionId = ({ sub, sid }: Claims): string =>
  ['oidc', partOf('sub', sub), partOf('sid', sid), randomUUID().slice(0, 8)].join('-')

const partOf = (kind: 'sub' | 'sid', value: unknown): string =>
  createHash('sha256')
    .update(`${kind} ${String(value)}`)
    .digest('hex')
    .slice(0, 24)

/** The parts of ids whose sessions are over, by a token that the provider has signed for us within the last minutes. */
const endedBy = async ({ server }: Provider, { clientId }: OidcConfig, token: string): Promise<string[]> => {
  const { createRemoteJWKSet, jwtVerify } = await import('jose')
  const { issuer, jwks_uri: keys = '' } = server.serverMetadata()
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(keys)), {
    issuer,
    audience: clientId,
    maxTokenAge: '2m',
  })
  const { events, nonce, sub, sid } = payload
  const isLogout = Object.hasOwn(Object(events), 'http://schemas.openid.net/event/backchannel-logout')
  if (!isLogout || nonce !== undefined) throw new Error('this is no token about a session that ended')
  if (typeof sid === 'string') return [partOf('sid', sid)]
  if (typeof sub === 'string') return [partOf('sub', sub)]
  throw new Error('the token names no session')
}
