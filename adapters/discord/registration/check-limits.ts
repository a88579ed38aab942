import type { APIApplicationCommandOption, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js'
import { optionType } from '../protocol/codes.ts'
import { discordLimits } from '../protocol/limits.ts'

type Named = {
  name: string
  description: string
  options?: readonly APIApplicationCommandOption[] | undefined
}

const most = discordLimits.command

/** A definition that passes a limit of Discord's fails at the start, not in front of a user. */
export const checkDiscordLimits = (
  commands: readonly RESTPostAPIChatInputApplicationCommandsJSONBody[],
): void => {
  if (commands.length > most.count)
    fail('Discord', `takes ${most.count} commands, and there are ${commands.length}`)
  for (const command of commands) {
    check(`/${command.name}`, command)
    const characters = charactersOf(command)
    if (characters > most.characters) {
      fail(`/${command.name}`, `has ${characters} characters in all; Discord takes ${most.characters}`)
    }
  }
}

const check = (where: string, { name, description, options = [] }: Named): void => {
  if (!/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u.test(name)) fail(where, 'has a name that Discord does not take')
  if (description.length < 1 || description.length > most.description) {
    fail(where, `needs a description of 1 to ${most.description} characters`)
  }
  if (options.length > most.options)
    fail(where, `has ${options.length} options; Discord takes ${most.options}`)
  const names = options.map((option) => option.name)
  if (new Set(names).size !== names.length) fail(where, 'has two options of one name')
  let isOptional = false
  for (const option of options) {
    const here =
      option.type === optionType.subcommand ? `${where} ${option.name}` : `${where} ${option.name}:`
    if (isOptional && option.required === true) fail(here, 'is required and follows one that is not')
    isOptional ||= option.required !== true
    check(here, option as Named)
    if (option.type === optionType.text) checkChoices(here, option.choices ?? [])
  }
}

const checkChoices = (where: string, choices: readonly { name: string; value: string }[]): void => {
  if (choices.length > most.choices)
    fail(where, `has ${choices.length} choices; Discord takes ${most.choices}`)
  for (const { name, value } of choices) {
    if (name.length < 1 || name.length > most.choice || value.length > most.choice) {
      fail(where, `has a choice of more than ${most.choice} characters`)
    }
  }
}

const charactersOf = ({ name, description, options = [] }: Named): number =>
  name.length +
  description.length +
  options.reduce((sum, option) => {
    const choices = option.type === optionType.text ? (option.choices ?? []) : []
    const written = choices.reduce((length, choice) => length + choice.name.length + choice.value.length, 0)
    return sum + charactersOf(option as Named) + written
  }, 0)

const fail = (where: string, problem: string): never => {
  throw new Error(`${where} ${problem}`)
}
