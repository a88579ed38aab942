import { keysAt, nameOfSource, pemOf } from '../../kernel/log/signer.ts'
import { namedTables, newestVersion } from '../../kernel/store/database/migrations.ts'
import { defined } from '../../lib/defined.ts'
import { BackupError, type BackupHead, writeBackup } from './backup-file.ts'
import { type BackupPlace, textsAt } from './place.ts'
import { type SealFor, sealKey } from './sealed-key.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { type Table, tablesAt } from './tables.ts'

export type BackedUp = {
  head: BackupHead
  /** Tables of features that are not known here, by their names: they are not in it. */
  leftOut: readonly string[]
  /** The rows of each table. */
  counts: ReadonlyMap<string, number>
  sha256: string
  hasPolicy: boolean
}

/** Everything that a bot needs to go on elsewhere, as it is in this moment, in one file. The bot may run meanwhile. */
export const backUp = async (
  file: string,
  place: BackupPlace,
  { version, at, sealFor }: { version: string; at: number; sealFor: SealFor | undefined },
): Promise<BackedUp> => {
  const sealed = sealFor === undefined ? undefined : await sealKey(keyOf(place), sealFor)
  const snapshot = await openSnapshot(place.database)
  try {
    if (snapshot.version === 0)
      throw new BackupError('There is nothing to back up: no Bellhop has used this database.')
    if (snapshot.version > newestVersion)
      throw new BackupError(
        `The database is at version ${snapshot.version}, and this Bellhop knows versions up to ${newestVersion}. Back it up with the Bellhop that runs on it.`,
      )
    const known = namedTables().map(({ id }) => id)
    const head: BackupHead = {
      ...{ bellhop: 'backup', format: 1, version, schema: snapshot.version, at },
      features: snapshot.features.filter((id) => known.includes(id)),
    }
    const texts = { ...textsAt(place), ...defined({ 'audit-key.pem.age': sealed }) }
    const counts = new Map<string, number>()
    const sha256 = await writeBackup(file, head, texts, tablesOf(snapshot, counts))
    const leftOut = snapshot.features.filter((id) => !known.includes(id))
    return { head, leftOut, counts, sha256, hasPolicy: texts['bellhop.yml'] !== undefined }
  } finally {
    await snapshot.close()
  }
}

const keyOf = ({ logKey }: BackupPlace): string => {
  const keys = keysAt(logKey)
  if (keys.length === 0)
    throw new BackupError(
      `There is no key of the audit log in ${nameOfSource(logKey)}. Say --without-key to leave it out, or run this where the bot runs.`,
    )
  return keys.map(pemOf).join('')
}

async function* tablesOf(snapshot: Snapshot, counts: Map<string, number>) {
  for (const table of tablesAt(snapshot.version, snapshot.features))
    yield { table, pages: counted(snapshot, table, counts) }
}

async function* counted(snapshot: Snapshot, table: Table, counts: Map<string, number>) {
  counts.set(table.name, 0)
  for await (const page of snapshot.pages(table)) {
    counts.set(table.name, (counts.get(table.name) ?? 0) + page.length)
    yield page
  }
}
