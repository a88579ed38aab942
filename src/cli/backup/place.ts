import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeySource } from '../../kernel/log/signer.ts'
import type { Environment } from '../../kernel/messenger/definition.ts'
import { sealFileOf } from '../../kernel/policy/file/seal.ts'
import { defined } from '../../lib/defined.ts'
import { whyNoAddress } from '../../lib/sql/address.ts'
import { ConfigError, databaseOf, policyFileOf } from '../start/config.ts'
import { cleaned, withSecrets } from '../start/environment.ts'
import type { BackupTexts } from './backup-file.ts'

/** Where everything is that a backup holds. Nothing else of the configuration needs to be right for it. */
export type BackupPlace = {
  database: { url?: string; dataDir: string }
  logKey: KeySource
  policyFile: string
  /** What stands beside the database, by its name in a backup. */
  files: Readonly<Record<'bellhop.yml' | 'bellhop.yml.sig' | 'packs.lock', string>>
  passphrase: string | undefined
}

export const readPlace = (environment: Environment): BackupPlace => {
  const problems: string[] = []
  const names = ['DATABASE_URL', 'AUDIT_KEY', 'BACKUP_PASSPHRASE']
  const env = withSecrets(cleaned(environment), names, problems)
  problems.push(...whyNoAddress(env.DATABASE_URL))
  if (problems.length > 0) throw new ConfigError(problems)
  const database = databaseOf(env)
  const { dataDir } = database
  const policyFile = policyFileOf(env)
  const key = env.AUDIT_KEY_FILE === undefined ? { given: env.AUDIT_KEY } : { file: env.AUDIT_KEY_FILE }
  return {
    database,
    logKey: { dataDir, ...defined(key) },
    policyFile,
    files: {
      'bellhop.yml': policyFile,
      'bellhop.yml.sig': sealFileOf(policyFile),
      'packs.lock': join(dirname(policyFile), 'packs.lock'),
    },
    passphrase: env.BACKUP_PASSPHRASE,
  }
}

/** Those of its files that are there. */
export const textsAt = ({ files }: BackupPlace): BackupTexts =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) =>
      existsSync(file) ? [[name, readFileSync(file, 'utf8')]] : [],
    ),
  )
