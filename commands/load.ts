import { ownPacks } from '../packs/index.ts'
import type { Registry } from '../src/command/registry.ts'
import { ConfigError } from '../src/config.ts'
import type { Environment, MessengerDefinition } from '../src/messenger/definition.ts'
import { loadPacks } from '../src/pack/load.ts'
import { createCommands } from './index.ts'

/** All commands of this bot as it is set up: its own, those of its packs, and those of the packs that bellhop.yml names. */
export const loadCommands = async (
  messengers: readonly MessengerDefinition[],
  env: Environment = process.env,
  warn: (words: string) => void = (words) => void process.stderr.write(`${words}\n`),
): Promise<Registry> => {
  const packs = await loadPacks(env, { own: ownPacks, messengers, warn })
  if (packs.length === 0) return createCommands()
  try {
    return createCommands([...ownPacks, ...packs])
  } catch (error) {
    throw new ConfigError([`The packs that bellhop.yml names cannot be used: ${(error as Error).message}`])
  }
}

/** For tools that have nothing else to say when it fails. */
export const loadCommandsOrExit = async (messengers: readonly MessengerDefinition[]): Promise<Registry> => {
  try {
    return await loadCommands(messengers)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
