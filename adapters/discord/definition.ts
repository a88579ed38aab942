import { z } from 'zod'
import type { MessengerDefinition } from '../../src/kernel/messenger/definition.ts'
import { type DiscordConfig, readDiscordConfig } from './config.ts'

const idPhrase = 'a Discord id in quotes, such as "400000000000000001" (a bare number loses its last digits)'
/** Of a server that is a workspace of its own, with that before it: `"600000000000000002/400000000000000001"`. */
const discordId = z.string(idPhrase).regex(/^(?:\d+\/)?\d+$/, idPhrase)
const guildPhrase = 'Discord servers by their ids in quotes, such as "600000000000000002"'

export const discordDefinition: MessengerDefinition<DiscordConfig> = {
  name: 'discord',
  title: 'Discord',
  variables: ['DISCORD_TOKEN', 'DISCORD_PUBLIC_KEY'],
  secrets: ['DISCORD_TOKEN'],
  switches: ['DISCORD_GATEWAY'],
  accounts: {
    account: discordId,
    group: { id: discordId, plural: 'Discord roles' },
    channel: discordId,
    workspace: { id: z.string(guildPhrase).regex(/^\d+$/, guildPhrase) },
  },
  turnOn: 'DISCORD_TOKEN and DISCORD_APPLICATION_ID',
  readConfig: readDiscordConfig,
  check: async (config, registry, named) => {
    const [{ checkDiscord }, { commandDifferences }] = await Promise.all([
      import('./doctor.ts'),
      import('./registration/register.ts'),
    ])
    return checkDiscord(config, (listed) => commandDifferences(listed, registry), named)
  },
  create: async (deps) => (await import('./discord.ts')).createDiscord(deps),
  preview: async (view) => {
    const [{ renderMessage }, { drawDiscord }] = await Promise.all([
      import('./render/render.ts'),
      import('./render/drawing.ts'),
    ])
    const rendered = renderMessage(view)
    return { json: rendered.body, drawing: drawDiscord(rendered) }
  },
}
