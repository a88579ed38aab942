import { siblingThings } from '../../../src/kernel/command/params.ts'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { discordLimits } from '../protocol/limits.ts'
import type { CommandInteraction } from '../protocol/payload.ts'
import { clipText, toOneLine } from '../render/escape.ts'
import { commandIn, discordUserIn } from './from-payload.ts'

/** Discord waits three seconds, people less. */
const deadlineMs = 1_500

/** Completes what is being typed, in time or not at all. In a list, the item after the last comma is completed. */
export const autocompleteOption = async (
  { registry, suggest }: Pick<Bot, 'registry' | 'suggest'>,
  interaction: CommandInteraction,
): Promise<{ name: string; value: string }[]> => {
  const { command: name, values, focused } = commandIn(interaction)
  const from = discordUserIn(interaction)
  const command = registry.get(name)
  const param = command?.params.find(({ flag }) => flag === focused)
  if (from === undefined || command === undefined || param === undefined) return []
  const typed = String(values[param.flag] ?? '')
  const cut = param.type === 'list' ? typed.lastIndexOf(',') + 1 : 0
  const before = typed.slice(0, cut)
  const late = new Promise<[]>((resolve) => setTimeout(resolve, deadlineMs, []).unref())
  const found = await Promise.race([
    suggest(from, param, typed.slice(cut), siblingThings(command, values, param)),
    late,
  ])
  const chosen = new Set(before.split(',').map((item) => item.trim()))
  return found
    .filter(({ value }) => !chosen.has(value))
    .map(({ label, value }) => ({
      name: clipText(toOneLine(before + label) || value, discordLimits.autocomplete.name),
      value: before + value,
    }))
    .filter(({ value }) => value.length <= discordLimits.autocomplete.value)
    .slice(0, discordLimits.autocomplete.choices)
}
