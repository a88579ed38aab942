import { createRequire } from 'node:module'
import type { RESTOptions } from '@discordjs/rest'
import { fetch, install } from 'undici'

// It makes forms of the global kind, and undici takes only its own.
install()

/** Required, because its ES module imports all of `node:http`, and with that Node's own copy of undici. */
const rest: typeof import('@discordjs/rest') = createRequire(import.meta.url)('@discordjs/rest')

export const { REST, DiscordAPIError, HTTPError, RateLimitError } = rest

/** Files leave by fetch: undici's plain request never ends when it is given a form. */
export const makeRequest: RESTOptions['makeRequest'] = (url, init) =>
  init.body instanceof FormData
    ? (fetch(url, init as Parameters<typeof fetch>[1]) as ReturnType<RESTOptions['makeRequest']>)
    : rest.DefaultRestOptions.makeRequest(url, init)
