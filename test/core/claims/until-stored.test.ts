import { beforeEach, expect, it, vi } from 'vitest'
import { untilStored } from '../../../src/core/claims/until-stored.ts'

let waitedMs = 0
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => {
    waitedMs += ms
  },
}))
beforeEach(() => {
  waitedMs = 0
})

it('what happened is stored by the next try after one that failed, which is logged with what it is about', async () => {
  const logged: object[] = []
  let tries = 0
  const log = { error: (fields: object) => void logged.push(fields) }
  const stored = await untilStored({ log } as never, { change: 'c1' }, async () => {
    tries += 1
    if (tries === 1) throw new Error('away')
    return 'stored'
  })
  expect([stored, tries]).toEqual(['stored', 2])
  expect(logged).toMatchObject([{ change: 'c1', failures: 1, err: { message: 'away' } }])
})

it('a database that stays away is given up after 120 tries, which are about ten minutes', async () => {
  let tries = 0
  const log = { error: () => undefined }
  const stored = untilStored({ log } as never, {}, async () => {
    tries += 1
    if (tries <= 130) throw new Error('away')
  })
  await expect(stored).rejects.toThrow('away')
  expect([tries, Math.round(waitedMs / 60_000)]).toEqual([120, 10])
})
