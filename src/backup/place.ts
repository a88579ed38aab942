import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeySource } from '../audit/signer.ts'
import { ConfigError } from '../config.ts'
import { defined } from '../defined.ts'
import { cleaned, withSecrets } from '../environment.ts'
import type { Environment } from '../messenger/definition.ts'
import { sealFileOf } from '../policy/file/seal.ts'
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
  if (problems.length > 0) throw new ConfigError(problems)
  const dataDir = env.DATA_DIR ?? './data'
  const policyFile = env.BELLHOP_CONFIG ?? './bellhop.yml'
  const key = env.AUDIT_KEY_FILE === undefined ? { given: env.AUDIT_KEY } : { file: env.AUDIT_KEY_FILE }
  return {
    database: { ...defined({ url: env.DATABASE_URL }), dataDir },
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
