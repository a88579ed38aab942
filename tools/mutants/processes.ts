import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { disposableVariable } from '../../test/harness/postgres.ts'
import { type Note, readNotes, type Try } from './notes.ts'

/** A try and what was noted of it at its end. */
export type Tried = { one: Try; note: Note }

/** What a process may compute in one try without coming to an end. */
const maxCpuSeconds = 20

let runs = 0
/** The process groups of the tests, which must not outlive this process. */
const running = new Set<number>()

export const endProcesses = (): void => {
  for (const pid of running) endGroup(pid)
}

/**
 * Runs tries in a process of their own, in a copy of the project. One that never ends, or that ends the process, has failed, and
 * the others go on in another.
 */
export const runTries = async (
  tries: Try[],
  around: {
    folder: string
    database: string | undefined
    /** How long the longest test of each file takes when nothing is planted. */
    longest?: Record<string, number>
    /** The fault that is on while the sources are loaded. */
    fromTheStart?: number
  },
): Promise<Tried[]> => {
  if (tries.length === 0) return []
  const { folder, database, longest = {}, fromTheStart = 0 } = around
  runs += 1
  const [order, notesFile] = [join(folder, `.tries-${runs}.json`), join(folder, `.notes-${runs}`)]
  writeFileSync(order, JSON.stringify({ run: runs, tries, longest }))
  writeFileSync(notesFile, '')
  const child = spawn(process.execPath, ['tools/mutants/plant.ts'], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: {
      ...process.env,
      MUTANTS_NOTES: notesFile,
      MUTANTS_ORDER: order,
      NODE_COMPILE_CACHE: join(folder, '.compiled'),
      ...(database ? { TEST_DATABASE_URL: database, [disposableVariable]: 'yes' } : {}),
      ...(fromTheStart ? { PLANTED: String(fromTheStart) } : {}),
    },
  })
  const pid = child.pid as number
  running.add(pid)
  const watch = setInterval(() => {
    const last = readNotes(notesFile).at(-1)
    if (last?.state === 'began' && cpuSecondsOf(last.pid) - last.cpu > maxCpuSeconds) endGroup(pid)
  }, 2_000)
  await once(child, 'exit')
  endGroup(pid)
  running.delete(pid)
  clearInterval(watch)
  const notes = readNotes(notesFile)
  const done = notes.flatMap((note) => (note.state === 'began' ? [] : { one: tries[note.at] as Try, note }))
  const last = notes.at(-1)
  if (last?.state !== 'began') return done
  const stuck: Tried = { one: tries[last.at] as Try, note: { ...last, state: 'failed' } }
  const rest = tries.slice(last.at + 1).filter(({ fault }) => fault === 0 || fault !== stuck.one.fault)
  return [...done, stuck, ...(fromTheStart ? [] : await runTries(rest, around))]
}

/** As many at a time as the machine can do beside their waiting. */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  let next = 0
  const goOn = async () => {
    while (next < items.length) {
      const at = next
      next += 1
      results[at] = await run(items[at] as Item)
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() + 1 }, goOn))
  return results
}

const endGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // None of the group is left.
  }
}

/** What a process has computed, whatever else the machine does. */
const cpuSecondsOf = (pid: number): number => {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
