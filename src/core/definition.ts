import type { ChangeCommand } from '../command/define.ts'
import type { Registry } from '../command/registry.ts'
import type { Change } from '../model/change.ts'

/** The command of a stored change; undefined if it no longer exists as a change. */
export const definitionOf = (registry: Registry, { command, input }: Change): ChangeCommand | undefined => {
  const found = registry.get(command)
  if (found?.kind === 'change') return found
  const chosen = found?.kind === 'switch' ? found.choose(input) : undefined
  return chosen?.ok && chosen.value.kind === 'change' ? chosen.value : undefined
}
