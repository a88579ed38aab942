import { createCommands } from '../../../commands/index.ts'
import { ownPacks } from '../../../commands/own-packs.ts'
import { features as ownFeatures } from '../../features/index.ts'
import type { Registry } from '../../kernel/command/registry.ts'
import { useFeatures } from '../../kernel/feature.ts'
import type { Environment, MessengerDefinition } from '../../kernel/messenger/definition.ts'
import { DatabaseError } from '../../lib/sql/database.ts'
import { loadOutside } from '../packs/load.ts'
import { ConfigError } from './config.ts'
import { ownEnvironment } from './environment.ts'
import { textWithPacks } from './sealed-start.ts'

/** All commands of this bot as it is set up: its own, those of its packs, and those of the packs that the policy names; its features are in use from here on. */
export const loadCommands = async (
  messengers: readonly MessengerDefinition[],
  env: Environment = ownEnvironment(),
  {
    warn = (words: string) => void process.stderr.write(`${words}\n`),
    databaseWait,
  }: { warn?: (words: string) => void; databaseWait?: Parameters<typeof textWithPacks>[1] } = {},
): Promise<Registry> => {
  // Their tables, before anything brings the database up to date.
  useFeatures(ownFeatures)
  const text = (await textWithPacks(env, databaseWait)) ?? ''
  const { packs, features } = await loadOutside(env, text, { own: ownPacks, ownFeatures, messengers, warn })
  try {
    return createCommands([...ownPacks, ...packs], features)
  } catch (error) {
    throw new ConfigError([
      `What bellhop.yml names under packs and features cannot be used: ${(error as Error).message}`,
    ])
  }
}

/** For tools that need no commands: the features of this bot are in use from here on; without those from outside where they cannot be loaded. */
export const loadFeatures = async (messengers: readonly MessengerDefinition[]): Promise<void> => {
  try {
    await loadCommands(messengers)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    useFeatures(ownFeatures)
  }
}

/** For tools that have nothing else to say when it fails. */
export const loadCommandsOrExit = async (messengers: readonly MessengerDefinition[]): Promise<Registry> => {
  try {
    return await loadCommands(messengers)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
