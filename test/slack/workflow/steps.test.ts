import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createSlack } from '../../../adapters/slack/slack.ts'
import { createApp } from '../../../src/cli/start/app.ts'
import { createHttpServer } from '../../../src/lib/http/server.ts'
import { eachEngine } from '../../harness/database.ts'
import { teamPolicy } from '../../harness/team-policy.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { dmOf } from '../fake/state.ts'
import { channels, openSlackHarness, type SlackHarness } from '../harness.ts'

const { approvals } = channels
/** Finn answers for the workflows, and may approve what others ask for. */
const policy = `${teamPolicy}agents:
  - { id: flows, name: Workflows, owner: finn, roles: [support], token: { workflow: true }, rate: 60 }
`
const calls = ({ fake }: Pick<SlackHarness, 'fake'>) =>
  fake.state.calls.filter(({ method }) => method.startsWith('functions.'))

eachEngine('a step of a workflow', async (engine) => {
  const harness = await openSlackHarness({ policy, engine })
  const { fake, fay, finn, app, store, sandbox, db } = harness
  const ended = async (execution: { ended: unknown }) => {
    await until(() => expect(execution.ended).toBeDefined())
    await app.drain()
    return execution.ended
  }

  test('asks for a change, which people decide about, and ends with it', async () => {
    const { execution, delivered } = await fake.runsStep('refund', { payment_id: 'pay_1001', amount: '100' })
    expect(delivered[0]?.status).toBe(200)
    const card = await until(() => fay.finds('pay_1001', approvals))
    expect(card.text).toContain('Workflows (agent of Finn Finance)')
    expect(execution.ended).toBeUndefined()
    await fay.clicks('Approve', { on: card })
    const [change] = await store.changes.list({ limit: 1 })
    expect(await ended(execution)).toEqual({
      outputs: { change_id: change?.id, state: 'applied', message: expect.stringContaining('Refunded 100') },
    })
    expect(calls(harness)).toHaveLength(1)
    // Nobody is written to as if a workflow could read.
    expect(fake.state.calls.filter(({ ok }) => !ok)).toEqual([])
  })

  test('is one change and one end, however often it is delivered', async () => {
    const before = calls(harness).length
    const inputs = { payment_id: 'pay_1002', amount: '60' }
    const { execution, again } = await fake.runsStep('refund', inputs, { times: 3 })
    const card = await until(() => fay.finds('pay_1002', approvals))
    await again()
    await app.drain()
    expect(
      (await store.changes.list({ limit: 9 })).filter(({ line }) => line.includes('pay_1002')),
    ).toHaveLength(1)
    await fay.clicks('Reject', { on: card })
    await fay.submits({ Reason: 'Asked twice' })
    expect(await ended(execution)).toMatchObject({ error: expect.stringContaining('Asked twice') })
    await again()
    await app.drain()
    expect(calls(harness)).toHaveLength(before + 1)
  })

  test('names no requester that counts: its owner stands behind it, whoever it says', async () => {
    const { execution } = await fake.runsStep('refund', {
      payment_id: 'pay_1003',
      amount: '20',
      user_id: 'U0FAY',
      requester: '<@U0FAY>',
    })
    const card = await until(() => fay.finds('pay_1003', approvals))
    const [change] = await store.changes.list({ limit: 1 })
    expect(change?.requester).toMatchObject({ person: 'finn', agent: 'flows', platform: 'slack' })
    // What a person would confirm alone, nobody has confirmed.
    expect(change).toMatchObject({ state: 'pending', clauses: [{ kind: 'approvals' }] })
    await fay.types(`/approval ask ${change?.id} --question "Who wants this?"`, approvals)
    await until(() => finn.finds('Who wants this?', dmOf(finn.id)))
    await finn.clicks('Approve', { on: card })
    await app.drain()
    expect((await store.changes.get(change?.id ?? ''))?.votes).toEqual([])
    await fay.clicks('Approve', { on: card })
    expect(await ended(execution)).toMatchObject({ outputs: { state: 'applied' } })
  })

  test.each([
    [
      'the agent may not ask for',
      'upgrade',
      { subscription_id: 'sub_1', plan_id: 'plan_1' },
      'may run upgrade',
    ],
    ['misses something', 'refund', { amount: '20', payment_id: '' }, 'refund needs payment_id'],
    ['has a value that is none', 'refund', { payment_id: 'pay_1001', amount: 'lots' }, 'amount'],
    ['has an input that is none', 'refund', { payment_id: 'pay_1001', sum: 20 }, 'sum'],
    ['is no longer there', 'approval_approve', { id: 'x' }, 'no such step'],
  ])('that %s fails with a sentence', async (_, step, inputs, words) => {
    const { execution } = await fake.runsStep(step, inputs)
    expect(await ended(execution)).toEqual({ error: expect.stringContaining(words) })
  })

  test('of another workspace is a stranger', async () => {
    const { execution } = await fake.runsStep('refund', { payment_id: 'pay_1001' }, { team: 'T0OTHER' })
    expect(await ended(execution)).toEqual({ error: expect.stringContaining('not linked to anybody') })
  })

  test('is told when Slack is back, and the token that came with it is not kept', async () => {
    fake.fail('functions.completeError', { status: 503 }, { status: 200, error: 'internal_error' })
    const { take } = app.bot.intake
    const stored: unknown[] = []
    app.bot.intake.take = async (platform, delivery, what) => {
      const isFirst = await take(platform, delivery, what)
      stored.push(await db.all(z.unknown(), `SELECT doc FROM tasks WHERE kind = 'intake'`))
      return isFirst
    }
    const { execution } = await fake.runsStep('refund', { payment_id: 'nonsense id' })
    app.bot.intake.take = take
    expect(JSON.stringify(stored)).toContain(execution.id)
    expect(JSON.stringify(stored)).not.toContain(execution.token)
    expect(await ended(execution)).toMatchObject({ error: expect.any(String) })
  })

  test('that Slack has ended already is no longer tried', async () => {
    const [change] = await store.changes.list({ states: ['applied'], limit: 1 })
    const before = calls(harness).length
    await store.tasks.put({
      kind: 'complete',
      key: `complete:${change?.id}`,
      doc: { id: change?.id },
      dueAt: 0,
    })
    await app.drain()
    expect(calls(harness).slice(before)).toMatchObject([{ ok: false }])
    expect((await store.tasks.pending()).complete).toBeUndefined()
  })

  test('waits while nobody knows what happened', async () => {
    sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    const { execution } = await fake.runsStep('refund', { payment_id: 'pay_1006', amount: '70' })
    const card = await until(() => fay.finds('pay_1006', approvals))
    await fay.clicks('Approve', { on: card })
    await until(() => expect(card.text).toContain('Nobody knows'))
    await app.drain()
    expect(execution.ended).toBeUndefined()
    await fay.clicks('It did not', { on: card })
    await fay.submits({ Reason: 'Not in the list' })
    expect(await ended(execution)).toMatchObject({ error: expect.stringContaining('Not in the list') })
  })
})

