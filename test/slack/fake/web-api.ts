import { faultInMessage, parseHome, parseModal } from './blocks.ts'
import { dmOf, type FakeMessage, type FakeState, nextId, nextTs, now } from './state.ts'
import { presentDetails, unfurl } from './work-objects.ts'
import { endRun, whyNoRunToken } from './workflow.ts'

type Args = Record<string, unknown>
type Answer = Record<string, unknown>
type Method = { scope?: string; args: string[]; run(state: FakeState, args: Args): Answer | string }

/** The methods of Slack's Web API that the app may call; a text is the error. */
const methods: Record<string, Method> = {
  'auth.test': {
    args: [],
    run: (state) => ({ user_id: state.bot, bot_id: 'B0BELLHOP', team_id: state.team, team: 'Home' }),
  },
  'chat.postMessage': {
    scope: 'chat:write',
    args: ['channel', 'text', 'blocks', 'thread_ts', 'unfurl_links', 'unfurl_media'],
    run: (state, args) => {
      const channel = whereTo(state, String(args.channel))
      if (typeof channel !== 'object') return channel
      const message = toMessage(state, channel.id, args)
      return typeof message === 'string' ? message : { channel: channel.id, ts: message.ts }
    },
  },
  'chat.postEphemeral': {
    scope: 'chat:write',
    args: ['channel', 'user', 'text', 'blocks', 'thread_ts'],
    run: (state, args) => {
      const user = String(args.user)
      const channel = whereTo(state, String(args.channel))
      if (typeof channel !== 'object') return channel
      if (!state.channels.get(channel.id)?.members.has(user)) return 'user_not_in_channel'
      const message = toMessage(state, channel.id, args, user)
      return typeof message === 'string' ? message : { message_ts: message.ts }
    },
  },
  'chat.update': {
    scope: 'chat:write',
    args: ['channel', 'ts', 'text', 'blocks'],
    run: (state, args) => {
      const message = state.messages.find(
        (one) => one.channel === args.channel && one.ts === args.ts && !one.isDeleted,
      )
      if (message === undefined || message.onlyFor !== undefined) return 'message_not_found'
      const channel = whereTo(state, message.channel)
      if (typeof channel !== 'object') return channel
      const fault = faultInMessage(args.text, args.blocks, state.refusedBlocks)
      if (fault !== undefined) return fault
      replace(message, args)
      return { channel: message.channel, ts: message.ts }
    },
  },
  'chat.delete': {
    scope: 'chat:write',
    args: ['channel', 'ts'],
    run: (state, args) => {
      const message = state.messages.find((one) => one.channel === args.channel && one.ts === args.ts)
      if (message === undefined || message.onlyFor !== undefined) return 'message_not_found'
      message.isDeleted = true
      return {}
    },
  },
  'conversations.history': {
    scope: 'channels:history',
    args: ['channel', 'limit', 'cursor'],
    run: (state, args) => {
      const channel = whereTo(state, String(args.channel))
      if (typeof channel !== 'object') return channel
      const all = state.messages
        .filter((one) => one.channel === channel.id && !one.isDeleted && one.onlyFor === undefined)
        .toReversed()
      const from = Number(args.cursor ?? 0)
      const limit = Number(args.limit ?? 100)
      const messages = all.slice(from, from + limit).map(({ ts, text, blocks }) => ({
        type: 'message',
        ts,
        text,
        blocks,
        user: state.bot,
        bot_id: 'B0BELLHOP',
      }))
      const isMore = from + limit < all.length
      return {
        messages,
        has_more: isMore,
        response_metadata: { next_cursor: isMore ? String(from + limit) : '' },
      }
    },
  },
  'chat.unfurl': {
    scope: 'links:write',
    args: ['channel', 'ts', 'unfurl_id', 'source', 'metadata'],
    run: unfurl,
  },
  'entity.presentDetails': {
    args: ['trigger_id', 'metadata', 'error'],
    run: presentDetails,
  },
  'views.open': {
    args: ['trigger_id', 'view'],
    run: (state, args) => {
      const trigger = state.triggers.get(String(args.trigger_id))
      if (trigger === undefined) return 'invalid_trigger_id'
      if (trigger.isUsed) return 'exchanged_trigger_id'
      if (now(state) - trigger.at > 3_000) return 'expired_trigger_id'
      const parsed = parseModal(args.view)
      if (!parsed.success) return 'invalid_arguments'
      trigger.isUsed = true
      const view = {
        id: nextId(state, 'V'),
        hash: nextTs(state),
        user: trigger.user,
        view: parsed.data,
        errors: {},
      }
      state.modals.push(view)
      return { view: { id: view.id, hash: view.hash } }
    },
  },
  'views.publish': {
    args: ['user_id', 'view'],
    run: (state, args) => {
      const parsed = parseHome(args.view)
      if (!parsed.success) return 'invalid_arguments'
      state.homes.set(String(args.user_id), parsed.data.blocks)
      return {}
    },
  },
  'conversations.info': {
    scope: 'channels:read',
    args: ['channel'],
    run: (state, args) => {
      const channel = state.channels.get(String(args.channel))
      if (channel === undefined) return 'channel_not_found'
      return {
        channel: {
          id: channel.id,
          is_member: channel.members.has(state.bot),
          is_archived: channel.isArchived,
          is_read_only: channel.refuses === 'restricted_action_read_only_channel',
        },
      }
    },
  },
  'conversations.members': {
    scope: 'channels:read',
    args: ['channel', 'limit', 'cursor'],
    run: (state, args) => {
      const channel = state.channels.get(String(args.channel))
      return channel === undefined ? 'channel_not_found' : { members: [...channel.members] }
    },
  },
  'users.info': {
    scope: 'users:read',
    args: ['user'],
    run: (state, args) => {
      const id = String(args.user)
      const team_id = state.users.get(id)?.team ?? state.team
      return { user: { id, team_id, tz: state.zones.get(id) ?? 'Etc/UTC' } }
    },
  },
  'usergroups.users.list': {
    scope: 'usergroups:read',
    args: ['usergroup', 'team_id'],
    run: (state, args) => {
      const users = state.groups.get(String(args.usergroup))
      return users === undefined ? 'no_such_subteam' : { users }
    },
  },
  'functions.completeSuccess': {
    args: ['function_execution_id', 'outputs'],
    run: (state, { function_execution_id: id, outputs }) =>
      typeof outputs === 'object' && outputs !== null
        ? endRun(state, String(id), { outputs: outputs as Args })
        : 'invalid_arguments',
  },
  'functions.completeError': {
    args: ['function_execution_id', 'error'],
    run: (state, { function_execution_id: id, error }) =>
      typeof error === 'string' && error !== '' ? endRun(state, String(id), { error }) : 'invalid_arguments',
  },
  'files.getUploadURLExternal': {
    scope: 'files:write',
    args: ['filename', 'length', 'alt_text', 'snippet_type'],
    run: (state, args) => {
      const id = nextId(state, 'F')
      state.files.push({ id, name: String(args.filename), channel: undefined, content: '' })
      return { upload_url: `${state.origin}/upload/${id}`, file_id: id }
    },
  },
  'files.completeUploadExternal': {
    scope: 'files:write',
    args: ['files', 'channel_id', 'thread_ts', 'initial_comment'],
    run: (state, args) => {
      const channel = String(args.channel_id)
      if (!state.channels.has(channel)) return 'channel_not_found'
      const ids = (args.files as { id: string }[]).map(({ id }) => id)
      for (const file of state.files) if (ids.includes(file.id)) file.channel = channel
      return { files: ids.map((id) => ({ id })) }
    },
  },
}

