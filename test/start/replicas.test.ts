import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { entry, startBot, startProcess, stopProcess } from '../harness/bot-process.ts'
import { openTestDatabase } from '../harness/database.ts'

// Processes are slow to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(inject('postgres') === null)('on PostgreSQL', () => {
  test('two replicas that start together on an empty database are both ready, and know the same', async () => {
    const { url = '', close } = await openTestDatabase('postgres', { empty: true })
    onTestFinished(close)
    const env = { DATABASE_URL: url }
    const replicas = await Promise.all([startBot(env), startBot(env)])
    const asked = startProcess({ args: entry('src/cli/say.ts', 'refund pay_1001 120'), env })
    expect((await asked.ended).code).toBe(3)
    for (const { base, out } of replicas) {
      expect(out()).toMatch(/Database +PostgreSQL\n/)
      expect(await (await fetch(`${base}/readyz`)).json()).toEqual({ status: 'ready' })
      expect(await (await fetch(`${base}/metrics`)).text()).toContain('bellhop_changes{state="pending"} 1')
    }
    const stopped = await Promise.all(replicas.map((replica) => stopProcess(replica)))
    expect(stopped.map(({ code }) => code)).toEqual([0, 0])
    expect(replicas.map(({ err }) => err())).toEqual(['', ''])
  })
})
