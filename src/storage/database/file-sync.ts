import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Brings what was written to a file onto the disk without stopping the process meanwhile. */
export type FileSync = { (): Promise<void>; close(): Promise<void> }

/**
 * Whoever asks while one sync runs waits for the next one, together with everybody else who does: what the running
 * one has missed of theirs, the next one has not.
 */
export const createFileSync = (file: string): FileSync => {
  let handle: Promise<FileHandle> | undefined
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const sync = async (): Promise<void> => {
    handle ??= opened(file)
    await (await handle).datasync()
  }
  const ask = (): Promise<void> => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        running = sync()
        return running
      })
    return next
  }
  return Object.assign(ask, {
    close: async () => {
      await next?.catch(() => undefined)
      await (await handle?.catch(() => undefined))?.close()
    },
  })
}

/** A file that is new has a name only once its folder is on the disk too. */
const opened = async (file: string): Promise<FileHandle> => {
  const folder = await open(dirname(file))
  await folder.sync().finally(() => folder.close())
  return open(file, 'r+')
}
