import { existsSync, mkdtempSync, statSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openUpToDate } from '../../../src/kernel/store/database/open-up-to-date.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { listen } from '../../harness/listen.ts'
import { dataFolder } from '../../harness/run-folders.ts'
import { whenDone } from '../../harness/when-done.ts'

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

it('is said once however often it is tried, and what is no address is not waited for', async () => {
  let tries = 0
  const { port, close } = await listen(
    createServer((socket) => {
      tries++
      socket.destroy()
    }),
  )
  // The time is over with the third try, whoever else asks for it.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (tries < 3 ? 0 : 1))
  whenDone(() => clock.mockRestore())
  let waits = 0
  const wait = { waitMs: 1, onWait: () => void waits++ }
  const opened = openUpToDate({ url: `postgres://nobody@127.0.0.1:${port}/none` }, wait)
  await expect(opened).rejects.toMatchObject({ kind: 'down' })
  await close()
  expect([tries, waits]).toEqual([3, 1])
  await expect(openUpToDate({ url: 'words' }, { ...wait, waitMs: 60_000 })).rejects.toMatchObject({
    kind: 'failed',
  })
  expect(waits).toBe(1)
})

it('the folder of a file is made with all above it, for its owner alone; one that cannot be is named', async () => {
  const above = mkdtempSync(join(dataFolder(), 'bellhop-folder-'))
  const db = await openDatabase({ dataDir: join(above, 'one', 'two') })
  whenDone(() => db.close())
  for (const folder of [join(above, 'one'), join(above, 'one', 'two')])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(existsSync(join(above, 'one', 'two', 'bellhop.sqlite'))).toBe(true)
  await expect(openDatabase({ dataDir: '/proc/bellhop/data' })).rejects.toMatchObject({
    message: 'The data folder /proc/bellhop/data cannot be made',
  })
  // Somebody else has made it meanwhile, whatever it is.
  const link = join(above, 'link')
  symlinkSync(join(above, 'nowhere'), link)
  await expect(openDatabase({ dataDir: link })).rejects.toMatchObject({
    message: expect.stringContaining('cannot be opened'),
  })
})
