import { mkdir, open, opendir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Witness, WitnessError } from './witness.ts'

/** A file in a folder that does not answer within this time is away: it may be another machine's. */
const answersWithinMs = 10_000

/** One file for each checkpoint, which holds the signed note and nothing else. */
export const createFolderWitness = (folder: string): Witness => ({
  name: 'folder',
  keep: ({ size, note }) =>
    inTime(folder, async () => {
      const name = fileNameOf(size)
      const file = join(folder, name)
      await mkdir(folder, { recursive: true })
      const there = await readFile(file, 'utf8').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      })
      if (there === note) return name
      if (there !== undefined) throw new WitnessError(`it holds another checkpoint of ${size} entries`)
      await writeWhole(file, note)
      return name
    }),
  held: async function* () {
    for await (const { name } of await inTime(folder, () => opendir(folder))) {
      if (fileNames.test(name))
        yield { note: await inTime(folder, () => readFile(join(folder, name), 'utf8')) }
    }
  },
})

const fileNameOf = (size: number): string => `checkpoint-${String(size).padStart(12, '0')}.txt`
const fileNames = /^checkpoint-\d{12,}\.txt$/

/** On the disk, and under its name only when all of it is there. */
const writeWhole = async (file: string, text: string): Promise<void> => {
  const part = `${file}.part`
  const handle = await open(part, 'w', 0o644)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, file)
}

/** Folders that have not answered yet. What hangs there holds a thread, and there are few: no more is asked meanwhile. */
const hanging = new Set<string>()

const inTime = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  if (hanging.has(folder)) throw new WitnessError('it does not answer')
  const done = work()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    hanging.add(folder)
    const answered = () => hanging.delete(folder)
    done.then(answered, answered)
    late.reject(new WitnessError('it does not answer'))
  }, answersWithinMs)
  try {
    return await Promise.race([done, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
