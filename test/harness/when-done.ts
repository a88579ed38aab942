import { afterAll, onTestFinished } from 'vitest'

const open: (() => Promise<void>)[] = []

/** Closes what was opened inside a test when that test is done, and what was opened outside of one when its suite or file is. */
export const whenDone = (close: () => unknown): void => {
  let isClosed = false
  const once = async () => {
    if (isClosed) return
    isClosed = true
    await close()
  }
  try {
    onTestFinished(once)
  } catch {
    afterAll(once)
    // In a hook it is too late to add another one.
    open.push(once)
  }
}

/** What no suite has closed, the last first. */
export const closeRest = async (): Promise<void> => {
  for (const close of open.splice(0).reverse()) await close()
}
