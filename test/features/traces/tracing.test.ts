import { expect, it, test } from 'vitest'
import { createApp } from '../../../src/cli/start/app.ts'
import { openTracing } from '../../../src/features/traces/otlp.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createServices } from '../../../src/lib/services/client/client.ts'
import { fromOf, policyOf } from '../../harness/app.ts'
import { entry, namingModules, newFolder, startProcess } from '../../harness/bot-process.ts'
import { eachEngine } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'
import { buttonOf, changeOf, openHarness } from '../../pipeline/harness.ts'
import { policy } from '../../pipeline/policy.ts'
import { type ReceivedSpan, startReceiver } from './receiver.ts'

const log = createLog('silent')

const tracingTo = (endpoint: string, service: string) =>
  openTracing({ endpoint, headers: {}, service }, { version: '1', log })

/** Two replicas on one database, each with its own tracing, which know of each other by the database alone. */
const openReplicas = async (options: Parameters<typeof openHarness>[0]) => {
  const receiver = await startReceiver()
  const tracings = [tracingTo(receiver.origin, 'one'), tracingTo(receiver.origin, 'two')] as const
  const harness = await openHarness({ ...options, tracing: tracings[0] })
  const { registry, store, sandbox } = harness
  const services = createServices(sandbox.services, { log, observe: tracings[1].called })
  const second = createApp({
    registry,
    policy: policyOf(policy, registry),
    services,
    store,
    log,
    tracing: tracings[1],
    tasks: false,
  })
  await second.start()
  whenDone(async () => {
    await second.stop(1_000)
    await services.close()
  })
  const received = async () => {
    for (const tracing of tracings) await tracing.close(5_000)
    return receiver.spans
  }
  return { ...harness, second, receiver, received }
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const [found, ...more] = spans.filter((span) => span.name === name)
  if (found === undefined || more.length > 0) throw new Error(`${spans.map((one) => one.name)}: one ${name}?`)
  return found
}

eachEngine('a trace', (engine) => {
  it('goes from the delivery over the decision at another replica to the call of the service', async () => {
    const { ask, payment, second, stored, app, received, receiver } = await openReplicas({ engine })
    const secret = 'Zebrawood'
    const paid = payment()
    const change = await ask(`refund ${paid} 167 --description "${secret} for zoe@example.com"`)
    await second.handle({
      delivery: 'from-elsewhere',
      from: fromOf('fay'),
      place: { channel: 'C0SECRET', handle: null, direct: true },
      forms: false,
      intent: { kind: 'press', verb: 'approve', id: buttonOf(change) },
    })
    expect((await stored(change)).state).toBe('applied')
    await app.drain()
    const spans = await received()

    const asked = named(spans, 'terminal: refund')
    const pressed = named(spans, 'terminal: press approve')
    const decided = named(spans, 'decide')
    const applied = named(spans, 'apply')
    const called = named(spans, 'billing.refundPayment')
    expect([asked, pressed].map((span) => span.parentSpanId ?? '')).toEqual(['', ''])
    expect(asked.service).toBe('one')
    expect([decided, applied, called].map(({ service }) => service)).toEqual(['two', 'two', 'two'])
    expect([decided, applied, called].map(({ traceId }) => traceId)).toEqual(Array(3).fill(asked.traceId))
    expect(decided.parentSpanId).toBe(asked.spanId)
    expect(decided.links).toMatchObject([{ traceId: pressed.traceId, spanId: pressed.spanId }])
    expect(applied.parentSpanId).toBe(decided.spanId)
    expect(called.parentSpanId).toBe(applied.spanId)
    expect(called).toMatchObject({
      kind: 3,
      attributes: {
        'http.request.method': 'POST',
        'url.template': '/transaction/refund/{payment_id}',
        'http.response.status_code': 200,
      },
    })
    expect(decided.attributes).toEqual({
      'bellhop.change': change.id,
      'bellhop.command': 'refund',
      'bellhop.verb': 'approve',
    })
    expect(applied.attributes).toEqual({
      'bellhop.change': change.id,
      'bellhop.command': 'refund',
      'bellhop.state': 'applied',
    })
    // What follows is done by whoever takes it, and belongs to the same.
    const told = spans.filter(({ name }) => name.startsWith('task '))
    expect(told.length).toBeGreaterThan(0)
    expect(new Set(told.map(({ traceId }) => traceId))).toEqual(new Set([asked.traceId]))

    const sent = receiver.bodies.join('\n')
    for (const content of [secret, 'zoe@', paid, 'Sam', 'Fay', '"sam"', '"fay"', 'C0SECRET'])
      expect(sent).not.toContain(content)
    const facts = spans.flatMap((span) => Object.entries(span.attributes))
    expect(facts.filter(([key]) => !known.has(key))).toEqual([])
    expect(facts.filter(([key, value]) => key !== 'bellhop.change' && String(value).includes('167'))).toEqual(
      [],
    )
    expect(spans.flatMap(({ events }) => events)).toEqual([])
  })
})

