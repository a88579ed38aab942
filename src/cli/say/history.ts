import { appendFileSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const most = 500

/**
 * Lines typed at the prompt, newest first, kept between sessions. A home folder that is not writable is
 * ignored.
 */
export const createHistory = (file = join(homedir(), '.bellhop_history')) => ({
  read: (): string[] => {
    try {
      return readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-most).reverse()
    } catch {
      return []
    }
  },
  add: (line: string): void => {
    try {
      appendFileSync(file, `${line}\n`, { mode: 0o600 })
    } catch {}
  },
})
