import { createCommands } from '../../commands/index.ts'
import { ownPacks } from '../../packs/index.ts'
import type { Pack } from '../../src/command/pack.ts'
import type { Registry } from '../../src/command/registry.ts'
import { useServices } from '../../src/services/endpoints/tables.ts'

let own: Registry | undefined

/** The bot's commands, with those of packs from outside. Without any they are made once for all files that share this process. */
export const commandsWith = (packs: readonly Pack[] = []): Registry => {
  if (packs.length > 0) return createCommands([...ownPacks, ...packs])
  useServices(ownPacks)
  own ??= createCommands(ownPacks)
  return own
}
