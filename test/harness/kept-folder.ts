import { copyFileSync, cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSentLog } from '../../src/kernel/claims/sent-log.ts'
import { createLogMemory } from '../../src/kernel/log/memory.ts'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { openUpToDate } from '../../src/kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { newFolder } from './bot-process.ts'

/** A folder with the embedded database, on which processes run one after the other. */
export const keptFolder = () => {
  const folder = newFolder()
  const signer = newSigner()
  const files = () => readdirSync(folder).filter((name) => name.startsWith('bellhop.sqlite'))
  return {
    folder,
    /** What the next process is opened with. */
    open: async () => {
      const db = await openUpToDate({ dataDir: folder })
      const store = createStore(db, { now: Date.now })
      return {
        database: { db, close: () => db.close() },
        signer,
        memory: createLogMemory({ folder, store, signer, warn: () => undefined }),
        sent: createSentLog(folder),
      }
    },
    /** The folder as it is now; what is called puts it back. */
    copyAll: (): (() => void) => {
      const aside = newFolder()
      cpSync(folder, aside, { recursive: true })
      return () => {
        rmSync(folder, { recursive: true })
        cpSync(aside, folder, { recursive: true })
      }
    },
    /** The database alone, without what stands beside it. */
    copyDatabase: (): (() => void) => {
      const aside = newFolder()
      for (const name of files()) copyFileSync(join(folder, name), join(aside, name))
      return () => {
        for (const name of files()) rmSync(join(folder, name))
        for (const name of readdirSync(aside)) copyFileSync(join(aside, name), join(folder, name))
      }
    },
  }
}
