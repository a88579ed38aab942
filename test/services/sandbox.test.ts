import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { createServices, type Services } from '../../src/lib/services/client/client.ts'
import { rowFor } from '../../src/lib/services/endpoints/routes.ts'
import type { RowId } from '../../src/lib/services/endpoints/tables.ts'
import { billingRequests, chatRequests, emailRequests } from '../sandbox/sample-requests.ts'
import { quiet } from './recorder.ts'

let sandbox: Sandbox
let services: Services
/** For what is never answered. */
let hasty: Services

beforeAll(async () => {
  sandbox = await startSandbox()
  const { email, chat, billing } = sandbox
  const within = (ms: number) =>
    createServices(
      { email, chat, billing },
      {
        log: quiet,
        settings: {
          readDeadlineMs: ms,
          writeDeadlineMs: ms,
          attemptMs: ms,
          breaker: { failures: 100, openMs: 1_000 },
        },
      },
    )
  services = within(900_000)
  hasty = within(2_000)
})
beforeEach(() => sandbox.reset())
afterAll(async () => {
  await Promise.all([services.close(), hasty.close()])
  await sandbox.close()
})

const refund = ({ billing } = services) =>
  billing.refundPayment({ params: { payment_id: 'pay_1001' }, body: { amount: 20 } })
const refundedSoFar = () => sandbox.state.billing.refunds.filter(({ amount }) => amount === 20).length

describe('the client against the sandbox', () => {
  it.each([...emailRequests, ...chatRequests, ...billingRequests])(
    '$service.$row is called and understood',
    async ({ service, row, method, path, body }) => {
      const route = rowFor(service, method, path, body)
      const sends = method === 'GET' ? {} : { body }
      const answer = await services.call(`${service}.${row}` as RowId, {
        ...(route?.row.params && { params: route.params }),
        ...(route?.row.query && { query: route.query }),
        ...sends,
      })
      expect(answer.understood).toBe(true)
      expect(answer.message).toBeTypeOf('string')
      expect(sandbox.wire).toHaveLength(1)
      expect(sandbox.wire[0]).toMatchObject({ service, method })
    },
  )

  it('reads the records under their documented names', async () => {
    const { data } = await services.email.getSubscriber({ params: { email: 'ada@example.com' } })
    expect(data).toMatchObject({
      email: 'ada@example.com',
      tags: expect.any(Array),
      leadScore: expect.any(Number),
    })
    const sent = await services.chat.sendMediaTemplate({
      body: {
        to: 15_550_110_000,
        type: 'template',
        templateName: 'spring_banner',
        link: 'https://files.example.com/a.png',
      },
    })
    expect(sent.data?.platformResponse?.messages?.[0]?.id).toBeTypeOf('string')
    expect(sent.data?.platformResponse?.contacts?.[0]?.channel_id).toBeTypeOf('string')
    const change = await services.billing.changePlan({
      params: { subscription_id: 'sub_1001' },
      body: { plan_id: 'plan_desk_business_m', payment_mode: 'offline', activated_at_val: 'immediately' },
    })
    expect(change.data?.invoice?.credit_note?.charge_amount).toBeTypeOf('number')
    expect(change.data?.subscription?.plan_id).toBe('plan_desk_business_m')
  })

  it.each([
    ['drop_before', 0],
    ['drop_after', 1],
    ['hang_after', 1],
  ] as const)('a refund with %s is unknown, was sent once and happened %i times', async (kind, times) => {
    sandbox.fault({ row: 'refundPayment', kind, times: 5 })
    await expect(refund(kind === 'hang_after' ? hasty : services)).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'unknown',
    })
    expect(sandbox.wire).toHaveLength(1)
    expect(refundedSoFar()).toBe(times)
  })

  it.each(['garbage', 'huge', 'wrong_shape'] as const)(
    'a refund that is answered with %s may have happened, and nobody says that it did',
    async (kind) => {
      sandbox.fault({ row: 'refundPayment', kind })
      await expect(refund()).rejects.toMatchObject({ kind: 'malformed', outcome: 'unknown' })
      expect(refundedSoFar()).toBe(1)
    },
  )

  it('a refund beyond the payment is refused in the words of the service', async () => {
    const error = await services.billing
      .refundPayment({ params: { payment_id: 'pay_1001' }, body: { amount: 1_000_000 } })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      kind: 'rejected',
      outcome: 'not_done',
      serviceMessage: expect.stringContaining('pay_1001'),
    })
  })

  it('a read outlives drops and a rate limit', async () => {
    sandbox.fault({ row: 'getSubscriber', kind: 'drop_before' })
    sandbox.fault({ row: 'getSubscriber', kind: 'status', status: 502 })
    sandbox.fault({ row: 'getSubscriber', kind: 'rate_limit', retryAfter: 0.2 })
    const { data } = await services.email.getSubscriber({ params: { email: 'ada@example.com' } })
    expect(data?.email).toBe('ada@example.com')
    expect(sandbox.wire).toHaveLength(4)
  })
})
