import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** For whoever runs the bot, and nobody else. */
export const ownFileMode = 0o600
const ownFolderMode = 0o700
const others = 0o077

/**
 * Makes a folder that is this account's alone, and those above it. It does not use mkdir's `recursive` option, which loops
 * forever where no folder can be created, such as in /proc.
 */
export const makeOwnFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeOwnFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: ownFolderMode })
  } catch (error) {
    // Another replica may have created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes a file before somebody else's code does, which would let others read it, or takes that from one that is there. */
export const keepOwn = (file: string): void => {
  try {
    closeSync(openSync(file, 'ax', ownFileMode))
  } catch {
    closeToOthers(file)
  }
}

/** Takes from others what they may do with a file, as far as this account can. */
export const closeToOthers = (file: string): void => {
  try {
    const { mode } = statSync(file)
    if ((mode & others) !== 0) chmodSync(file, mode & ~others & 0o777)
  } catch {
    // It is not there, or somebody else's: doctor and the start tell of the folder.
  }
}

/** What stands in a data folder, by the names that are ours. */
const ownNames =
  /^(bellhop\.sqlite.*|audit-key\.pem|audit-(checkpoint|steps)\.txt|sent(\.old)?\.jsonl|[\w-]+\.token)$/

/** Takes from others what they may do with our files in a data folder, however they came there. */
export const closeOwnFiles = (folder: string): void => {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (ownNames.test(name)) closeToOthers(join(folder, name))
}

/** That others may look into a folder, as a sentence. */
export const whyOpenToOthers = (folder: string): string | undefined => {
  if (process.platform === 'win32') return undefined
  try {
    const mode = statSync(folder).mode & 0o777
    if ((mode & others) === 0) return undefined
    return `DATA_DIR (${folder}) is open to other accounts of this machine, with mode ${mode.toString(8)}. Its files are not; close it as well: chmod 700 ${folder}`
  } catch {
    return undefined
  }
}

/** The folder itself, or the nearest above it that exists. */
export const nearestFolderOf = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : nearestFolderOf(dirname(folder))
