import { askerOf } from '../../src/pipeline/asker.ts'
import { suggest } from '../../src/pipeline/suggest.ts'
import type { World } from '../../src/pipeline/world.ts'
import { clip, oneLine } from './escape.ts'
import { commandIn, fromOf } from './inbound.ts'
import { limits } from './limits.ts'
import type { CommandInteraction } from './payload.ts'

/** Discord waits three seconds, people less. */
const deadlineMs = 1_500

/** Completes what is being typed, in time or not at all. In a list, the item after the last comma is completed. */
export const complete = async (
  world: World,
  interaction: CommandInteraction,
): Promise<{ name: string; value: string }[]> => {
  const { command: name, values, focused } = commandIn(interaction)
  const from = fromOf(interaction)
  const param = world.registry.get(name)?.params.find(({ flag }) => flag === focused)
  if (from === undefined || param?.suggest === undefined) return []
  const typed = String(values[param.flag] ?? '')
  const cut = param.type === 'list' ? typed.lastIndexOf(',') + 1 : 0
  const before = typed.slice(0, cut)
  const late = new Promise<[]>((resolve) => setTimeout(resolve, deadlineMs, []).unref())
  const found = await Promise.race([
    suggest(world, askerOf(world.policy, from), param.suggest, typed.slice(cut)),
    late,
  ])
  const chosen = new Set(before.split(',').map((item) => item.trim()))
  return found
    .filter(({ value }) => !chosen.has(value))
    .map(({ label, value }) => ({
      name: clip(oneLine(before + label) || value, limits.autocomplete.name),
      value: before + value,
    }))
    .filter(({ value }) => value.length <= limits.autocomplete.value)
    .slice(0, limits.autocomplete.choices)
}