export const callMethod = (
  state: FakeState,
  method: string,
  token: string | undefined,
  args: Args,
): Answer => {
  const said = answerTo(state, method, token, args)
  const answer = typeof said === 'string' ? { ok: false, error: said } : { ok: true, ...said }
  state.calls.push({ method, args, ok: answer.ok })
  return answer
}

const answerTo = (state: FakeState, name: string, token: string | undefined, args: Args): Answer | string => {
  if (name === 'apps.connections.open') {
    if (token !== state.appToken) return 'invalid_auth'
    return { url: `${state.origin.replace('http', 'ws')}/socket` }
  }
  if (name === 'oauth.v2.access') return exchangeCode(state, args)
  if (token !== undefined && state.revoked.has(token)) return 'token_revoked'
  if (name === 'auth.revoke') return revoke(state, token)
  if (name === 'auth.teams.list') return teamsOf(state, token)
  const own = workspaceOf(state, name, token, args)
  if (own !== undefined && own !== state) return answerTo(own, name, own.botToken, args)
  const refused = name.startsWith('functions.')
    ? whyNoRunToken(state, token, String(args.function_execution_id))
    : token === state.botToken
      ? undefined
      : 'invalid_auth'
  if (refused !== undefined) return refused
  const method = methods[name]
  if (method === undefined) return 'unknown_method'
  if (method.scope !== undefined && !state.scopes.has(method.scope)) return 'missing_scope'
  const surplus = Object.keys(args).find((key) => !method.args.includes(key))
  if (surplus !== undefined) return `invalid_arguments:${surplus}`
  return method.run(state, args)
}

