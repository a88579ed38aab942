import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { changeOf, openHarness } from '../pipeline/harness.ts'
import { policy } from '../pipeline/policy.ts'
import { countWork, type Work } from './count-work.ts'

const file = new URL('./work.json', import.meta.url)
const jobs = 10
const unlimited = policy.replace(/^budgets:\n.*\n/m, '')

/**
 * A change that makes one of these figures a tenth larger says so by changing the file: `COUNT_WORK=write npx vitest run
 * test/counted` writes it anew.
 */
it('a look-up, a request and an approval take no more work than they did', async () => {
  const harness = await openHarness({ started: false, policy: unlimited })
  const lookUp = () => harness.say('subscriber get ada@example.com')
  const payments = Array.from({ length: 3 * jobs }, () => harness.payment())
  const asked: string[] = []
  const ask = async (at: number) => {
    const { id } = changeOf(await harness.say(`refund ${payments[at]} ${60 + at}`))
    asked.push(id)
  }
  const approve = async (at: number) => {
    expect(changeOf(await harness.press('approve', asked[at] as string, 'fay')).state).toBe('applied')
  }
  // What is made once is made before anything is counted.
  for (let at = 0; at < jobs; at++) {
    await lookUp()
    await ask(at)
    await approve(at)
  }
  const counted: Record<string, Work> = {
    'look-up': await countWork(jobs, lookUp),
    request: await countWork(jobs, (at) => ask(jobs + at)),
    approval: await countWork(
      jobs,
      (at) => approve(2 * jobs + at),
      (at) => ask(2 * jobs + at),
    ),
  }
  if (process.env.COUNT_WORK === 'write') writeFileSync(file, `${JSON.stringify(counted, null, 2)}\n`)
  const known = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Record<string, Work>
  expect(Object.keys(known)).toEqual(Object.keys(counted))
  const grown = Object.entries(counted).flatMap(([job, work]) =>
    Object.entries(work).flatMap(([what, count]) => {
      const before = known[job]?.[what as keyof Work] ?? 0
      return count > 1.1 * before + 1 ? [`${what} of one ${job}: ${count}, and ${before} before`] : []
    }),
  )
  expect(grown).toEqual([])
})
