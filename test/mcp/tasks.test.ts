import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client'
import { CreateTaskResultV1Schema, TaskV1Schema } from '@modelcontextprotocol/ext-tasks/core/v1'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWaitingRoom } from '../../adapters/mcp/wait.ts'
import { agentPolicy, openAgents, tokenOf } from './harness.ts'
import { createRpc, type Sending, type TestEra } from './rpc.ts'

const policy = agentPolicy.replace(/budgets:\n.*\n/, '')
const { base, press, say, store, sandbox, close } = await openAgents({ policy })
afterAll(close)
const rpc = createRpc(base)

let payments = 1000
const nextRefund = () => ({ payment_id: `pay_${++payments}`, amount: 5 })

const ask = (era: TestEra, name: string, given: object, sending?: Sending) =>
  rpc(
    era,
    'tools/call',
    { name, arguments: given, ...(era === 'legacy' ? { task: { ttl: 60_000 } } : {}) },
    sending,
  )

/** The id of the task that a refund was answered with, in the form of its revision. */
const askedAs = async (era: TestEra, sending?: Sending): Promise<string> => {
  const { result, error } = await ask(era, 'refund', nextRefund(), sending)
  expect(error).toBeUndefined()
  if (era === 'modern') {
    expect(isCreateTaskResultV2(result)).toBe(true)
    return String(result.taskId)
  }
  return CreateTaskResultV1Schema.parse(result).task.taskId
}

const get = async (era: TestEra, taskId: string) => {
  const { result, error } = await rpc(era, 'tasks/get', { taskId })
  expect(error).toBeUndefined()
  if (era === 'legacy') TaskV1Schema.parse(result)
  else expect(isDetailedTaskV2(result)).toBe(true)
  return result
}

describe.each(['modern', 'legacy'] as const)('a change as a task, by a %s client', (era) => {
  it('works while people decide, and then has what the call would have answered', async () => {
    const id = await askedAs(era)
    expect(await store.changes.get(id)).toMatchObject({ state: 'pending', requester: { agent: 'helper' } })
    expect(await get(era, id)).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('Needs'),
    })
    const ended = era === 'legacy' ? rpc(era, 'tasks/result', { taskId: id }) : undefined
    await press('approve', id, 'fay')
    const task = await get(era, id)
    expect(task.status).toBe('completed')
    const result = era === 'modern' ? task.result : (await ended)?.result
    expect(result).toMatchObject({ structuredContent: { id, state: 'applied' } })
    expect(await rpc(era, 'tools/call', { name: 'change_get', arguments: { id } })).toMatchObject({
      result: { structuredContent: { id, state: 'applied' } },
    })
  })

  it.each([
    ['reject', 'completed', 'rejected'],
    ['cancel', 'cancelled', 'cancelled'],
  ] as const)('tells that somebody chose to %s it', async (verb, status, state) => {
    const id = await askedAs(era)
    await press(verb, id, verb === 'reject' ? 'fay' : 'sam', 'no')
    const task = await get(era, id)
    expect(task.status).toBe(status)
    if (era === 'legacy') {
      const { result } = await rpc(era, 'tasks/result', { taskId: id })
      expect(result).toMatchObject({ structuredContent: { state } })
    }
  })

  it('tells what failed, and that nobody knows', async () => {
    for (const [fault, state, status] of [
      [{ kind: 'status', status: 422 }, 'failed', era === 'legacy' ? 'failed' : 'completed'],
      [{ kind: 'drop_after' }, 'unknown', 'completed'],
    ] as const) {
      const id = await askedAs(era)
      sandbox.fault({ service: 'billing', path: `/transaction/refund/pay_${payments}`, ...fault })
      await press('approve', id, 'fay')
      expect((await store.changes.get(id))?.state).toBe(state)
      const task = await get(era, id)
      expect(task.status).toBe(status)
      const { result } = era === 'modern' ? task : await rpc(era, 'tasks/result', { taskId: id })
      expect(result).toMatchObject({ structuredContent: { state } })
    }
  })

  it('is taken back by its agent, which decides nothing by that', async () => {
    const id = await askedAs(era)
    const { result } = await rpc(era, 'tasks/cancel', { taskId: id })
    if (era === 'legacy') expect(result).toMatchObject({ taskId: id, status: 'cancelled' })
    expect((await get(era, id)).status).toBe('cancelled')
    expect((await store.changes.get(id))?.state).toBe('cancelled')
    const again = await rpc(era, 'tasks/cancel', { taskId: id })
    if (era === 'legacy') expect(again.error?.code).toBe(-32602)
    else expect(again.error).toBeUndefined()
    expect((await store.changes.get(id))?.state).toBe('cancelled')
  })

  it('belongs to its agent alone: not to another one, and not what its owner asked for', async () => {
    const id = await askedAs(era)
    const own = await say('refund pay_1050 70', 'sam')
    const owners = own.kind === 'change' ? own.change.id : ''
    const methods = ['tasks/get', 'tasks/cancel', era === 'modern' ? 'tasks/update' : 'tasks/result']
    for (const method of methods) {
      for (const [taskId, agent] of [
        [id, 'clerk'],
        [owners, 'helper'],
        ['nothing', 'helper'],
      ] as const) {
        const { error } = await rpc(era, method, { taskId }, { agent })
        expect([method, agent, error?.code]).toEqual([method, agent, -32602])
      }
    }
    expect((await store.changes.get(id))?.state).toBe('pending')
    expect((await store.changes.get(owners))?.state).toBe('pending')
    if (era === 'modern') return
    const listed = async (agent: string) => {
      const { result } = await rpc(era, 'tasks/list', {}, { agent })
      return (result.tasks as { taskId: string }[]).map(({ taskId }) => taskId)
    }
    expect(await listed('helper')).toContain(id)
    expect(await listed('helper')).not.toContain(owners)
    expect(await listed('clerk')).toEqual([])
    expect((await rpc(era, 'tasks/list', { cursor: 'x' })).error?.code).toBe(-32602)
  })

  it('is not made of a look-up, a refusal, or what is done at once', async () => {
    const looked = await ask(era, 'subscriber_get', { who: 'ada@example.com' })
    if (era === 'legacy') expect(looked.error?.code).toBe(-32601)
    else
      expect(looked.result).toMatchObject({
        resultType: 'complete',
        structuredContent: { state: 'answered' },
      })
    const refused = await ask(era, 'refund', { payment_id: 'pay_1001', amount: 'much' })
    const said = era === 'legacy' ? refused.error?.data : refused.result.structuredContent
    expect(said).toMatchObject({ state: 'refused', code: 'bad_value' })
    const { result } = await ask(era, 'list_create', { name: `At once ${era}` })
    if (era === 'modern') expect(result).toMatchObject({ structuredContent: { state: 'applied' } })
    else expect(result).toMatchObject({ task: { status: 'completed' } })
  })
})