/** Every workspace answers to its own token alone; that of an organization is for the one that the call is about. */
const workspaceOf = (
  state: FakeState,
  name: string,
  token: string | undefined,
  args: Args,
): FakeState | undefined => {
  const own = state.others.find(({ botToken }) => botToken === token)
  if (own !== undefined) return own
  const covered = state.others.filter(({ organization }) => organization?.token === token)
  // Whose token it is can be asked about no workspace in particular.
  if (name === 'auth.test') return covered[0]
  const about = [args.channel, args.user, args.user_id].map(String)
  return covered.find(
    ({ team, channels, users, triggers }) =>
      args.team_id === team ||
      triggers.has(String(args.trigger_id)) ||
      about.some((id) => channels.has(id) || users.has(id)),
  )
}

const teamsOf = ({ others }: FakeState, token: string | undefined): Answer | string => {
  const covered = others.filter(({ organization }) => organization?.token === token)
  return covered.length === 0
    ? 'not_allowed_token_type'
    : { teams: covered.map(({ team }) => ({ id: team })) }
}

const revoke = (state: FakeState, token: string | undefined): Answer | string => {
  if (token === undefined) return 'not_authed'
  state.revoked.add(token)
  return { revoked: true }
}

/** A code is for one exchange, at the address that it was asked for with. */
const exchangeCode = (state: FakeState, args: Args): Answer | string => {
  const { clientId, clientSecret, codes } = state.oauth
  if (args.client_id !== clientId || args.client_secret !== clientSecret) return 'bad_client_secret'
  const code = codes.get(String(args.code))
  if (code === undefined) return 'invalid_code'
  codes.delete(String(args.code))
  if (args.redirect_uri !== code.redirectUri) return 'bad_redirect_uri'
  const one = state.others.find(({ team, organization }) => [team, organization?.id].includes(code.id))
  if (one === undefined) return 'invalid_code'
  const isOrganization = code.id === one.organization?.id
  const token = isOrganization ? one.organization?.token : one.botToken
  state.revoked.delete(token ?? '')
  return {
    access_token: token,
    token_type: 'bot',
    bot_user_id: one.bot,
    app_id: 'A0BELLHOP',
    team: isOrganization ? null : { id: one.team, name: `The ${one.team}` },
    enterprise: one.organization === undefined ? null : { id: one.organization.id, name: 'The org' },
    is_enterprise_install: isOrganization,
    ...(code.rotates ? { refresh_token: 'xoxe-1', expires_in: 43_200 } : {}),
  }
}

/** Where a message to this id lands: a channel the bot is in, or a person's conversation with it. */
const whereTo = (state: FakeState, id: string): { id: string } | string => {
  if (id.startsWith('U')) {
    const user = state.users.get(id)
    if (user === undefined) return 'channel_not_found'
    if (user.isDeactivated) return 'user_disabled'
    if (user.hasClosedDm) return 'cannot_dm_user'
    const dm = dmOf(id)
    if (!state.channels.has(dm)) {
      state.channels.set(dm, { id: dm, members: new Set([id, state.bot]), isArchived: false })
    }
    return { id: dm }
  }
  const channel = state.channels.get(id)
  if (channel === undefined) return 'channel_not_found'
  if (channel.isArchived) return 'is_archived'
  if (!channel.members.has(state.bot)) return 'not_in_channel'
  return channel.refuses ?? { id }
}

export const toMessage = (
  state: FakeState,
  channel: string,
  args: Args,
  onlyFor?: string,
  isResponse = false,
): FakeMessage | string => {
  const fault = faultInMessage(args.text, args.blocks, state.refusedBlocks)
  if (fault !== undefined) return fault
  const message: FakeMessage = {
    channel,
    ts: nextTs(state),
    text: String(args.text),
    blocks: (args.blocks ?? []) as FakeMessage['blocks'],
    onlyFor,
    thread: args.thread_ts === undefined ? undefined : String(args.thread_ts),
    edits: 0,
    isDeleted: false,
    isResponse,
  }
  state.messages.push(message)
  return message
}

export const replace = (message: FakeMessage, args: Args): void => {
  message.text = String(args.text)
  message.blocks = (args.blocks ?? []) as FakeMessage['blocks']
  message.edits++
}
