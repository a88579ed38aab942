import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { cookieIn, isPrivateHost, markSigned } from '../../src/lib/http/server.ts'
import type { ConsoleConfig } from './config.ts'

/** The doctor knows by it that a proxy does not pass the name that was asked for. */
export const wrongHost = 'The console does not answer under this host name.'

export type RequestGuardOptions = {
  entry: ConsoleConfig['entry']
  bot: Pick<Bot, 'people' | 'signIns' | 'countRefused'>
  /** What the server is bound to. */
  host: string
  port: () => number
}

export type SignedIn = {
  /** Whose session a request belongs to; undefined in the demo, where nobody has one. */
  person(request: FastifyRequest): string | undefined
  /** Whether that session is still good: it may have been ended since. */
  isLasting(request: FastifyRequest): Promise<boolean>
}

export const sessionCookie = 'bellhop_console'

/** What somebody needs before they are signed in. */
const openPaths = new Set(
  [
    'sign-in',
    'sign-in.js',
    'sign-in/passkey',
    'sign-in/begin',
    'sign-in/oidc',
    'sign-in/oidc/begin',
    'sign-in/oidc/callback',
    'sign-in/oidc/logout',
    'passkey',
    'passkey.js',
    'passkey/begin',
    'passkey/keep',
    'webauthn.js',
    'theme/theme.js',
    'theme/theme.css',
    'theme/layout.css',
    'bell.svg',
  ].map((name) => `/console/${name}`),
)

/** Comes from the provider itself, with a token that it has signed, and from no page. */
const fromProvider = '/console/sign-in/oidc/logout'

const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cache-control': 'no-store',
} as const

/** Stands before every route of the console; answers by itself whatever may not go on. */
export const createRequestGuard = ({ entry, bot, host, port }: RequestGuardOptions) => {
  const people = new WeakMap<FastifyRequest, string>()
  const publicHost = entry.kind === 'sign-in' ? new URL(entry.publicUrl).host : undefined
  /** The person of the session, as long as the policy knows them. */
  const personBehind = async (request: FastifyRequest): Promise<string | undefined> => {
    const person = await bot.signIns.personOf(cookieIn(request.headers, sessionCookie))
    return bot.people.find(({ id }) => id === person)?.id
  }
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    reply.headers(headers)
    const no = (code: 401 | 403, reason: string, sentence: string) => {
      bot.countRefused('console', reason)
      return reply.code(code).type('text/plain; charset=utf-8').send(`${sentence}\n`)
    }
    const named = request.headers.host?.toLowerCase() ?? ''
    if (named !== publicHost && !isOurHost(named, host, port())) {
      return no(403, 'host', wrongHost)
    }
    if (!isOurPage(request, named) && request.url !== fromProvider) {
      return no(403, 'origin', 'The console takes requests from its own page only.')
    }
    if (entry.kind === 'sign-in') {
      if (openPaths.has(request.url.split('?')[0] ?? '')) return undefined
      const person = await personBehind(request)
      if (person === undefined) {
        if (request.headers['sec-fetch-mode'] === 'navigate') return reply.redirect(signInFor(request), 303)
        return no(
          401,
          'session',
          'Run bellhop console in Slack or Discord, and open the link that it answers with.',
        )
      }
      people.set(request, person)
      markSigned(request.raw)
      return undefined
    }
    const { token } = entry
    if (token === null) return undefined
    const { token: offered, ...rest } = request.query as Record<string, string>
    if (request.method === 'GET' && typeof offered === 'string' && isSame(offered, token)) {
      const query = new URLSearchParams(rest).toString()
      return reply
        .header('set-cookie', `${sessionCookie}=${token}; HttpOnly; SameSite=Strict; Path=/console`)
        .redirect(`/console${query === '' ? '' : `?${query}`}`, 303)
    }
    if (isSame(cookieIn(request.headers, sessionCookie), token)) {
      markSigned(request.raw)
      return undefined
    }
    return no(401, 'token', 'Open the console at the address that Bellhop printed when it started.')
  }
  const signedIn: SignedIn = {
    person: (request) => people.get(request),
    isLasting: async (request) => {
      const person = people.get(request)
      return person === undefined || (await personBehind(request)) === person
    },
  }
  return { check, signedIn }
}

/** Whoever came to sign a change goes on there once they are signed in. */
const signInFor = ({ url }: FastifyRequest): string => {
  const [path, query] = url.split('?')
  const change = path === '/console/sign' ? new URLSearchParams(query).get('change') : null
  return `/console/sign-in${change === null ? '' : `?${new URLSearchParams({ change })}`}`
}

/** A page that is not ours can make a browser ask us under its own name (DNS rebinding); an address cannot be rebound. */
const isOurHost = (named: string, bound: string, port: number): boolean => {
  const [, name = '', digits = '80'] = /^(\[[\da-f:.]+\]|[^:]+)(?::(\d+))?$/.exec(named) ?? []
  const bare = name.replace(/^\[|\]$/g, '')
  const isLocal = bare === 'localhost' || (isIP(bare) !== 0 && isPrivateHost(bare))
  // Bound to every address, it may be reached through another port (a container's).
  if (isWildcard(bound)) return isLocal || isIP(bare) !== 0
  return Number(digits) === port && (isLocal || bare === bound.toLowerCase())
}

export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Browsers say where a request comes from; one that acts must come from the page itself. */
const isOurPage = ({ method, headers: given }: FastifyRequest, named: string): boolean => {
  const { origin } = given
  if (method !== 'GET' && method !== 'HEAD')
    return origin === `http://${named}` || origin === `https://${named}`
  return given['sec-fetch-site'] !== 'cross-site' || given['sec-fetch-mode'] === 'navigate'
}

const isSame = (offered: string, token: string): boolean => timingSafeEqual(digest(offered), digest(token))

const digest = (value: string): Buffer => createHash('sha256').update(value).digest()
