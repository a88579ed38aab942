import type { Ticks } from '../../clock.ts'
import { createConnection } from '../client/connection.ts'
import { credentialsOf } from '../client/credentials.ts'
import type { ClientSettings } from '../client/settings.ts'
import type { Service } from '../endpoints/row.ts'
import { createMcpConnection, type McpConnection } from './connection.ts'
import { openHttpChannel } from './http-channel.ts'
import { serverPlaceOf } from './place.ts'
import { openStdioChannel } from './stdio-channel.ts'
import { createTokens } from './tokens.ts'

type Given = {
  settings: ClientSettings
  ticks: Ticks
  closing: AbortSignal
  /** What a server that is started as a command is given of our environment. */
  inherited: Readonly<Record<string, string>>
  /** What must not be repeated; tokens that are got are put there. */
  secrets: string[]
}

/** The connection to a service that is an MCP server, over HTTP or to a process of its own. */
export const connectMcp = (
  { auth, environment, mcp }: Pick<Service, 'auth' | 'environment' | 'mcp'>,
  given: Readonly<Record<string, string>> & { baseUrl: string },
  { settings, ticks, closing, inherited, secrets }: Given,
): McpConnection => {
  const place = serverPlaceOf(given.baseUrl)
  const tools = { pinned: mcp?.tools ?? [], settings, ticks, closing }
  if ('command' in place) {
    const { token } = given
    const handed = mcp?.tokenAs === undefined || token === undefined ? {} : { [mcp.tokenAs]: token }
    const variables = { ...inherited, ...handed }
    return createMcpConnection({
      ...tools,
      open: (events) => openStdioChannel(place, variables, settings.maxBytes, events),
    })
  }
  const { headers } = credentialsOf({ auth, environment }, given)
  const connection = createConnection(place.url, headers, settings)
  const tokens =
    mcp?.signIn &&
    createTokens({ ...mcp.signIn, ...clientOf(given) }, place.url, {
      ticks,
      onToken: (token) => {
        // The last two: an answer to the one before may still come.
        secrets.splice(
          Object.keys(environment.keys).length,
          Number.POSITIVE_INFINITY,
          ...secrets.slice(-1),
          token,
        )
      },
    })
  const client = createMcpConnection({
    ...tools,
    open: (events) => openHttpChannel(place.url, connection, headers, tokens, events),
  })
  return {
    ...client,
    async close() {
      await client.close()
      await connection.close()
    },
  }
}

const clientOf = ({ clientId = '', clientSecret = '' }: Readonly<Record<string, string>>) => ({
  clientId,
  clientSecret,
})
