import { z } from 'zod'
import { type ApiReply, callApi, parsedBody } from '../../src/kernel/messenger/api-call.ts'
import {
  type CheckResult,
  checkFailed,
  checkPassed,
  type NamedByPolicy,
  type PostingChannel,
} from '../../src/kernel/messenger/definition.ts'
import { workspaceIn } from '../../src/kernel/model/workspace.ts'
import type { SlackConfig } from './config.ts'

/** Slack answers 200 to nearly everything; `ok` and `error` say how it went. */
const verdict = z.object({
  ok: z.boolean(),
  error: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .optional(),
  team: z.string().optional(),
  user: z.string().optional(),
})

/** The bot token and its scopes, the socket if there is one, and the channels that the bot posts in. */
export const checkSlack = async (
  slack: SlackConfig,
  wanted: readonly string[],
  named: NamedByPolicy = { channels: [], groups: [] },
): Promise<CheckResult[]> => {
  // The others are reached with tokens that only the running bot opens.
  const channels = named.channels.filter(({ id }) => workspaceIn(id) === undefined)
  const groups = named.groups.filter((id) => workspaceIn(id) === undefined)
  const wrong = [
    ...lookOf(
      'SLACK_BOT_TOKEN',
      slack.botToken,
      'xoxb-',
      'the Bot User OAuth Token on the OAuth & Permissions page',
    ),
    ...(slack.appToken === undefined
      ? []
      : lookOf(
          'SLACK_APP_TOKEN',
          slack.appToken,
          'xapp-',
          'an app-level token from the Basic Information page',
        )),
  ]
  if (wrong.length > 0) return wrong
  const call = (method: string, token: string) =>
    callApi('POST', new URL(method, baseOf(slack.apiUrl)).href, `Bearer ${token}`)
  const read = (path: string) =>
    callApi('GET', new URL(path, baseOf(slack.apiUrl)).href, `Bearer ${slack.botToken}`)
  const [auth, socket, listed, ...infos] = await Promise.all([
    call('auth.test', slack.botToken),
    slack.appToken === undefined ? undefined : call('apps.connections.open', slack.appToken),
    groups.length === 0 ? undefined : read('usergroups.list?include_disabled=true'),
    ...channels.map(({ id }) => read(`conversations.info?channel=${encodeURIComponent(id)}`)),
  ])
  return [
    ...aboutToken(auth, wanted),
    ...aboutWorkspaces(slack, named.workspaces ?? []),
    ...(socket === undefined ? [] : [aboutSocket(socket)]),
    ...(slack.appToken !== undefined
      ? []
      : [
          checkPassed(
            'slack',
            'takes signed requests at /slack/events; only a request from Slack proves the signing secret.',
          ),
        ]),
    ...channels.map((channel, at) => aboutChannel(infos[at] as ApiReply, channel)),
    ...(listed === undefined ? [] : aboutGroups(listed, groups)),
  ]
}

const channelInfo = z.object({
  ok: z.boolean(),
  error: verdict.shape.error,
  channel: z
    .object({
      is_member: z.boolean().optional(),
      is_archived: z.boolean().optional(),
      is_read_only: z.boolean().optional(),
    })
    .optional(),
})

/** Whether a card would arrive there. */
const aboutChannel = (told: ApiReply, { id, key }: PostingChannel): CheckResult => {
  const named = `${key}.slack, channel ${id},`
  const other = `name another channel under ${key} in bellhop.yml`
  const said = told.kind === 'answered' ? parsedBody(channelInfo, told.body) : undefined
  if (said === undefined) return checkFailed('slack', `does not tell about ${named} now. Try again later.`)
  const { ok, error, channel } = said
  if (error === 'channel_not_found')
    return checkFailed(
      'slack',
      `does not find ${named} which was deleted, or is private and the bot is not in it. Invite the bot there, or ${other}.`,
    )
  if (!ok || channel === undefined)
    return checkFailed(
      'slack',
      `does not tell about ${named} (${error ?? 'no reason given'}). Cards may not arrive there.`,
    )
  if (channel.is_archived) return checkFailed('slack', `has ${named} archived. Unarchive it, or ${other}.`)
  if (channel.is_member !== true)
    return checkFailed(
      'slack',
      `does not have the bot in ${named} so no card arrives there. Invite the bot, or ${other}.`,
    )
  if (channel.is_read_only)
    return checkFailed('slack', `lets only some people post in ${named}. Let the bot, or ${other}.`)
  return checkPassed('slack', `has the bot in ${named} where it may post.`)
}

const groupList = z.object({
  ok: z.boolean(),
  error: verdict.shape.error,
  usergroups: z.array(z.object({ id: z.string(), date_delete: z.number().default(0) })).default([]),
})

