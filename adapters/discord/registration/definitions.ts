import type {
  APIApplicationCommandBasicOption,
  APIApplicationCommandSubcommandOption,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js'
import type { Command } from '../../../src/kernel/command/define.ts'
import { choiceWords, type Param } from '../../../src/kernel/command/params.ts'
import type { Registry } from '../../../src/kernel/command/registry.ts'
import { defined } from '../../../src/lib/defined.ts'
import { optionType } from '../protocol/codes.ts'
import { discordLimits } from '../protocol/limits.ts'
import { checkDiscordLimits } from './check-limits.ts'

export type DiscordCommand = RESTPostAPIChatInputApplicationCommandsJSONBody

/**
 * What is registered: a command per noun with a subcommand per verb, or a command of one word. Throws where a definition
 * passes a limit of Discord's.
 */
export const discordCommandsOf = (registry: Registry): DiscordCommand[] => {
  const commands = registry.nouns.map((noun): DiscordCommand => {
    const alone = registry.get(noun)
    const under = registry.under(noun)
    return {
      name: noun,
      type: 1,
      description: alone?.summary ?? nounDescription(noun, under),
      options: alone === undefined ? under.map(subcommandOf) : optionsOf(alone),
      // Who may do what is bellhop.yml's to say, so nobody is hidden from here; servers can narrow it further.
      default_member_permissions: null,
      // In servers and in the conversation with the bot; not in other people's conversations.
      contexts: [0, 1],
      integration_types: [0],
      nsfw: false,
    }
  })
  checkDiscordLimits(commands)
  return commands
}

/** Whether Discord itself insists on it. Lists, JSON, running text and files are easier to give in a form, which asks for them. */
const isRequiredByDiscord = ({ required, type, positional }: Param): boolean =>
  required && type !== 'list' && type !== 'json' && type !== 'file' && (type !== 'text' || positional)

const nounDescription = (noun: string, under: readonly Command[]): string => {
  const words = `${noun}: ${under.map(({ name }) => name.slice(noun.length + 1)).join(', ')}`
  return words.length > discordLimits.command.description ? `Commands about ${noun}` : words
}

const subcommandOf = (command: Command): APIApplicationCommandSubcommandOption => ({
  type: optionType.subcommand,
  name: command.name.split(' ')[1] as string,
  description: command.summary,
  options: optionsOf(command),
})

/** Discord wants those it insists on first. */
const optionsOf = ({ params }: Command): APIApplicationCommandBasicOption[] => [
  ...params.filter(isRequiredByDiscord).map(optionOf),
  ...params.filter((param) => !isRequiredByDiscord(param)).map(optionOf),
]

const optionOf = (param: Param): APIApplicationCommandBasicOption => {
  const base = { name: param.flag, description: param.description, required: isRequiredByDiscord(param) }
  switch (param.type) {
    case 'integer':
      return { ...base, type: optionType.integer, ...rangeOf(param) }
    case 'number':
      return { ...base, type: optionType.number, ...rangeOf(param) }
    case 'file':
      return { ...base, type: optionType.attachment }
    case 'boolean':
      return { ...base, type: optionType.boolean }
    case 'choice':
      if (param.choices.length > discordLimits.command.choices) return { ...base, type: optionType.text }
      return {
        ...base,
        type: optionType.text,
        choices: param.choices.map((choice) => ({ name: choiceWords(param, choice), value: choice })),
      }
    case 'text':
    case 'amount':
    case 'list':
    case 'date':
    case 'json':
      return {
        ...base,
        type: optionType.text,
        ...(param.type === 'text' && param.maxLength !== undefined
          ? { max_length: Math.min(param.maxLength, discordLimits.command.textLength) }
          : {}),
        ...(param.kinds.length === 0 && param.type !== 'amount' ? {} : { autocomplete: true as const }),
      }
  }
}

const rangeOf = ({ min, max }: Param) => ({
  ...defined({ min_value: min, max_value: max }),
})
