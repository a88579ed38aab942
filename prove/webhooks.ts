import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startSandbox } from '../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../sandbox/service-settings.ts'
import { defined } from '../src/lib/defined.ts'
import type { Engine } from '../src/lib/sql/database.ts'
import { type Databases, openDatabases } from './databases.ts'
import { type Replica, startReplica } from './fleet/replica.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, pick, sampleOf } from './random.ts'
import { type HookMessage, hookSecret, startHook } from './webhooks/hook.ts'

const all = { changes: 1_000, kills: 20, fleet: 2 }
/** What takes time is starting a bot. */
const sampled = { changes: 16, kills: 1, fleet: 1 }
const token = 'an-agent-of-the-proof-0123456789-0123456789'
const shortLeases = new URL('./webhooks/short-leases.ts', import.meta.url)
const callers = 8
/** Nothing new was told for so long: nothing more will be. */
const quietMs = 60_000

type Run = { changes: number; kills: number; fleet: number; random: () => number; databases: Databases }

/** Replicas, killed while programs ask over HTTP, each with every key twice; a hook that now and then takes nothing is told of all of it. */
export const proveWebhooks = async ({ sample, many, seed, server, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const random = createRandom(seed)
  const { kills, changes, fleet } = sample ? sampled : { ...all, changes: many ?? all.changes }
  const databases = await openDatabases({ server })
  const rows: string[][] = []
  const violations: string[] = []
  try {
    const { engines } = databases
    for (const engine of sample ? sampleOf(random, engines, 1) : engines) {
      const { row, found } = await live(engine, { changes, kills, fleet, random, databases })
      rows.push(row)
      violations.push(...found.map((words) => `${engine}: ${words}`))
      say(row.join(', '))
    }
  } finally {
    await databases.close()
  }
  const planted = faultIn(['change.approved', 'change.applied'])
  return {
    title: 'Webhooks and idempotency keys under kills',
    claim:
      'Each key is one change however often and wherever it is asked for, and a hook is told every step of each change in order, however often a process dies.',
    figures: [
      `${changes} keys for each store, each asked for twice over HTTP by ${callers} callers at ${fleet === 1 ? 'one bot' : `${fleet} replicas`}; ${kills} kills with SIGKILL meanwhile; the hook answers every nineteenth message with 503.`,
      `A planted fault, a change whose second step is not told: ${planted === undefined ? 'NOT CAUGHT' : `caught (${planted})`}.`,
      `Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: [
      {
        caption: 'What was asked for, done and told.',
        head: [
          'store',
          'keys',
          'kills',
          'changes',
          'done',
          'failed, nothing sent',
          'outcome unknown',
          'messages',
          'told again',
          'violations',
        ],
        rows,
      },
    ],
    violations,
  }
}

const live = async (engine: Engine, { changes, kills, fleet, random, databases }: Run) => {
  const sandbox = await startSandbox()
  const hook = await startHook()
  const place = await databases.fresh(engine)
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-prove-hooks-'))
  const file = join(folder, 'bellhop.yml')
  writeFileSync(file, policyWith(hook.url))
  const env = {
    API: 'on',
    ROBOT_TOKEN: token,
    HOOK_SECRET: hookSecret,
    BELLHOP_CONFIG: file,
    LOG_LEVEL: 'silent',
    DATA_DIR: place.dataDir ?? folder,
    ...defined({ DATABASE_URL: place.url }),
    ...serviceSettingsOf(sandbox),
  }
  const start = () => startReplica(env, shortLeases)
  const replicas = await Promise.all(Array.from({ length: fleet }, start))
  try {
    const ids = await askAll(replicas, { changes, kills, random, start })
    const given = [...new Set([...ids.values()].flatMap((one) => [...one]))]
    await untilQuiet(hook.taken, given)
    const found: string[] = []
    for (const [key, of] of ids) if (of.size !== 1) found.push(`the key ${key} is ${of.size} changes`)
    const firsts = firstsOf(hook.taken)
    const typesOf = (id: string) => (firsts.get(id) ?? []).map(({ type }) => type)
    for (const id of given) {
      const fault = faultIn(typesOf(id)) ?? (isRising(firsts.get(id) ?? []) ? undefined : 'told out of order')
      if (fault !== undefined) found.push(`${id}: ${fault}`)
    }
    const made = new Map<string, number>()
    for (const { method, path, body } of sandbox.wire) {
      const [, name] = /"(List \d+)\\*"/.exec(JSON.stringify(body)) ?? []
      if (method === 'POST' && path.endsWith('/lists') && name) made.set(name, (made.get(name) ?? 0) + 1)
    }
    for (const [name, count] of made) if (count > 1) found.push(`${name} was made ${count} times`)
    const isTold = (id: string, end: string) => typesOf(id).includes(`change.${end}`)
    for (const [key, of] of ids) {
      const isMade = made.has(`List ${key}`)
      for (const id of of) {
        if (isTold(id, 'applied') && !isMade) found.push(`${id}: told applied, and nothing was sent`)
        if (isTold(id, 'failed') && isMade) found.push(`${id}: told failed, and it was sent`)
      }
    }
    const countOf = (end: string) => given.filter((id) => isTold(id, end)).length
    const [done, failed] = [countOf('applied'), countOf('failed')]
    const messages = hook.taken.length
    const again = messages - [...firsts.values()].flat().length
    const figures = [
      changes,
      kills,
      given.length,
      done,
      failed,
      given.length - done - failed,
      messages,
      again,
      found.length,
    ]
    return { row: [engine, ...figures.map(String)], found }
  } finally {
    await Promise.all(replicas.map((one) => one.kill()))
    await Promise.all([sandbox.close(), hook.close(), place.remove()])
    rmSync(folder, { recursive: true, force: true })
  }
}

const policyWith = (url: string) => `version: 1
people: [{ id: ann, name: Ann, roles: [all] }]
agents: [{ id: robot, name: Robot, owner: ann, roles: [all], token: { env: ROBOT_TOKEN }, rate: 100000 }]
roles: { all: { run: ["*"], approve: ["*"] } }
policies: [{ name: lists, commands: [list create], require: none }]
webhooks: [{ url: "${url}", secret: { env: HOOK_SECRET }, private: true }]
`

type Asking = Omit<Run, 'databases' | 'fleet'> & { start(): Promise<Replica> }

/** The ids that each key was answered with, while one replica after the other is killed and started again. */
const askAll = async (replicas: Replica[], { changes, kills, random, start }: Asking) => {
  const ids = new Map(Array.from({ length: changes }, (_, key) => [key, new Set<string>()]))
  const left = [...ids.keys(), ...ids.keys()]
  const total = left.length
  const ask = async (key: number): Promise<string> => {
    for (;;) {
      try {
        const answer = await fetch(`${pick(random, replicas).base}/api/requests`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': `key-${key}`,
          },
          body: JSON.stringify({ command: 'list create', values: { name: `List ${key}` } }),
        })
        if (answer.status === 202) return ((await answer.json()) as { id: string }).id
        await answer.body?.cancel()
      } catch {
        // Whoever got no answer asks again, wherever somebody answers.
      }
      await wait(20)
    }
  }
  const work = async (): Promise<void> => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) ids.get(key)?.add(await ask(key))
  }
  const working = Promise.all(Array.from({ length: callers }, work))
  for (let kill = 0; kill < kills; kill++) {
    while (left.length > 0 && total - left.length < (total * (kill + 1)) / (kills + 1)) await wait(10)
    const at = kill % replicas.length
    await replicas[at]?.kill()
    replicas[at] = await start()
  }
  await working
  return ids
}

/** Until each change has been told its end, or nothing is told any more. */
const untilQuiet = async (taken: readonly HookMessage[], given: readonly string[]): Promise<void> => {
  const isEnded = (type: string) => ['change.applied', 'change.failed', 'change.unknown'].includes(type)
  let seen = -1
  let since = Date.now()
  for (;;) {
    const ended = new Set(taken.filter(({ type }) => isEnded(type)).map(({ change }) => change))
    if (given.every((id) => ended.has(id))) return
    if (taken.length !== seen) since = Date.now()
    seen = taken.length
    if (Date.now() - since > quietMs) return
    await wait(100)
  }
}

/** Of each change, each message when it first came. */
const firstsOf = (taken: readonly HookMessage[]): Map<string, HookMessage[]> => {
  const seen = new Set<string>()
  const firsts = new Map<string, HookMessage[]>()
  for (const one of taken) {
    if (seen.has(one.id)) continue
    seen.add(one.id)
    firsts.set(one.change, [...(firsts.get(one.change) ?? []), one])
  }
  return firsts
}

const isRising = (told: readonly HookMessage[]): boolean =>
  told.every(({ version }, at) => version > (told[at - 1]?.version ?? -1))

/** What is wrong with the steps that were told of a change which nobody had to approve; whether an end is true is asked of what was sent. */
const faultIn = (types: readonly string[]): string | undefined => {
  const steps = types.map((type) => type.replace('change.', '')).join(' ')
  const whole = ['applied', 'failed', 'unknown', 'unknown applied'].map((end) => `approved applying ${end}`)
  return whole.includes(steps) ? undefined : `told ${steps || 'nothing'}`
}