describe('who has not declared tasks', () => {
  it('is answered with the change itself, and cannot ask about tasks', async () => {
    const { result } = await ask('modern', 'refund', nextRefund(), { capabilities: {} })
    const { id } = result.structuredContent as { id: string }
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { state: 'pending' } })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await rpc('modern', method, { taskId: id }, { capabilities: {} })
      expect([method, error?.code]).toEqual([method, -32021])
    }
    expect((await store.changes.get(id))?.state).toBe('pending')
    for (const method of ['tasks/result', 'tasks/list']) {
      expect((await rpc('modern', method, { taskId: id })).error?.code).toBe(-32601)
    }
  })
})

describe('calls that wait for the end of a change', () => {
  it('leave room for those of others, and are told so where there is none', async () => {
    const id = await askedAs('legacy')
    const told: Promise<{ error?: { message: string } }>[] = Array.from({ length: 20 }, () =>
      rpc('legacy', 'tasks/result', { taskId: id }),
    )
    const refused: Awaited<(typeof told)[number]>[] = []
    for (const one of told) void one.then((answer) => refused.push(answer))
    await expect.poll(() => refused.length).toBe(4)
    for (const { error } of refused) expect(error?.message).toMatch(/As many calls wait here .*tasks\/get/s)
    // What waits only for a while is answered with how it stands.
    const { result } = await rpc('legacy', 'tools/call', {
      name: 'change_get',
      arguments: { id, wait_seconds: 50 },
    })
    expect(result).toMatchObject({ structuredContent: { state: 'pending' } })
    const theirs = await askedAs('legacy', { agent: 'clerk' })
    const waits = rpc('legacy', 'tasks/result', { taskId: theirs }, { agent: 'clerk' })
    await press('approve', theirs, 'finn')
    expect((await waits).result).toMatchObject({ structuredContent: { id: theirs } })
    await press('approve', id, 'fay')
    expect((await Promise.all(told)).filter(({ error }) => error === undefined)).toHaveLength(16)
    expect((await rpc('legacy', 'tasks/result', { taskId: id })).error).toBeUndefined()
  })

  it.each([
    ['the end of a task', (id: string) => rpc('legacy', 'tasks/result', { taskId: id })],
    [
      'how a change stands',
      (id: string) =>
        rpc('legacy', 'tools/call', { name: 'change_get', arguments: { id, wait_seconds: 50 } }),
    ],
    [
      'how a request stands',
      async (id: string) => {
        const headers = { authorization: `Bearer ${tokenOf('helper')}` }
        return (await fetch(`${base}/api/requests/${id}?wait_seconds=50`, { headers })).text()
      },
    ],
  ])('for %s are handed nothing when agents are frozen meanwhile', async (_, wait) => {
    const id = await askedAs('legacy')
    const waiting = wait(id)
    await expect.poll(() => Promise.race([waiting.then(() => 'over'), pause(200, 'waits')])).toBe('waits')
    await say('freeze agents --reason "Odd requests"', 'fay')
    await press('reject', id, 'fay', 'Not now')
    const told = JSON.stringify(await waiting)
    await store.freezes.clear('agents')
    expect(told).toContain('Agents are frozen by')
    expect(told).not.toContain('rejected')
  })

  it('hold no more places altogether than there are, and give each back once', () => {
    const room = createWaitingRoom({ ofCaller: 2, inAll: 3 })
    const [one, two] = [room.enter('a'), room.enter('a')]
    expect([room.enter('a'), typeof room.enter('b'), room.enter('b'), room.enter('c')]).toEqual([
      undefined,
      'function',
      undefined,
      undefined,
    ])
    one?.()
    expect(room.enter('c')).toBeDefined()
    two?.()
    expect(room.enter('a')).toBeDefined()
  })
})

describe('the official session for tasks', () => {
  const client = new Client({ name: 'tasks', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  beforeAll(async () => {
    const requestInit = { headers: { authorization: `Bearer ${tokenOf('helper')}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }))
  })
  afterAll(() => client.close())

  it('calls a tool, settles, and reads the outcome', async () => {
    const session = createTaskSessionFromClient(client, { endpointId: 'test' })
    const execution = await session.callTool('list_create', { name: 'By a session' })
    const { outcome } = await execution.settle()
    expect(JSON.stringify(outcome)).toContain('"state":"applied"')
    await session.close()
  })
})
