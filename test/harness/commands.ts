import { createCommands } from '../../commands/index.ts'
import { ownPacks } from '../../commands/own-packs.ts'
import { features as ownFeatures } from '../../src/features/index.ts'
import type { Pack } from '../../src/kernel/command/pack.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { type Feature, useFeatures } from '../../src/kernel/feature.ts'
import { useServices } from '../../src/lib/services/endpoints/tables.ts'

let own: Registry | undefined

/** The bot's commands, with those of packs from outside. Without any they are made once for all files that share this process. */
export const commandsWith = (packs: readonly Pack[] = [], features: readonly Feature[] = []): Registry => {
  if (packs.length + features.length > 0) return createCommands([...ownPacks, ...packs], features)
  useServices(ownPacks)
  useFeatures(ownFeatures)
  own ??= createCommands(ownPacks)
  return own
}
