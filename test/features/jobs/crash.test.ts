import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSandbox } from '../../../sandbox/sandbox.ts'
import { failureLines } from '../../../src/features/jobs/failures.ts'
import { createStore } from '../../../src/kernel/store/store.ts'
import { createSeededRandom } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { openDatabase } from '../../../src/lib/sql/open.ts'
import { csvOf, emailOf, type Fate } from '../../harness/many-people.ts'
import { hasEffect, startProxy } from './proxy.ts'

const everybody = 8_000
const sender = new URL('sender.ts', import.meta.url).pathname

it('sends to 8,000 people through faults and three deaths: each of them once, or listed', async () => {
  const dice = createSeededRandom(8)
  const fate = (): Fate =>
    dice.chance(0.95)
      ? 'ok'
      : dice.pick(['drop_before', 'drop_after', 'error_before', 'error_after', 'limit', 'limit', 'refuse'])
  const sandbox = await startSandbox()
  const service = await startProxy(sandbox.email.baseUrl, fate)
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-crash-'))
  const file = join(folder, 'people.csv')
  writeFileSync(file, csvOf(Array.from({ length: everybody }, (_, n) => emailOf(n))))
  const start = (): ChildProcess =>
    spawn(process.execPath, [sender, folder, service.baseUrl, sandbox.email.apiKey, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  try {
    for (const share of [0.15, 0.4, 0.7]) {
      const child = start()
      await expect
        .poll(() => child.exitCode ?? service.sends.length, { interval: 5 })
        .toBeGreaterThan((everybody / 100) * share)
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const last = start()
    await once(last, 'exit')
    expect(last.exitCode).toBe(0)

    const store = createStore(await openDatabase({ dataDir: folder }), { now: Date.now })
    const [job] = await store.bulk.list(['done'], 1)
    const figures = await store.bulk.figures(job?.id ?? '')
    const listed: string[] = []
    for await (const line of failureLines(store, job?.id ?? '')) listed.push(line.split(',')[0] as string)
    await store.close()

    const arrived = service.sends.filter(({ fate: one }) => one !== 'limit').flatMap(({ emails }) => emails)
    expect(new Set(arrived).size, 'nobody twice on the wire').toBe(arrived.length)
    const queued = sandbox.state.email.outbox.map(({ email }) => email)
    expect(new Set(queued).size, 'nobody twice in the outbox').toBe(queued.length)
    expect(queued).toHaveLength(service.sends.filter((one) => hasEffect(one.fate)).length * 100)
    const isListed = new Set(listed)
    expect(isListed.size, 'nobody listed twice').toBe(listed.length)
    expect(new Set([...queued, ...listed]).size, 'nobody forgotten').toBe(everybody)

    const succeeded = service.sends.filter(({ fate: one }) => one === 'ok').flatMap(({ emails }) => emails)
    const lostAnswers = succeeded.filter((email) => isListed.has(email))
    expect(figures.done + listed.length).toBe(everybody)
    expect(figures).toMatchObject({ done: succeeded.length - lostAnswers.length, left: 0, sending: 0 })
    // Each death costs at most the chunks that were on their way.
    expect(lostAnswers.length).toBeLessThanOrEqual(3 * 4 * 100)
  } finally {
    await service.close()
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
