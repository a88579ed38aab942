import { parseArgs } from 'node:util'
import { features } from '../features/index.ts'
import { useFeatures } from '../kernel/feature.ts'
import { migrate, migrateBack, versionIn } from '../kernel/store/database/migrate.ts'
import { allMigrations, newestVersion as newest } from '../kernel/store/database/migrations.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { type Database, DatabaseError } from '../lib/sql/database.ts'
import { openDatabase } from '../lib/sql/open.ts'
import { readPlace } from './backup/place.ts'
import { exitCodes } from './exit-codes.ts'
import { ConfigError } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'

const usage = `${toolLine('migrate', '[--to <version>]')}

Brings the database of DATABASE_URL or DATA_DIR to a version, which is a number: ${newest} is that of this Bellhop, and without --to
it is meant. A start goes forward by itself. Back it goes by one, from ${newest} to ${newest - 1}, with every bot stopped: then start the
Bellhop of before. Further back, restore a backup.`

/** `bellhop migrate --to <version>`: exit code 0, or 2 with a sentence about what to do. */
try {
  console.log(await run())
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(`${error.message.replace(/\.$/, '')}.`)
  process.exitCode = exitCodes.refused
}

async function run(): Promise<string> {
  const { to = String(newest), help } = readArguments()
  if (help) return usage
  const wanted = Number(to)
  if (!/^\d{1,6}$/.test(to) || wanted < 1)
    throw new ConfigError([`"${to}" is no version: say a number. ${usage}`])
  if (wanted > newest)
    throw new ConfigError([
      `This Bellhop knows versions up to ${newest}, and not ${wanted}: run this with a newer one`,
    ])
  const db = await openDatabase(readPlace(ownEnvironment()).database)
  try {
    return await bring(db, wanted)
  } finally {
    await db.close()
  }
}

async function bring(db: Database, wanted: number): Promise<string> {
  useFeatures(features)
  const now = wallTime
  const before = await versionIn(db)
  if (before === wanted) return `The database is at version ${wanted} already.`
  if (before < wanted) {
    await migrate(db, { now, migrations: allMigrations().filter(({ id }) => id <= wanted) })
    return `The database went from version ${before} to ${wanted}.`
  }
  if (before > newest)
    throw new ConfigError([
      `The database is at version ${before}, and this Bellhop knows versions up to ${newest}: run this with the one that brought it there`,
    ])
  if (wanted < newest - 1)
    throw new ConfigError([
      `Back it goes to version ${newest - 1} and no further: for version ${wanted}, restore a backup of then`,
    ])
  await migrateBack(db, { now })
  return `The database went from version ${before} back to ${wanted}. Start the Bellhop of before now: this one brings it forward again.`
}

function readArguments() {
  try {
    const options = { to: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const
    return parseArgs({ options }).values
  } catch (error) {
    throw new ConfigError([`${(error as Error).message}. ${usage}`])
  }
}
