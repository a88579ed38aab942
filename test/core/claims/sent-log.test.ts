import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSentLog, type SentClaim, SentLogError, sentFile } from '../../../src/kernel/claims/sent-log.ts'
import { changeIn } from '../../approvals/sample.ts'
import { newFolder } from '../../harness/bot-process.ts'

const claim = (key: string, at = 1): SentClaim => ({ key, at, log: 'bellhop/one', entry: `entry ${key}` })
const end = { state: 'applied', message: 'Done.', at: 2 } as const

describe.each([
  ['in a folder', () => newFolder()],
  ['in memory', () => undefined],
])('what was sent, %s', (_, place) => {
  it('is found by its key, with what came of it and the change as it was', async () => {
    const log = createSentLog(place())
    const change = changeIn('applying')
    expect(log.find('one')).toBeUndefined()
    await log.keep(claim('one'), change)
    expect(log.find('one')).toEqual(claim('one'))
    await log.end('one', end)
    expect(log.all()).toEqual([{ ...claim('one'), end }])
    expect(log.changeOf('one')).toEqual(change)
    expect(log.changeOf('two')).toBeUndefined()
  })

  it('is claimed once: whoever comes second is refused, and sends nothing', async () => {
    const log = createSentLog(place())
    await log.keep(claim('one'))
    await expect(log.keep(claim('one', 5))).rejects.toMatchObject({ name: 'SentLogError', isSent: true })
    // The same claim again is no second one.
    await log.keep(claim('one'))
    expect(log.all()).toEqual([claim('one')])
  })

  it('forgets a batch of which nothing was sent', async () => {
    const log = createSentLog(place())
    const batch = { ...claim('job:1:10'), batch: { job: 'job', n: 1, size: 10 } }
    await log.keep(batch)
    await log.end(batch.key, { ...end, state: 'pending' })
    expect(log.all()).toEqual([])
    await log.keep({ ...batch, at: 7 })
    expect(log.find(batch.key)).toMatchObject({ at: 7 })
  })
})

describe('the file of what was sent', () => {
  it('is for its owner alone, and read by every process on the folder, also those that run', async () => {
    const folder = newFolder()
    const [one, other] = [createSentLog(folder), createSentLog(folder)]
    expect(other.find('one')).toBeUndefined()
    await one.keep(claim('one'))
    expect(statSync(join(folder, sentFile)).mode & 0o777).toBe(0o600)
    expect(other.find('one')).toEqual(claim('one'))
    await expect(other.keep(claim('one', 9))).rejects.toBeInstanceOf(SentLogError)
    await other.keep(claim('two'))
    expect(one.find('two')).toEqual(claim('two'))
  })

  it('loses a line that was cut off by a crash, and none after it', async () => {
    const folder = newFolder()
    await createSentLog(folder).keep(claim('one'))
    appendFileSync(join(folder, sentFile), '{"sent":{"key":"cut o')
    const next = createSentLog(folder)
    expect(next.all()).toEqual([claim('one')])
    await next.keep(claim('two'))
    expect(createSentLog(folder).all()).toEqual([claim('one'), claim('two')])
  })

  it('begins anew when it is full, keeps the one before it, and is followed by whoever reads it', async () => {
    const folder = newFolder()
    const [one, other] = [createSentLog(folder), createSentLog(folder)]
    await one.keep(claim('one'))
    expect(other.find('one')).toBeDefined()
    appendFileSync(join(folder, sentFile), `${' '.repeat(16_000_000)}\n`)
    await one.keep(claim('two'))
    expect(readFileSync(join(folder, sentFile), 'utf8')).not.toContain('"one"')
    expect(other.all()).toEqual([claim('one'), claim('two')])
    expect(createSentLog(folder).all()).toEqual([claim('one'), claim('two')])
  })

  it('that cannot be written lets nothing leave', async () => {
    const folder = newFolder()
    rmSync(folder, { recursive: true })
    appendFileSync(folder, 'no folder')
    await expect(createSentLog(folder).keep(claim('one'))).rejects.toMatchObject({ isSent: false })
    rmSync(folder)
  })
})
