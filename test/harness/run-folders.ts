import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'bellhop-run-'
const dataVariable = 'BELLHOP_TEST_DATA'
const memory = '/dev/shm'
const roomyBytes = 2e9

/** Where databases are kept that need not outlive a run: in memory where there is room, because nothing in a test is about the disk. */
export const dataFolder = (): string => runFolder() ?? tmpdir()

/** Only inside a run of tests. */
export const runFolder = (): string | undefined => process.env[dataVariable]

/**
 * The folders of one run. Whatever its tests and their processes make, they make inside; when the run ends all of it is
 * removed, and what a killed run has left is removed by the next.
 */
export const openRunFolders = (): { remove(): void } => {
  const places = [tmpdir(), ...(isRoomy(memory) ? [memory] : [])]
  for (const place of places) removeStale(place)
  const folders = places.map((place) => mkdtempSync(join(place, `${prefix}${process.pid}-`)))
  // A database server runs as another user.
  for (const folder of folders) chmodSync(folder, 0o711)
  const { TMPDIR: before } = process.env
  process.env.TMPDIR = folders[0]
  process.env[dataVariable] = folders.at(-1)
  return {
    remove: () => {
      // A run may be one of several things that a process does.
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
      delete process.env[dataVariable]
      for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const isRoomy = (place: string): boolean => {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > roomyBytes
}

/** The process that made a folder has its number in the name. */
const removeStale = (place: string): void => {
  for (const name of readdirSync(place).filter((each) => each.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length).split('-')[0])
    if (!isAlive(owner)) rmSync(join(place, name), { recursive: true, force: true })
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
