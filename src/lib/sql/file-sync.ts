import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Syncs a file to disk without blocking the process. */
export type FileSync = { (): Promise<void>; close(): Promise<void> }

/**
 * Callers that arrive while a sync is running share the next one, because the running sync may have missed
 * their writes.
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

/** The name of a new file is durable only after its folder is synced too. */
const opened = async (file: string): Promise<FileHandle> => {
  const folder = await open(dirname(file))
  await folder.sync().finally(() => folder.close())
  return open(file, 'r+')
}