/** Each of these holds a name or an id of ours, or a number of the protocol. */
const known = new Set([
  'bellhop.platform',
  'bellhop.command',
  'bellhop.result',
  'bellhop.change',
  'bellhop.state',
  'bellhop.verb',
  'bellhop.service',
  'http.request.method',
  'http.request.resend_count',
  'http.response.status_code',
  'url.template',
  'error.type',
])

it('has what was refused by its code, and a failed call by its kind', async () => {
  const { ask, click, say, payment, sandbox, received } = await openReplicas({ tasks: false })
  await say('refund')
  const change = await ask(`refund ${payment()} 40`)
  sandbox.fault({ row: 'refundPayment', kind: 'status', status: 500 })
  expect((await click('confirm', change)).state).toBe('unknown')
  const spans = await received()
  expect(spans.map(({ attributes }) => attributes['bellhop.result'])).toContain('missing_arguments')
  expect(named(spans, 'apply').attributes).toMatchObject({ 'bellhop.state': 'unknown' })
  expect(named(spans, 'billing.refundPayment').attributes).toMatchObject({
    'error.type': 'unavailable',
    'http.response.status_code': 500,
  })
})

it('follows long work batch by batch', async () => {
  const { handle, click, app, sandbox, received } = await openReplicas({})
  const [campaign] = sandbox.state.email.campaigns
  const people = Array.from({ length: 30 }, (_, n) => `person${n}@example.com`)
  const file = { name: 'people.csv', bytes: Buffer.from(['email', ...people].join('\n')) }
  const line = `campaign send ${campaign?._id}`
  const change = changeOf(await handle({ from: fromOf('fay'), intent: { kind: 'line', line, file } }))
  await click('confirm', change, 'fay')
  await app.drain()
  const spans = await received()
  const asked = named(spans, 'terminal: campaign send')
  const batches = spans.filter(({ name }) => name === 'batch')
  expect(new Set(batches.map(({ traceId }) => traceId))).toEqual(new Set([asked.traceId]))
  const sent = spans.filter(({ parentSpanId }) => batches.some(({ spanId }) => spanId === parentSpanId))
  expect(sent.map(({ name }) => name)).toContain('email.sendCampaign')
})

it.for(['', 'nonsense', '00-00000000000000000000000000000000-0000000000000000-01', '99-1-2-3'])(
  'of a change that keeps %o goes on by itself',
  async (kept) => {
    const receiver = await startReceiver()
    const tracing = tracingTo(receiver.origin, 'one')
    await tracing.ofChange({ id: 'c1', command: 'refund', trace: kept }, 'apply', async () => undefined)
    await tracing.close(5_000)
    expect(receiver.spans).toMatchObject([{ name: 'apply', attributes: { 'bellhop.change': 'c1' } }])
  },
)

test('a receiver that is away takes nothing from anybody, and is told of once', async () => {
  const { origin, close } = await startReceiver()
  await close()
  const told: unknown[] = []
  const tracing = openTracing(
    { endpoint: origin, headers: { authorization: 'hidden' }, service: 'one' },
    { version: '1', log: { warn: (...line) => told.push(line) }, everyMs: 1 },
  )
  const { ask, click, payment } = await openHarness({ tracing, tasks: false })
  const change = await ask(`refund ${payment()} 40`)
  expect((await click('confirm', change)).state).toBe('applied')
  await tracing.close(1)
  expect(JSON.stringify(told)).not.toContain('hidden')
})

test('a line in the terminal is a trace too, under the headers that were given', async () => {
  const { origin, asked, spans } = await startReceiver()
  const said = startProcess({
    args: entry('src/cli/say.ts', 'bellhop', 'status'),
    env: {
      DATA_DIR: newFolder(),
      NODE_OPTIONS: namingModules(/opentelemetry.(?!api)/),
      OTEL_EXPORTER_OTLP_ENDPOINT: `${origin}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=a%20b,x-other=1',
    },
  })
  expect(await said.ended).toMatchObject({ code: 0 })
  // Without the address it is not: test/start/start.test.ts looks.
  expect(said.out()).toContain('LOADED')
  expect(spans.map(({ name }) => name)).toEqual(['terminal: bellhop status'])
  expect(asked[0]?.headers).toMatchObject({ 'x-token': 'a b', 'x-other': '1' })
})
