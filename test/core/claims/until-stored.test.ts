import { expect, it } from 'vitest'
import { pauseAfter, untilStored } from '../../../src/kernel/claims/until-stored.ts'

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

it('a database that stays away is given up after 120 tries, which are about ten minutes', () => {
  const pauses = Array.from({ length: 119 }, (_, at) => pauseAfter(at + 1) ?? 0)
  expect(Math.round(pauses.reduce((sum, ms) => sum + ms) / 60_000)).toBe(10)
  expect([Math.min(...pauses) > 0, pauseAfter(120)]).toEqual([true, undefined])
})
