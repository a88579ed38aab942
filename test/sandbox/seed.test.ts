import { expect, test } from 'vitest'
import { createSandboxState, startSandbox } from '../../sandbox/sandbox.ts'
import { createSandboxClient } from './client.ts'

test('two sandboxes hold equal data, and neither sees what the other does', async () => {
  const [one, other] = await Promise.all([startSandbox(), startSandbox({ now: () => 0 })])
  expect(one.state).toEqual(other.state)
  await createSandboxClient(one)('email', 'POST', '/lists', { name: 'Only here' })
  expect(one.state).not.toEqual(other.state)
  one.reset()
  expect(one.state).toEqual(other.state)
  await Promise.all([one.close(), other.close()])
})

test('a reset brings back what a change took from a shared seed record', async () => {
  const sandbox = await startSandbox()
  await createSandboxClient(sandbox)('billing', 'PUT', '/addon/addon_priority', {
    plans_array: null,
    price: 1,
  })
  await createSandboxClient(sandbox)('email', 'DELETE', '/subscribers', { emails: ['ada@example.com'] })
  sandbox.reset()
  expect(sandbox.state).toEqual(createSandboxState())
  await sandbox.close()
})

test('there are enough people, campaigns and payments for a believable day', () => {
  const { email, chat, billing } = createSandboxState()
  const statuses = Map.groupBy(email.subscribers, (one) => one.status)
  expect(email.subscribers).toHaveLength(250)
  expect([...statuses.keys()].sort()).toEqual(['bounced', 'complaint', 'subscribed', 'unsubscribed'])
  expect(email.campaigns.filter((one) => one.status === 'live').length).toBeGreaterThanOrEqual(4)
  expect(
    new Set(email.campaigns.map((one) => `${one.campaignDetails.campaignType} ${one.status}`)).size,
  ).toBe(4)
  expect(new Set(chat.contacts.map((one) => one.mobile)).size).toBe(60)
  expect(chat.contacts.every((one) => /^[0-9a-f]{24}$/.test(one._id))).toBe(true)
  expect(billing.transactions.slice(0, 3)).toMatchObject([
    { id: 'pay_1001', amount: 120, currency_code: 'USD' },
    { id: 'pay_1002', amount: 49, currency_code: 'USD' },
    { id: 'pay_1003', amount: 900, currency_code: 'USD' },
  ])
  expect(billing.subscriptions.every((one) => one.status === 'live')).toBe(true)
})

test('every address is one that can belong to nobody', () => {
  const addresses = JSON.stringify(createSandboxState()).match(/[^"\s]+@[^"\s]+/g) ?? []
  expect(addresses.length).toBeGreaterThan(250)
  expect(addresses.filter((address) => !address.endsWith('@example.com'))).toEqual([])
})

test('what the seed says of refunds and memberships is true of its records', () => {
  const { email, chat, billing } = createSandboxState()
  for (const payment of billing.transactions) {
    const refunded = billing.refunds.filter((one) => one.payment_id === payment.id)
    expect(refunded.reduce((sum, one) => sum + one.amount, 0)).toBe(payment.refunded_amount)
  }
  const lists = email.lists.map((one) => one.name)
  expect(email.subscribers.flatMap((one) => one.lists).every((name) => lists.includes(name))).toBe(true)
  expect(chat.contacts.flatMap((one) => one.tags).every((tag) => chat.settings.tags.includes(tag))).toBe(true)
})

test('each service can have a port of its own, and one that is taken is an error', async () => {
  const sandbox = await startSandbox({ ports: { email: 0, chat: 0, billing: 0 } })
  const urls = [sandbox.email, sandbox.chat, sandbox.billing].map((one) => new URL(one.baseUrl))
  expect(new Set(urls.map((url) => url.port)).size).toBe(3)
  expect(urls.map((url) => url.pathname)).toEqual(['/api/v2', '/api/v1', '/api/v1'])
  expect((await createSandboxClient(sandbox)('chat', 'GET', '/contacts/lists')).status).toBe(200)
  const taken = Number(urls[1]?.port)
  await expect(startSandbox({ ports: { email: 0, chat: taken, billing: 0 } })).rejects.toThrow(/EADDRINUSE/)
  await sandbox.close()
})

test('the wire keeps the last ten thousand requests', async () => {
  const sandbox = await startSandbox()
  sandbox.wire.push(
    ...Array.from({ length: 10_000 }, () => ({
      service: 'email' as const,
      method: 'GET',
      path: '/old',
      headers: {},
      body: undefined,
      at: 0,
    })),
  )
  await createSandboxClient(sandbox)('email', 'GET', '/lists')
  expect(sandbox.wire).toHaveLength(10_000)
  expect(sandbox.wire.at(-1)?.row).toBe('findLists')
  await sandbox.close()
})
