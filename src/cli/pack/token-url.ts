import { z } from 'zod'
import { parseBounded } from '../../lib/codecs/bounded-json.ts'
import { request } from '../../lib/undici.ts'
import { ConfigError } from '../start/config.ts'

/** Where an MCP server says that a client of its own gets tokens. It is written into the pack, and pinned with it. */
export const tokenUrlOf = async (where: string): Promise<string> => {
  const resource = await firstOf(placesOf(where, 'oauth-protected-resource'), protectedResource)
  const issuer = resource?.authorization_servers[0] ?? new URL(where).origin
  const names = ['oauth-authorization-server', 'openid-configuration']
  const server = await firstOf(
    names.flatMap((name) => placesOf(issuer, name)),
    authorizationServer,
  )
  if (server === undefined)
    throw new ConfigError([
      `${new URL(where).origin} does not say where tokens are given out. Take the client id out of the environment, and set a token in its place.`,
    ])
  return server.token_endpoint
}

const secure = z.url({ protocol: /^https?$/ }).max(2_000)
const protectedResource = z.object({ authorization_servers: z.array(secure).min(1) })
const authorizationServer = z.object({ token_endpoint: secure })

/** As RFC 8414 and RFC 9728 have it: before the path of the address, then without it. */
const placesOf = (address: string, name: string): string[] => {
  const { origin, pathname } = new URL(address)
  const path = pathname.replace(/\/$/, '')
  return [...new Set([`${origin}/.well-known/${name}${path}`, `${origin}/.well-known/${name}`])]
}

const firstOf = async <T>(urls: readonly string[], schema: z.ZodType<T>): Promise<T | undefined> => {
  for (const url of urls) {
    const read = schema.safeParse(await jsonAt(url))
    if (read.success) return read.data
  }
  return undefined
}

const jsonAt = async (url: string): Promise<unknown> => {
  try {
    const { statusCode, body } = await request(url, {
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(10_000),
    })
    const text = await body.text()
    return statusCode === 200 ? parseBounded(text) : undefined
  } catch {
    return undefined
  }
}
