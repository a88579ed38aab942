import type { MessengerDefinition } from '../src/kernel/messenger/definition.ts'
import { consoleDefinition } from './console/definition.ts'
import { discordDefinition } from './discord/definition.ts'
import { mcpDefinition } from './mcp/definition.ts'
import { slackDefinition } from './slack/definition.ts'

/** Every messenger there is, on or off. */
export const messengers: readonly MessengerDefinition[] = [
  slackDefinition,
  discordDefinition,
  consoleDefinition,
  mcpDefinition,
]
