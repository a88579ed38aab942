import { createRequire } from 'node:module'
import { install } from 'undici'

// It makes forms of the global kind and sends them by undici, which takes only its own.
install()

/** Required, because its ES module imports all of `node:http`, and with that Node's own copy of undici. */
const rest: typeof import('@discordjs/rest') = createRequire(import.meta.url)('@discordjs/rest')

export const { REST, DiscordAPIError, HTTPError, RateLimitError } = rest
