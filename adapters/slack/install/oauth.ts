import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebClient } from '@slack/web-api'
import { z } from 'zod'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import type { MessengerDeps } from '../../../src/kernel/messenger/definition.ts'
import { answerRequest, cookieIn } from '../../../src/lib/http/server.ts'
import type { Log } from '../../../src/lib/log.ts'
import { slackErrorCode, slackErrorFields } from '../api/errors.ts'
import type { InstalledTokens } from './installations.ts'
import { signedText, signText } from './sealing.ts'

// Slack's own InstallProvider makes its state the cookie, lets it be used again, and stores a token before anybody can say
// that its workspace is not wanted; so the two requests are answered here.

export type InstallConfig = { clientId: string; clientSecret: string; key: Buffer }

type InstallDeps = {
  bot: Pick<Bot, 'installations' | 'workspacesOf' | 'now'>
  http: Pick<MessengerDeps['http'], 'get'>
  log: Log
  config: InstallConfig
  /** The address at which people reach the bot. */
  publicUrl: string
  apiUrl: string | undefined
  scopes: readonly string[]
  tokens: InstalledTokens
  /** The workspace of the bot's own token, once Slack has said it. */
  homeTeam(): string | undefined
}

const stateMs = 10 * 60_000
const cookieName = 'bellhop_install'

const stateSchema = z.object({ n: z.string(), cookie: z.string(), until: z.number() })

const granted = z.object({
  access_token: z.string(),
  token_type: z.literal('bot'),
  bot_user_id: z.string().optional(),
  refresh_token: z.string().optional(),
  is_enterprise_install: z.boolean().nullish(),
  team: z.object({ id: z.string(), name: z.string().optional() }).nullish(),
  enterprise: z.object({ id: z.string(), name: z.string().optional() }).nullish(),
})

/** `GET /slack/install` leads to Slack, and Slack leads back to `GET /slack/oauth_redirect`. */
export const serveInstall = (deps: InstallDeps): void => {
  const { http, bot, config, publicUrl, apiUrl, scopes, log } = deps
  const redirectUri = `${publicUrl}/slack/oauth_redirect`
  const answering =
    (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      answer(request, response).catch((error: unknown) => {
        log.error(slackErrorFields(error), 'an installation failed')
        say(response, 502, 'Slack or the database did not answer. Open the link to install once more.')
      })
    }
  http.get(
    '/slack/install',
    answering(async (_, response) => {
      const cookie = randomBytes(32).toString('base64url')
      const state = {
        n: randomBytes(16).toString('base64url'),
        cookie: digestOf(cookie),
        until: bot.now() + stateMs,
      }
      const to = new URL('/oauth/v2/authorize', apiUrl ?? 'https://slack.com')
      to.search = new URLSearchParams({
        client_id: config.clientId,
        scope: scopes.join(','),
        redirect_uri: redirectUri,
        state: signText(config.key, Buffer.from(JSON.stringify(state)).toString('base64url')),
      }).toString()
      response.writeHead(302, {
        location: to.href,
        'set-cookie': cookieOf(cookie, stateMs / 1000, publicUrl),
        'cache-control': 'no-store',
      })
      response.end()
    }),
  )
  http.get(
    '/slack/oauth_redirect',
    answering(async (request, response) => {
      response.setHeader('set-cookie', cookieOf('', 0, publicUrl))
      const { searchParams } = new URL(request.url ?? '', publicUrl)
      if (searchParams.has('error'))
        return say(response, 400, 'The installation was cancelled. Nothing was kept.')
      const state = stateIn(config.key, searchParams.get('state') ?? '')
      const cookie = cookieIn(request.headers, cookieName)
      const isTheirs = state !== undefined && state.cookie === digestOf(cookie)
      if (!isTheirs || bot.now() > state.until) return say(response, 400, staleWords)
      if (!(await bot.installations.isFirstUse(`slack:${state.n}`))) return say(response, 400, staleWords)
      const said = await exchange(deps, searchParams.get('code') ?? '', redirectUri)
      if (said === undefined)
        return say(response, 400, 'Slack does not take this code. Open the link to install once more.')
      const { status, words } = await takeIn(deps, said)
      say(response, status, words)
    }),
  )
}

const staleWords =
  'This installation was not begun in this browser, is older than ten minutes, or was finished before. Open the link to install once more.'

const exchange = async (
  { config: { clientId, clientSecret }, apiUrl }: InstallDeps,
  code: string,
  redirectUri: string,
): Promise<z.infer<typeof granted> | undefined> => {
  const client = clientFor(undefined, apiUrl)
  try {
    return granted.parse(
      await client.oauth.v2.access({
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
      }),
    )
  } catch (error) {
    if (slackErrorCode(error) !== undefined) return undefined
    throw error
  }
}

/** Keeps the token of a workspace that the policy lists; any other is given back to Slack at once. */
const takeIn = async (
  { bot, log, tokens, apiUrl, homeTeam }: InstallDeps,
  said: z.infer<typeof granted>,
): Promise<{ status: number; words: string }> => {
  const { access_token: token, bot_user_id: botUserId, refresh_token: refresh } = said
  const where = said.is_enterprise_install ? said.enterprise : said.team
  const giveBack = async (words: string) => {
    await clientFor(token, apiUrl)
      .auth.revoke()
      .catch((error: unknown) => log.warn(slackErrorFields(error), 'a token could not be given back'))
    return { status: 403, words }
  }
  const id = where?.id ?? ''
  if (id === homeTeam())
    return {
      status: 409,
      words: `${id} is the workspace of SLACK_BOT_TOKEN: the app is there already. Nothing was kept.`,
    }
  if (!bot.workspacesOf('slack').includes(id)) {
    log.warn({ team: id }, 'an installation in a workspace that the policy does not list was refused')
    return giveBack(
      `bellhop.yml does not list ${id}. Ask whoever keeps it to add ${id} to workspaces.slack, then open the link to install once more. Nothing was kept.`,
    )
  }
  if (refresh !== undefined) {
    return giveBack(
      'This app has token rotation turned on, which Bellhop does not support. Make the app anew without it. Nothing was kept.',
    )
  }
  await tokens.keep({
    id,
    token,
    ...(where?.name ? { name: where.name } : {}),
    ...(botUserId ? { botUserId } : {}),
  })
  await bot.installations.record('installed', 'slack', id)
  log.info({ team: id }, 'the app was installed in a further workspace')
  return {
    status: 200,
    words: `Bellhop is installed in ${where?.name ?? id}. You can close this page and write to it in Slack.`,
  }
}

const clientFor = (token: string | undefined, apiUrl: string | undefined): WebClient =>
  new WebClient(token, {
    retryConfig: { retries: 0 },
    timeout: 10_000,
    ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
  })

const stateIn = (key: Buffer, given: string): z.infer<typeof stateSchema> | undefined => {
  const text = signedText(key, given)
  return text === undefined
    ? undefined
    : stateSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const cookieOf = (value: string, seconds: number, publicUrl: string): string =>
  `${cookieName}=${value}; HttpOnly; SameSite=Lax; Path=/slack; Max-Age=${seconds}${publicUrl.startsWith('https:') ? '; Secure' : ''}`

/** A sentence for whoever installs; nothing of it is markup. */
const say = (response: ServerResponse, status: number, words: string): void =>
  answerRequest(response, status, `${words}\n`, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
