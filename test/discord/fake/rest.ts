import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../harness/listen.ts'
import { firstAnswer, interactionBy, Refused } from './interactions.ts'
import { commandFaults, messageFaults } from './rules.ts'
import type { FakeMessage, Json, State } from './state.ts'

export type RestServer = { url: string; close(): Promise<void> }
type Files = Record<string, Uint8Array>
type Call = {
  method: string
  path: string[]
  query: URLSearchParams
  body: Json
  files: Files
  isBot: boolean
}

/** Discord's REST API, as far as a bot like ours needs it, with its tokens, permissions, limits and error codes. */
export const startFakeRest = async (state: State, gatewayUrl: () => string): Promise<RestServer> => {
  const buckets = new Map<string, number[]>()
  const server = createServer((request, response) => {
    const file = state.attached[request.url ?? '']
    if (file !== undefined) return void response.writeHead(200).end(file)
    serve(state, buckets, gatewayUrl, request, response).catch(() => response.destroy())
  })
  const { origin, close } = await listen(server)
  return { url: `${origin}/api`, close }
}

const serve = async (
  state: State,
  buckets: Map<string, number[]>,
  gatewayUrl: () => string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const method = request.method ?? 'GET'
  const path = decodeURIComponent((request.url ?? '').split('?')[0] as string)
  const send = (status: number, body?: unknown, headers: Record<string, string> = {}) => {
    state.calls.push({ method, path, status, at: state.now() })
    if (body === undefined) response.writeHead(status, headers).end()
    else
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  const { body, files } = await payloadOf(request)
  const fault = state.faults.find(({ on, times }) => times > 0 && on.test(`${method} ${path}`))
  if (fault !== undefined) {
    fault.times--
    return send(fault.status, fault.body ?? { code: 0, message: 'fault' }, fault.headers)
  }
  const parts = path.replace(/^\/api\/v10\//, '').split('/')
  if (method === 'POST' && parts[0] === 'channels' && parts[2] === 'messages') {
    const bucket = (buckets.get(parts[1] as string) ?? []).filter((at) => at > state.now() - 2_000)
    buckets.set(parts[1] as string, bucket)
    if (bucket.length >= state.postsAllowed) {
      const after = ((bucket[0] as number) + 2_000 - state.now()) / 1000
      return send(
        429,
        { message: 'slow', retry_after: after, global: false },
        {
          'retry-after': String(after),
          'x-ratelimit-scope': 'user',
        },
      )
    }
    bucket.push(state.now())
  }
  try {
    const isBot = request.headers.authorization === `Bot ${state.token}`
    const answer = route(state, gatewayUrl, {
      method,
      path: parts,
      query: new URLSearchParams((request.url ?? '').split('?')[1]),
      body,
      files,
      isBot,
    })
    return answer === undefined ? send(204) : send(200, answer)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return send(error.status, { code: error.code, message: error.message })
  }
}

const guildId = '600000000000000001'

const route = (state: State, gatewayUrl: () => string, call: Call): unknown => {
  const { method, path, body, files, isBot } = call
  const [area, first = '', second = '', third = ''] = path
  if (area === 'interactions') {
    firstAnswer(state, interactionBy(state, second), body)
    return undefined
  }
  if (area === 'webhooks') return webhook(state, call)
  if (!isBot) throw new Refused(401, 0, '401: Unauthorized')
  if (area === 'gateway') {
    return {
      url: gatewayUrl(),
      shards: state.shards,
      session_start_limit: { total: 1000, remaining: 999, reset_after: 0, max_concurrency: 16 },
    }
  }
  if (area === 'applications' && second === 'commands') {
    if (method === 'PUT') {
      refuseIf(state, commandFaults(body as unknown as Json[]))
      state.puts++
      state.commands = (body as unknown as Json[]).map(asRegistered(state))
    }
    return state.commands
  }
  if (path.join('/') === 'users/@me') return { id: state.applicationId, username: 'bellhop', bot: true }
  if (area === 'channels' && method === 'GET' && second === 'messages') {
    mustPost(state, first)
    const all = [...state.messages.values()]
      .filter((one) => one.channel === first && one.onlyFor === null)
      .toReversed()
    const from = all.findIndex(({ id }) => id === call.query.get('before')) + 1
    const limit = Number(call.query.get('limit') ?? 50)
    return all.slice(from, from + limit).map(({ id, body: { components, content } }) => ({
      id,
      author: { id: state.applicationId, bot: true },
      content: content ?? '',
      components: components ?? [],
    }))
  }
  if (area === 'channels' && method === 'GET' && path.length === 2) {
    const channel = state.channels.get(first)
    if (channel === undefined) throw new Refused(404, 10_003, 'Unknown Channel')
    if (!channel.canPost) throw new Refused(403, 50_001, 'Missing Access')
    return {
      id: first,
      type: 0,
      guild_id: channel.guild ?? guildId,
      permission_overwrites: [],
      ...channel.more,
    }
  }
  if (area === 'guilds' && path.length === 2) {
    // Everybody sees channels, unless a channel says otherwise.
    return { id: first, owner_id: '1', roles: [{ id: first, permissions: '1024' }] }
  }
  if (path.join('/') === 'users/@me/guilds') return state.guilds.map((id) => ({ id }))
  if (area === 'guilds' && second === 'members') {
    const member = state.people.get(third)
    if (member === undefined) throw new Refused(404, 10_007, 'Unknown Member')
    return { roles: member.roles }
  }
  if (area === 'users') return conversation(state, String(body.recipient_id))
  if (area === 'channels' && method === 'POST') return post(state, first, body, files)
  if (area === 'channels' && method === 'DELETE') {
    mustPost(state, first)
    state.messages.delete(messageBy(state, third).id)
    return undefined
  }
  if (area === 'channels' && method === 'PATCH') {
    mustPost(state, first)
    return edit(state, messageBy(state, third), body, files)
  }
  throw new Refused(404, 0, '404: Not Found')
}

const webhook = (state: State, { method, path, body, files }: Call): unknown => {
  const [, application, token = '', , id = ''] = path
  if (application !== state.applicationId) throw new Refused(404, 10_015, 'Unknown Webhook')
  const interaction = interactionBy(state, token)
  if (state.now() - interaction.at > 15 * 60_000) throw new Refused(401, 50_027, 'Invalid Webhook Token')
  if (interaction.answered === undefined) throw new Refused(404, 10_015, 'Unknown Webhook')
  const original = interaction.original ?? interaction.source
  if (method === 'PATCH') {
    return edit(state, messageBy(state, id === '@original' ? (original ?? '') : id), body, files)
  }
  const thinking = original === undefined ? undefined : state.messages.get(original)
  // The first message after a deferred answer takes its place, and its privacy.
  if (thinking?.isThinking) return edit(state, thinking, body, files)
  refuseIf(state, messageFaults(body, { files: Object.keys(files) }))
  const isPrivate = (Number(body.flags ?? 0) & 64) !== 0
  const message = add(state, interaction.channel, body, files, isPrivate ? interaction.account : null)
  interaction.followUps.push(message.id)
  return { id: message.id, channel_id: message.channel }
}

const post = (state: State, channel: string, body: Json, files: Files): unknown => {
  mustPost(state, channel)
  refuseIf(state, messageFaults(body, { files: Object.keys(files) }))
  const nonce = body.enforce_nonce === true ? `${channel}:${body.nonce}` : undefined
  const same = nonce === undefined ? undefined : state.nonces.get(nonce)
  if (same !== undefined) return { id: same, channel_id: channel }
  const message = add(state, channel, body, files, null)
  if (nonce !== undefined) state.nonces.set(nonce, message.id)
  return { id: message.id, channel_id: channel }
}

const add = (
  state: State,
  channel: string,
  body: Json,
  files: Files,
  onlyFor: string | null,
): FakeMessage => {
  const reference = body.message_reference as { message_id: string } | undefined
  const message: FakeMessage = {
    id: state.newId(),
    channel,
    body,
    files,
    onlyFor,
    flags: Number(body.flags ?? 0),
    edits: 0,
    isThinking: false,
    ...(reference === undefined ? {} : { replyTo: reference.message_id }),
  }
  state.messages.set(message.id, message)
  return message
}

const edit = (state: State, message: FakeMessage, body: Json, files: Files): unknown => {
  const isV2 = (message.flags & 32_768) !== 0
  refuseIf(state, messageFaults(body, { isEdit: true, isV2, files: Object.keys(files) }))
  message.body = { ...message.body, ...body }
  message.flags |= Number(body.flags ?? 0) & 32_768
  message.files = files
  message.edits++
  message.isThinking = false
  return { id: message.id, channel_id: message.channel }
}

const mustPost = (state: State, id: string): void => {
  const channel = state.channels.get(id)
  if (channel === undefined) throw new Refused(404, 10_003, 'Unknown Channel')
  if (!channel.canPost) throw new Refused(403, 50_001, 'Missing Access')
  if (channel.refuses !== undefined) throw new Refused(403, channel.refuses, 'Missing Permissions')
  if (channel.recipient !== undefined && state.people.get(channel.recipient)?.takesDirect === false) {
    throw new Refused(403, 50_007, 'Cannot send messages to this user')
  }
}

const conversation = (state: State, account: string): unknown => {
  if (!state.people.has(account)) throw new Refused(400, 50_033, 'Invalid Recipient(s)')
  const id = `8${account.slice(1)}`
  if (!state.channels.has(id))
    state.channels.set(id, { id, canPost: true, isServer: false, recipient: account })
  return { id, type: 1 }
}

const messageBy = (state: State, id: string): FakeMessage => {
  const message = state.messages.get(id)
  if (message === undefined) throw new Refused(404, 10_008, 'Unknown Message')
  return message
}

const refuseIf = (state: State, faults: string[]): void => {
  if (faults.length === 0) return
  state.refused.push(...faults)
  throw new Refused(400, 50_035, `Invalid Form Body: ${faults.join('; ')}`)
}

/** Discord gives back more than it was given, and leaves some of it out. */
const asRegistered =
  (state: State) =>
  (command: Json): Json => ({
    ...(JSON.parse(
      JSON.stringify(command, (key, value) => (key === 'required' && value === false ? undefined : value)),
    ) as Json),
    id: state.newId(),
    application_id: state.applicationId,
    version: '1',
    name_localizations: null,
    description_localizations: null,
    dm_permission: true,
  })

const payloadOf = async (request: IncomingMessage): Promise<{ body: Json; files: Files }> => {
  const bytes = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (bytes.length === 0) return { body: {}, files: {} }
  if (!type.startsWith('multipart/')) return { body: JSON.parse(bytes.toString()) as Json, files: {} }
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const files: Files = {}
  for (const [key, value] of form.entries()) {
    if (key.startsWith('files[') && typeof value !== 'string') {
      files[value.name] = new Uint8Array(await value.arrayBuffer())
    }
  }
  return { body: JSON.parse(String(form.get('payload_json') ?? '{}')) as Json, files }
}