describe('a process that dies', async () => {
  const harness = await openSlackHarness({ policy, tasks: false })
  const { app, fake, fay, store, slack } = harness
  const next = async () => {
    const { registry, policy: now, services, log } = app.core
    const second = createApp({ registry, policy: now, services, store, log })
    const { botToken, signingSecret } = fake.state
    const running = await createSlack({
      bot: second.bot,
      http: createHttpServer(),
      log,
      config: { botToken, signingSecret, apiUrl: fake.apiUrl },
    })
    second.join(running.messenger)
    await second.start()
    await running.start()
    whenDone(async () => {
      await running.stop()
      await second.stop(1_000)
    })
    return second
  }

  test('before the end was told leaves it to the next, which tells it once', async () => {
    const { take } = app.bot.intake
    let payload: unknown
    // Dies between storing and working.
    app.bot.intake.take = async (platform, delivery, what) => {
      payload = what.payload
      await take(platform, delivery, what)
      return false
    }
    const { execution } = await fake.runsStep('refund', { payment_id: 'pay_1001', amount: '100' })
    app.bot.intake.take = take
    expect(await store.changes.list({ limit: 1 })).toEqual([])
    await slack.messenger.redeliver?.(payload)
    await slack.messenger.redeliver?.(payload)
    const [change, ...more] = await store.changes.list({ limit: 2 })
    expect(more).toEqual([])
    const asFay = { platform: 'slack', account: fay.id, name: 'fay', groups: [] }
    for (const verb of ['get', 'approve'])
      await app.handle({
        delivery: verb,
        from: asFay,
        place: { channel: approvals, handle: null, direct: false },
        forms: false,
        intent: { kind: 'line', line: `approval ${verb} ${change?.id}` },
      })
    expect((await store.changes.get(change?.id ?? ''))?.state).toBe('applied')
    expect(execution.ended).toBeUndefined()
    expect(await store.tasks.pending()).toMatchObject({ complete: 1 })
    const second = await next()
    await until(() => expect(execution.ended).toMatchObject({ outputs: { state: 'applied' } }))
    await second.drain()
    expect(calls(harness)).toHaveLength(1)
  })
})

test('without an agent for workflows a step fails with a sentence', async () => {
  const { fake } = await openSlackHarness()
  const { execution } = await fake.runsStep('refund', { payment_id: 'pay_1001', amount: '100' })
  await until(() => expect(execution.ended).toBeDefined())
  expect(execution.ended).toEqual({
    error:
      'No agent of bellhop.yml stands for workflows. Ask an administrator to list one, with token: { workflow: true }.',
  })
})

test('the stand-in ends a run once, with outputs as the manifest has them, and not with an old token', async () => {
  const { fake } = await openSlackHarness({ policy })
  const { execution } = await fake.runsStep('refund', { payment_id: 'pay_1001', amount: '100' })
  const call = async (method: string, token: string, args: Record<string, unknown>) => {
    const form = new URLSearchParams(
      Object.entries(args).map(([key, value]): [string, string] => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    )
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${fake.apiUrl}${method}`, { method: 'POST', headers, body: form })
    return ((await answer.json()) as { error?: string }).error
  }
  const success = (token: string, id: string, outputs: object) =>
    call('functions.completeSuccess', token, { function_execution_id: id, outputs })
  const outputs = { change_id: 'c', state: 'applied', message: 'Done.' }
  expect(await success('xoxb-wrong', execution.id, outputs)).toBe('invalid_auth')
  expect(await success(execution.token, 'Fx0', outputs)).toBe('access_denied')
  expect(await success(fake.state.botToken, 'Fx0', outputs)).toBe('function_execution_not_found')
  expect(await success(execution.token, execution.id, { state: 'applied' })).toBe(
    'parameter_validation_failed',
  )
  expect(await call('chat.postMessage', execution.token, {})).toBe('invalid_auth')
  expect(await success(execution.token, execution.id, outputs)).toBeUndefined()
  expect(await success(fake.state.botToken, execution.id, outputs)).toBe('execution_not_in_running_state')
  expect(await success(execution.token, execution.id, outputs)).toBe('token_expired')
})
