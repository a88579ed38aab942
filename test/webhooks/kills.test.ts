import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom, pick } from '../../prove/random.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../../sandbox/service-settings.ts'
import { newFolder, startBot } from '../harness/bot-process.ts'
import { hookSecret, startReceiver, type Told } from './receiver.ts'

const token = 'an-agent-of-the-test-0123456789-0123456789'
const keys = 40

it('under kills each key is one change, and each webhook tells all of its steps in order', {
  timeout: 300_000,
}, async () => {
  const random = createRandom(37)
  const sandbox = await startSandbox()
  let n = 0
  const { url, taken } = await startReceiver(() => (++n % 19 === 0 ? 503 : 204))
  const folder = newFolder()
  writeFileSync(
    join(folder, 'bellhop.yml'),
    `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
agents: [{ id: robot, name: Robot, owner: ann, roles: [all], token: { env: ROBOT_TOKEN }, rate: 100000 }]
roles: { all: { run: ["*"], approve: ["*"] } }
policies: [{ name: lists, commands: [list create], require: none }]
webhooks: [{ url: "${url}", secret: { env: HOOK_SECRET }, private: true }]
`,
  )
  const env = {
    API: 'on',
    ROBOT_TOKEN: token,
    HOOK_SECRET: hookSecret,
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    ...serviceSettingsOf(sandbox),
  }
  const replicas = [await startBot(env), await startBot(env)]
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (key: number): Promise<string> => {
    for (;;) {
      try {
        const answer = await fetch(`${pick(random, replicas).base}/api/requests`, {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': `key-${key}` },
          body: JSON.stringify({ command: 'list create', values: { name: `List ${key}` } }),
        })
        if (answer.status === 202) return ((await answer.json()) as { id: string }).id
      } catch {
        // Whoever got no answer asks again.
      }
    }
  }
  const asked = Array.from({ length: keys * 2 }, (_, at) => at % keys)
  const ids = new Map<number, Set<string>>()
  const work = async (): Promise<void> => {
    for (let key = asked.pop(); key !== undefined; key = asked.pop()) {
      const seen = ids.get(key) ?? new Set()
      ids.set(key, seen.add(await ask(key)))
    }
  }
  const working = Promise.all(Array.from({ length: 6 }, work))
  for (let crash = 0; crash < 2; crash++) {
    const left = asked.length
    await expect.poll(() => asked.length === 0 || left - asked.length > 20, { timeout: 60_000 }).toBe(true)
    replicas[crash]?.send('SIGKILL')
    replicas[crash] = await startBot(env)
  }
  await working
  expect([...ids.values()].map(({ size }) => size)).toEqual(Array.from({ length: keys }, () => 1))
  for (const [id] of [...ids.values()].map((one) => [...one])) {
    const firsts = () => [...new Map(taken.toReversed().map((one) => [one.id, one])).values()].toReversed()
    const ofOne = (): Told[] => firsts().filter(({ change }) => change === id)
    await expect.poll(() => ofOne().at(-1)?.state, { timeout: 60_000 }).toMatch(/applied|unknown/)
    const told = ofOne()
    expect(told.map(({ version }) => version)).toEqual(
      told.map(({ version }) => version).toSorted((a, b) => a - b),
    )
    expect(told.slice(0, 2).map(({ type }) => type)).toEqual(['change.approved', 'change.applying'])
    expect(
      told
        .map(({ type }) => type)
        .slice(2)
        .join(' '),
    ).toMatch(/^change\.(applied|unknown)( change\.applied)?$/)
  }
  await sandbox.close()
})
