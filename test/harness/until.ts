import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a machine that is busy with other things. */
const patienceMs = 180_000

/** Waits until `look` does not throw, and gives what it returns. A test that waits in vain says what did not hold. */
export const until = async <T>(look: () => T | Promise<T>): Promise<T> => {
  for (const end = Date.now() + patienceMs; ; await sleep(10)) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
