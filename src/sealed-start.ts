import { type Config, ConfigError, readConfig } from './config.ts'
import { sealedText, sealingOf } from './core/policy/sealed.ts'
import type { Environment, MessengerDefinition } from './messenger/definition.ts'
import { textDigestOf } from './model/canonical-json.ts'
import type { CommandRef } from './policy/file/draft.ts'
import { openUpToDate } from './storage/database/open-up-to-date.ts'
import { createStore, type Store } from './storage/store.ts'

/**
 * The configuration of a start. A policy file that cannot be read stops it, unless the policy in force is sealed: that
 * one is used then, as for any other file that is not sealed.
 */
export const readStart = async (
  environment: Environment,
  commands: readonly CommandRef[],
  messengers: readonly MessengerDefinition[],
  wait?: Parameters<typeof openUpToDate>[1],
): Promise<Config> => {
  try {
    return readConfig(environment, commands, messengers)
  } catch (error) {
    if (!(error instanceof ConfigError) || error.readable.database === undefined) throw error
    const db = await openUpToDate(error.readable.database, wait)
    try {
      const sealed = await sealedText(createStore(db, { now: Date.now }))
      if (sealed === undefined) throw error
      const config = readConfig(environment, commands, messengers, sealed)
      return { ...config, refused: `The policy file is refused: ${error.problems.slice(0, 5).join(' ')}` }
    } finally {
      await db.close()
    }
  }
}

/** The configuration with the policy that may be in force: where its file lacks the seal, the one that the store has. */
export const withSealedPolicy = async (config: Config, store: Pick<Store, 'policies'>): Promise<Config> => {
  const { policySource: source } = config
  const sealing = await sealingOf(store, source)
  if (sealing.ok) return config
  if (sealing.stays === undefined) throw new ConfigError([sealing.why])
  const sealed = { ...config.withPolicy(sealing.stays), refused: sealing.why }
  // A tool that judges by a draft goes on with it.
  return config.policy.digest === textDigestOf(source.text) ? sealed : { ...sealed, policy: config.policy }
}
