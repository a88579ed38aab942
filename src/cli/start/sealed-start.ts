import { existsSync } from 'node:fs'
import type { Environment, MessengerDefinition } from '../../kernel/messenger/definition.ts'
import type { CommandRef } from '../../kernel/policy/file/draft.ts'
import { sealFileOf } from '../../kernel/policy/file/seal.ts'
import { besideProposed, besideWords } from '../../kernel/policy/in-force/proposed.ts'
import { type SealedStore, sealedText, sealingOf } from '../../kernel/policy/in-force/sealed.ts'
import { versionIn } from '../../kernel/store/database/migrate.ts'
import { openUpToDate } from '../../kernel/store/database/open-up-to-date.ts'
import { createStore, type Store } from '../../kernel/store/store.ts'
import { wallTime } from '../../lib/clock.ts'
import { textDigestOf } from '../../lib/codecs/canonical-json.ts'
import { whyNoAddress } from '../../lib/sql/address.ts'
import { DatabaseError } from '../../lib/sql/database.ts'
import { databaseFileIn, openDatabase } from '../../lib/sql/open.ts'
import { type Config, ConfigError, databaseIn, policyFileOf, readConfig, readText } from './config.ts'

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
      const sealed = await sealedText(createStore(db, { now: wallTime }))
      if (sealed === undefined) throw error
      const config = readConfig(environment, commands, messengers, sealed)
      return { ...config, refused: `The policy file is refused: ${error.problems.slice(0, 5).join(' ')}` }
    } finally {
      await db.close()
    }
  }
}

/**
 * The text that names the packs of a start: that of the file if it may be in force, otherwise that of the version that is.
 * Undefined if neither may be, or if nobody can say. Nothing of a pack runs before this.
 */
export const textWithPacks = async (
  environment: Environment,
  /** For a start, which brings the database up to date. A tool changes nothing in it. */
  wait?: Parameters<typeof openUpToDate>[1],
): Promise<string | undefined> => {
  const from = policyFileOf(environment)
  const text = readText(from)
  const database = databaseIn(environment)
  if (whyNoAddress(database.url).length > 0) return undefined
  try {
    return await withPolicies(database, wait, async (policies) => {
      if (text === undefined) return sealedText({ policies })
      const signatures = readText(sealFileOf(from)) ?? ''
      const sealing = await sealingOf({ policies }, { text, signatures, from })
      return sealing.ok ? text : sealing.stays
    })
  } catch (error) {
    if (wait !== undefined || !(error instanceof DatabaseError)) throw error
    return undefined
  }
}

/** What is on record of policies. Where there is no database yet, nothing is in force. */
export const withPolicies = async <T>(
  database: Config['database'],
  wait: Parameters<typeof openUpToDate>[1],
  look: (policies: SealedStore['policies']) => Promise<T>,
): Promise<T> => {
  const none = { newest: async () => undefined, text: async () => undefined }
  const isThere = database.url !== undefined || existsSync(databaseFileIn(database.dataDir))
  if (!isThere) return look(none)
  const db = wait === undefined ? await openDatabase(database) : await openUpToDate(database, wait)
  try {
    const hasPolicies = wait !== undefined || (await versionIn(db)) >= firstWithPolicies
    return await look(hasPolicies ? createStore(db, { now: wallTime }).policies : none)
  } finally {
    await db.close()
  }
}

/** The migration that made their tables. */
const firstWithPolicies = 8

/** The configuration with the policy that may be in force: where its file lacks the seal, the one that the store has. */
export const withSealedPolicy = async (config: Config, store: Pick<Store, 'policies'>): Promise<Config> => {
  const { policySource: source } = config
  const sealing = await sealingOf(store, source)
  if (sealing.ok) {
    const beside = await besideProposed(store, source.text)
    // A tool that judges by a draft goes on with it.
    if (beside === undefined || config.policy.digest !== textDigestOf(source.text)) return config
    const why = besideWords(beside)
    return beside.isBehind
      ? { ...config.withPolicy(beside.text), refused: why }
      : { ...config, warnings: () => [...config.warnings(), why] }
  }
  if (sealing.stays === undefined) throw new ConfigError([sealing.why])
  const sealed = { ...config.withPolicy(sealing.stays), refused: sealing.why }
  // A tool that judges by a draft goes on with it.
  return config.policy.digest === textDigestOf(source.text) ? sealed : { ...sealed, policy: config.policy }
}