/** A group that is gone gives nobody the roles that bellhop.yml gives it. */
const aboutGroups = (told: ApiReply, groups: readonly string[]): CheckResult[] => {
  const said = told.kind === 'answered' ? parsedBody(groupList, told.body) : undefined
  if (!said?.ok)
    return [
      checkFailed(
        'slack',
        `does not list its user groups (${said?.error ?? 'no answer'}), so nobody knows whether those of bellhop.yml exist. Try again later.`,
      ),
    ]
  const has = (isDeleted: boolean, id: string) =>
    said.usergroups.some((one) => one.id === id && one.date_delete > 0 === isDeleted)
  const missing = groups.filter((id) => !has(false, id))
  if (missing.length === 0) return [checkPassed('slack', `has every user group of bellhop.yml.`)]
  return missing.map((id) =>
    checkFailed(
      'slack',
      has(true, id)
        ? `has the user group ${id} of groups.slack disabled, so it gives nobody a role. Enable it, or take it out of bellhop.yml.`
        : `has no user group ${id}, which groups.slack in bellhop.yml names. Correct the id, or take it out.`,
    ),
  )
}

/** What is not even a token of this kind is sent nowhere. */
const lookOf = (variable: string, token: string, start: string, what: string): CheckResult[] => {
  if (token.startsWith(start) && /^[\w-]+$/.test(token)) return []
  const [kind] = /^x(ox[a-z]|app)-/.exec(token) ?? []
  const other = kind === undefined || kind === start ? '' : ` This one starts with ${kind}.`
  return [
    checkFailed(
      'slack',
      `${variable} does not look like one: it starts with ${start} and is ${what}.${other} It was not used.`,
    ),
  ]
}

const aboutToken = (auth: ApiReply, wanted: readonly string[]): CheckResult[] => {
  const failed = failureOf(
    auth,
    'SLACK_BOT_TOKEN',
    'the Bot User OAuth Token on the OAuth & Permissions page',
  )
  if (failed !== undefined) return [failed]
  if (auth.kind === 'lost') return []
  const { team = 'a workspace', user = 'a bot' } = parsedBody(verdict, auth.body) ?? {}
  return [
    checkPassed('slack', `signed in to ${team} as ${user}.`),
    aboutScopes(auth.headers.get('x-oauth-scopes'), wanted),
  ]
}

const aboutScopes = (header: string | null, wanted: readonly string[]): CheckResult => {
  if (header === null)
    return checkPassed('slack', 'does not tell the scopes of the token, so they were not compared.')
  const given = new Set(header.split(',').map((scope) => scope.trim()))
  const missing = wanted.filter((scope) => !given.has(scope))
  return missing.length === 0
    ? checkPassed('slack', `has all ${wanted.length} scopes it needs.`)
    : checkFailed(
        'slack',
        `lacks ${missing.join(', ')}. Bring the app up to date with manifest.yml and install it to the workspace again.`,
      )
}

const aboutSocket = (socket: ApiReply): CheckResult =>
  failureOf(
    socket,
    'SLACK_APP_TOKEN',
    'an app-level token with connections:write (Basic Information page), and Socket Mode turned on',
  ) ?? checkPassed('slack', 'opens a Socket Mode connection.')

const failureOf = (told: ApiReply, variable: string, what: string): CheckResult | undefined => {
  if (told.kind === 'lost') {
    return checkFailed(
      'slack',
      `cannot be reached (${told.why}). Check the way to slack.com, or SLACK_API_URL.`,
    )
  }
  const said = parsedBody(verdict, told.body)
  if (said?.ok) return undefined
  if (said === undefined) {
    return checkFailed(
      'slack',
      `answers with status ${told.status} and not as Slack would. Check SLACK_API_URL.`,
    )
  }
  return checkFailed('slack', `refuses ${variable} (${said.error ?? 'no reason given'}). It must be ${what}.`)
}

/** The override may or may not end in a slash; the method's name goes after it either way. */
const baseOf = (apiUrl = 'https://slack.com/api/'): string => (apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`)

const aboutWorkspaces = ({ install, publicUrl }: SlackConfig, listed: readonly string[]): CheckResult[] => {
  if (listed.length === 0) return []
  const about = 'Slack workspaces'
  return install === undefined
    ? [
        checkFailed(
          about,
          `has ${listed.join(', ')} under workspaces in bellhop.yml, and nobody can install the app there. Set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and INSTALL_KEY (docs/slack.md).`,
        ),
      ]
    : [
        checkPassed(
          about,
          `${listed.join(', ')}: installed by ${publicUrl}/slack/install. The bot checks their tokens as it runs.`,
        ),
      ]
}
