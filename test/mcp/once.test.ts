import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom, pick } from '../../prove/random.ts'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { serviceSettingsOf } from '../../sandbox/service-settings.ts'
import { newFolder, startBot } from '../harness/bot-process.ts'
import { tokenOf } from './harness.ts'
import { createRpc } from './rpc.ts'

const token = tokenOf('robot')
const policy = `version: 1
people: [{ id: ann, name: Ann, roles: [all] }, { id: bob, name: Bob, roles: [all] }]
agents: [{ id: robot, name: Robot, owner: ann, roles: [all], token: { env: ROBOT_TOKEN }, rate: 100000 }]
roles: { all: { run: ["*"], approve: ["*"] } }
policies: [{ name: lists, commands: [list create], require: none }]
`
const keys = 30
const copies = 5

const call = async (base: string, key: number, more: object = {}, signal?: AbortSignal) => {
  const given = { name: `List ${key}`, request_key: `key-${key}`, ...more }
  const answer = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_create', arguments: given },
    }),
    ...(signal === undefined ? {} : { signal }),
  })
  const text = await answer.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result.structuredContent
}

/** A client that asked at one replica comes back to another after the first has died. */
const followTasks = async (first: Bot, second: Bot): Promise<void> => {
  const sending = { agent: 'robot' }
  const params = (name: string, given: object) => ({ name, arguments: given, task: {} })
  const refund = params('refund', { payment_id: 'pay_1001', amount: 20 })
  const asked = await createRpc(first.base)('modern', 'tools/call', refund, sending)
  const made = await createRpc(first.base)(
    'legacy',
    'tools/call',
    params('list_create', { name: 'T' }),
    sending,
  )
  first.send('SIGKILL')
  await first.ended
  const rpc = createRpc(second.base)
  const taskId = String(asked.result.taskId)
  expect((await rpc('modern', 'tasks/get', { taskId }, sending)).result).toMatchObject({ status: 'working' })
  await rpc('modern', 'tasks/cancel', { taskId }, sending)
  expect((await rpc('modern', 'tasks/get', { taskId }, sending)).result.status).toBe('cancelled')
  const { taskId: done } = made.result.task as { taskId: string }
  const { result } = await rpc('legacy', 'tasks/result', { taskId: done }, sending)
  expect(result.structuredContent).toMatchObject({ id: done, state: 'applied' })
}

type Bot = Awaited<ReturnType<typeof startBot>>

it('duplicated, cut and crashed calls have no double effect', async () => {
  const random = createRandom(20)
  const sandbox = await startSandbox()
  const folder = newFolder()
  writeFileSync(join(folder, 'bellhop.yml'), policy)
  const env = {
    MCP: 'on',
    ROBOT_TOKEN: token,
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
    ...serviceSettingsOf(sandbox),
  }
  const replicas = [await startBot(env), await startBot(env)]
  const calls = Array.from({ length: keys * copies }, (_, at) => at % keys).sort(() => random() - 0.5)
  const outcomes = { answered: 0, lost: 0 }
  const work = async (): Promise<void> => {
    for (let key = calls.pop(); key !== undefined; key = calls.pop()) {
      const cut = random() < 0.2 ? AbortSignal.timeout(Math.floor(random() * 60)) : undefined
      try {
        await call(pick(random, replicas).base, key, {}, cut)
        outcomes.answered++
      } catch {
        outcomes.lost++
        // Whoever got no answer asks again.
        if (cut === undefined && random() < 0.5) calls.push(key)
      }
    }
  }
  const working = Promise.all(Array.from({ length: 16 }, work))
  for (let crash = 0; crash < 2; crash++) {
    const left = calls.length
    await expect.poll(() => calls.length === 0 || left - calls.length > 35).toBe(true)
    replicas[crash % 2]?.send('SIGKILL')
    replicas[crash % 2] = await startBot(env)
  }
  await working
  const ids = new Set<string>()
  for (let key = 0; key < keys; key++) {
    const told = await call(pick(random, replicas).base, key, { wait_seconds: 30 })
    ids.add(told.id)
    const made = sandbox.wire.filter(
      ({ method, path, body }) =>
        method === 'POST' &&
        path.endsWith('/lists') &&
        JSON.stringify(body).replaceAll('\\', '').includes(`"List ${key}"`),
    )
    expect([key, made.length]).toEqual([key, told.state === 'unknown' ? Math.min(1, made.length) : 1])
    expect(['applied', 'unknown']).toContain(told.state)
  }
  expect(ids.size).toBe(keys)
  const [first, second] = replicas
  if (first === undefined || second === undefined) throw new Error('no replicas')
  await followTasks(first, second)
  expect(outcomes.answered).toBeGreaterThan(60)
  expect(outcomes.lost).toBeGreaterThan(8)
  await sandbox.close()
})
