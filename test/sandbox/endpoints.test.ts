import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { billing } from '../../packs/billing/endpoints.ts'
import { chat } from '../../packs/chat/endpoints.ts'
import { email } from '../../packs/email/endpoints.ts'
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts'
import { createSandboxClient, november } from './client.ts'
import { billingRequests, chatRequests, emailRequests } from './sample-requests.ts'

const requests = [...emailRequests, ...chatRequests, ...billingRequests]

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => november })
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

test('every row of the three tables is asked for below', () => {
  const rows = [email, chat, billing].flatMap((service) => Object.keys(service.rows))
  expect(requests.map(({ row }) => row).sort()).toEqual(rows.sort())
})

test.each(requests)('$row answers $method $path', async ({ service, row, method, path, body, shown }) => {
  const said = await createSandboxClient(sandbox)(service, method, path, body)
  expect(said.body).toMatchObject(row === 'sendProducts' ? { success: true } : { status: 'success' })
  expect(said.status).toBe(['createList', 'createSubscriber', 'createCampaign'].includes(row) ? 201 : 200)
  expect(said.headers.get('x-sandbox-shape')).toBe(shown ? null : 'assumed')
  expect(sandbox.wire).toMatchObject([{ service, method, row, at: november, body }])
  expect(sandbox.wire[0]?.path.endsWith(path)).toBe(true)
})

test.each(requests)('$row is not answered without a key', async ({ service, method, path, body }) => {
  const before = JSON.stringify(sandbox.state)
  for (const authorization of ['', 'Bearer nonsense', 'Basic bm86bm8=']) {
    const response = await fetch(`${sandbox[service].baseUrl}${path}`, {
      method,
      headers: { ...(authorization && { authorization }), 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ success: false, status: 'error' })
  }
  expect(JSON.stringify(sandbox.state)).toBe(before)
})
