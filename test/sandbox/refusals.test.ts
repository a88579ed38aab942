import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { authorization, createSandboxClient, november } from './client.ts'
import { billingRefusals } from './refusals/billing.ts'
import { chatRefusals } from './refusals/chat.ts'
import { emailRefusals } from './refusals/email.ts'
import type { RefusalCase } from './refusals/refusal-case.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => november })
})
afterAll(() => sandbox.close())

const routeRefusals: readonly RefusalCase[] = [
  ['a path that no document has', 'email', 404, 'GET /nothing'],
  ['a method that a path does not have', 'billing', 404, 'DELETE /multiplans'],
  ['a broken escape in the path', 'email', 400, 'GET /subscribers/%E0%A4%A'],
]

const refusals = [...emailRefusals, ...chatRefusals, ...billingRefusals, ...routeRefusals]

test.each(refusals.map(([why, service, status, request, body]) => ({ why, service, status, request, body })))(
  '$why is refused by $service with $status and changes nothing',
  async ({ service, status, request, body }) => {
    const before = JSON.stringify(sandbox.state)
    const [method = '', path = ''] = request.split(/ (.*)/)
    const said = await createSandboxClient(sandbox)(service, method, path, body)
    expect(said).toMatchObject({ status, body: { success: false, status: 'error' } })
    expect(said.body.message).not.toBe('')
    expect(JSON.stringify(sandbox.state)).toBe(before)
  },
)

test.each([
  ['text instead of JSON', 'application/json', 'hello', 400],
  ['a JSON list', 'application/json', '[1]', 400],
  ['a form', 'application/x-www-form-urlencoded', 'name=Autumn', 415],
])('%s as a body is refused', async (_what, type, body, status) => {
  const before = JSON.stringify(sandbox.state)
  const headers = { authorization: authorization(sandbox, 'email'), 'content-type': type }
  const response = await fetch(`${sandbox.email.baseUrl}/lists`, { method: 'POST', headers, body })
  expect(response.status).toBe(status)
  expect(JSON.stringify(sandbox.state)).toBe(before)
})
