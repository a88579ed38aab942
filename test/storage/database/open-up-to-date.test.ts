import { expect, it } from 'vitest'
import { openUpToDate } from '../../../src/storage/database/open-up-to-date.ts'

it('a server that does not answer is waited for, said once, and given up when the time is over', async () => {
  const nobody = { url: 'postgres://nobody@127.0.0.1:9/none' }
  // Loads the driver, which may take longer than the wait.
  await expect(openUpToDate(nobody)).rejects.toMatchObject({ kind: 'down' })
  let waits = 0
  const began = performance.now()
  const opened = openUpToDate(nobody, { waitMs: 200, onWait: () => void waits++ })
  await expect(opened).rejects.toMatchObject({ kind: 'down' })
  expect(performance.now() - began).toBeGreaterThanOrEqual(200)
  expect(waits).toBe(1)
})

it('a folder that cannot be made is not waited for', async () => {
  let waits = 0
  const opened = openUpToDate(
    { dataDir: '/proc/bellhop/data' },
    { waitMs: 60_000, onWait: () => void waits++ },
  )
  await expect(opened).rejects.toMatchObject({ kind: 'down' })
  expect(waits).toBe(0)
})
