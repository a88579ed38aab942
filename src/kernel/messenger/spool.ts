import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { OutFile } from '../command/define.ts'

/**
 * Up to this size a file is kept as a string; a larger one is written to a temporary file that only this user
 * can read.
 */
const maxInMemory = 1_000_000

/** Collects a file of any length piece by piece. */
export const createSpool = (name: string, type: string) => {
  let parts: (string | Buffer)[] = []
  let isText = true
  let size = 0
  let path: string | undefined
  let stream: WriteStream | undefined

  const spill = async (): Promise<WriteStream> => {
    const folder = await mkdtemp(join(tmpdir(), spoolPrefix))
    path = join(folder, name)
    return createWriteStream(path, { mode: 0o600 })
  }
  const flush = async (): Promise<void> => {
    stream ??= await spill()
    const isRoom = stream.write(Buffer.concat(parts.map((part) => Buffer.from(part))))
    parts = []
    size = 0
    if (!isRoom) await once(stream, 'drain')
  }
  return {
    add: async (piece: string | Buffer): Promise<void> => {
      isText &&= typeof piece === 'string'
      parts.push(piece)
      size += piece.length
      if (size > maxInMemory || (stream !== undefined && size > 65_536)) await flush()
    },
    end: async (): Promise<OutFile> => {
      // Bytes that are no text are handed over as a file, however few.
      if (stream === undefined && isText) return { name, type, content: parts.join('') }
      await flush()
      const written = stream as unknown as WriteStream
      written.end()
      await finished(written)
      return { name, type, content: '', path: path as string }
    },
  }
}

const spoolPrefix = 'bellhop-file-'

/** Removes a temporary file after it was delivered. */
export const discard = async ({ path }: OutFile): Promise<void> => {
  if (path !== undefined) await rm(dirname(path), { recursive: true, force: true })
}

/** Removes temporary files that were left behind by processes that died. */
export const pruneSpools = async (before: number): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(spoolPrefix)) continue
    const folder = join(tmpdir(), name)
    const { mtimeMs } = await stat(folder)
    if (mtimeMs < before) await rm(folder, { recursive: true, force: true })
  }
}
