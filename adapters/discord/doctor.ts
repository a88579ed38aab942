import { z } from 'zod'
import { type ApiReply, callApi, parsedBody } from '../../src/kernel/messenger/api-call.ts'
import {
  type CheckResult,
  checkFailed,
  checkPassed,
  type NamedByPolicy,
  type PostingChannel,
} from '../../src/kernel/messenger/definition.ts'
import { unqualified } from '../../src/kernel/model/workspace.ts'
import { toolLine } from '../../src/kernel/tool-words.ts'
import { withoutAtEnd } from '../../src/lib/view/end.ts'
import type { DiscordConfig } from './config.ts'
import { missingToPost } from './protocol/permissions.ts'

/** Compares what Discord lists with what the definitions give; a line for each difference. */
export type CommandsInSync = (listed: readonly { name: string }[]) => string[]

const user = z.object({ id: z.string().default(''), username: z.string() })

const application = z.object({
  id: z.string(),
  verify_key: z.string().optional(),
  interactions_endpoint_url: z.string().nullable().optional(),
})

/** The token, the application it belongs to, where its interactions go, and the commands it has. */
export const checkDiscord = async (
  discord: DiscordConfig,
  differing: CommandsInSync,
  { channels, groups }: NamedByPolicy = { channels: [], groups: [] },
): Promise<CheckResult[]> => {
  const wrong = looksOf(discord)
  if (wrong.length > 0) return wrong
  const base = `${withoutAtEnd(discord.apiUrl ?? 'https://discord.com/api', '/').replace(/\/v\d+$/, '')}/v10`
  const get = (path: string) => callApi('GET', `${base}${path}`, `Bot ${discord.token}`)
  const [me, own, commands] = await Promise.all([
    get('/users/@me'),
    get('/applications/@me'),
    get(`/applications/${encodeURIComponent(discord.applicationId)}/commands`),
  ])
  const refused = refusalOf(me)
  if (refused !== undefined) return [refused]
  const self = me.kind === 'answered' ? parsedBody(user, me.body) : undefined
  const name = self?.username
  return [
    name === undefined
      ? checkFailed('discord', 'does not answer as Discord would. Check DISCORD_API_URL.')
      : checkPassed('discord', `signed in as ${name}.`),
    ...aboutApplication(own, discord),
    aboutCommands(commands, differing),
    ...(self === undefined
      ? []
      : await Promise.all(
          channels.map((one) => aboutChannel(get, self.id, { ...one, id: unqualified(one.id) })),
        )),
    ...(self === undefined || groups.length === 0 ? [] : await aboutRoles(get, groups.map(unqualified))),
  ]
}

const channelInfo = z.object({
  guild_id: z.string(),
  permission_overwrites: z
    .array(z.object({ id: z.string(), type: z.number(), allow: z.string(), deny: z.string() }))
    .default([]),
})
const guildInfo = z.object({
  id: z.string(),
  owner_id: z.string(),
  roles: z.array(z.object({ id: z.string(), permissions: z.string() })),
})
const memberInfo = z.object({ roles: z.array(z.string()) })

/** Whether a card would arrive there. */
const aboutChannel = async (
  get: (path: string) => Promise<ApiReply>,
  self: string,
  { id, key }: PostingChannel,
): Promise<CheckResult> => {
  const named = `${key}.discord, channel ${id},`
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const told = await get(path)
    return told.kind === 'answered' && told.status === 200 ? parsedBody(schema, told.body) : undefined
  }
  const told = await get(`/channels/${encodeURIComponent(id)}`)
  const status = told.kind === 'answered' ? told.status : 0
  const other = `name another channel under ${key} in bellhop.yml`
  if (status === 404)
    return checkFailed('discord', `does not find ${named} which was deleted. Correct it, or ${other}.`)
  if (status === 403)
    return checkFailed('discord', `does not show ${named} to the bot. Let it see the channel, or ${other}.`)
  const channel = told.kind === 'answered' ? parsedBody(channelInfo, told.body) : undefined
  const [guild, member] =
    channel === undefined
      ? []
      : await Promise.all([
          read(`/guilds/${channel.guild_id}`, guildInfo),
          read(`/guilds/${channel.guild_id}/members/${self}`, memberInfo),
        ])
  if (channel === undefined || guild === undefined || member === undefined)
    return checkFailed('discord', `does not tell about ${named} now. Try again later.`)
  const missing = missingToPost({
    guild,
    roles: guild.roles,
    member: { id: self, roles: member.roles },
    overwrites: channel.permission_overwrites,
  })
  return missing.length === 0
    ? checkPassed('discord', `lets the bot post in ${named} as it must.`)
    : checkFailed(
        'discord',
        `does not give the bot ${missing.join(' and ')} in ${named} so no card arrives there. Give it that, or ${other}.`,
      )
}

const idsIn = z.array(z.object({ id: z.string() }))

/** A role that is gone gives nobody the roles that bellhop.yml gives it. */
const aboutRoles = async (
  get: (path: string) => Promise<ApiReply>,
  wanted: readonly string[],
): Promise<CheckResult[]> => {
  const list = async (path: string): Promise<string[] | undefined> => {
    const told = await get(path)
    const ids = told.kind === 'answered' && told.status === 200 ? parsedBody(idsIn, told.body) : undefined
    return ids?.map(({ id }) => id)
  }
  const guilds = await list('/users/@me/guilds')
  const roles =
    guilds && (await Promise.all(guilds.map((id) => list(`/guilds/${encodeURIComponent(id)}/roles`))))
  if (roles === undefined || roles.includes(undefined))
    return [
      checkFailed(
        'discord',
        'does not list its roles, so nobody knows whether those of bellhop.yml exist. Try again later.',
      ),
    ]
  const missing = wanted.filter((id) => !roles.flat().includes(id))
  if (missing.length === 0) return [checkPassed('discord', 'has every role of bellhop.yml.')]
  return missing.map((id) =>
    checkFailed(
      'discord',
      `has no role ${id} in a server that the bot is in, and groups.discord in bellhop.yml names it. Correct the id, or take it out.`,
    ),
  )
}

/** What is not even a token or an id is sent nowhere. */
const looksOf = ({ token, applicationId }: DiscordConfig): CheckResult[] => [
  ...(/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? []
    : [
        checkFailed(
          'discord',
          `DISCORD_TOKEN does not look like a bot token: those are three parts with dots between them, from the Bot page${/^Bot\s/i.test(token) ? ', without the word Bot' : ''}. It was not used.`,
        ),
      ]),
  ...(/^\d{1,20}$/.test(applicationId)
    ? []
    : [
        checkFailed(
          'discord',
          'DISCORD_APPLICATION_ID does not look like one: it is the number on the General Information page.',
        ),
      ]),
]

const refusalOf = (told: ApiReply): CheckResult | undefined => {
  if (told.kind === 'lost') {
    return checkFailed(
      'discord',
      `cannot be reached (${told.why}). Check the way to discord.com, or DISCORD_API_URL.`,
    )
  }
  if (told.status === 401) {
    return checkFailed(
      'discord',
      'does not take DISCORD_TOKEN. Reset the token on the Bot page and set the new one.',
    )
  }
  return told.status === 200
    ? undefined
    : checkFailed('discord', `answers with status ${told.status}. Try again later, or check DISCORD_API_URL.`)
}

const aboutApplication = (
  told: ApiReply,
  { applicationId, publicKey, gateway }: DiscordConfig,
): CheckResult[] => {
  const own = told.kind === 'answered' && told.status === 200 ? parsedBody(application, told.body) : undefined
  if (own === undefined)
    return [checkFailed('discord', 'does not tell the application of this token. Try again later.')]
  const page = 'the General Information page'
  if (own.id !== applicationId) {
    return [
      checkFailed('discord', `has this token in application ${own.id}. Set DISCORD_APPLICATION_ID to that.`),
    ]
  }
  if (publicKey !== undefined && own.verify_key !== undefined && own.verify_key !== publicKey.toLowerCase()) {
    return [checkFailed('discord', `has another public key. Set DISCORD_PUBLIC_KEY to the one on ${page}.`)]
  }
  const endpoint = own.interactions_endpoint_url
  if (!gateway && endpoint === null) {
    return [
      checkFailed(
        'discord',
        `sends interactions to the gateway, and DISCORD_GATEWAY is off. Set the Interactions Endpoint URL on ${page} to https://<your host>/discord/interactions.`,
      ),
    ]
  }
  if (publicKey === undefined && endpoint != null) {
    return [
      checkFailed(
        'discord',
        `sends interactions to ${hostOf(endpoint)} and not to the gateway. Clear the Interactions Endpoint URL on ${page}, or set DISCORD_PUBLIC_KEY.`,
      ),
    ]
  }
  const way = endpoint == null ? 'over the gateway' : `to ${hostOf(endpoint)}`
  return [checkPassed('discord', `knows application ${applicationId}; interactions come ${way}.`)]
}

const aboutCommands = (told: ApiReply, differing: CommandsInSync): CheckResult => {
  const listed =
    told.kind === 'answered' && told.status === 200
      ? parsedBody(z.array(z.looseObject({ name: z.string() })), told.body)
      : undefined
  if (listed === undefined) {
    return checkFailed(
      'discord',
      'does not list the commands of DISCORD_APPLICATION_ID to this token. Check that they belong together.',
    )
  }
  const names = differing(listed)
  return names.length === 0
    ? checkPassed('discord', `has all ${listed.length} commands as they are defined.`)
    : checkFailed(
        'discord',
        `has other commands than are defined (${shortened(names)}). The next start, or ${toolLine('register')}, brings them up to date.`,
      )
}

const shortened = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'an address that is none')
