import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { checkServices } from '../../src/cli/doctor/services.ts'
import { nowhere, serve } from './server.ts'

const openSandbox = async () => {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  return sandbox
}

test('services that answer and take the key are told so, by one read each', async () => {
  const sandbox = await openSandbox()
  const found = await checkServices(sandbox.services)
  expect(found.map(({ ok, about }) => [ok, about])).toEqual([
    [true, 'email'],
    [true, 'chat'],
    [true, 'billing'],
  ])
  for (const { words } of found) expect(words).toContain('answers and takes the key')
  expect(sandbox.wire.map(({ row }) => row).toSorted()).toEqual([
    'contactLists',
    'findMultiplans',
    'findSubscribers',
  ])
})

test('a wrong key is told by the name of its variable, and never shown', async () => {
  const { email, chat, billing } = await openSandbox()
  const found = await checkServices({
    email: { ...email, apiKey: 'key-secret' },
    chat: { ...chat, apiKey: 'key-secret' },
    billing: { ...billing, secretKey: 'key-secret' },
  })
  expect(found.map(({ ok }) => ok)).toEqual([false, false, false])
  expect(found[0]?.words).toContain('Check EMAIL_API_KEY.')
  expect(found[1]?.words).toContain('Check CHAT_API_KEY.')
  expect(found[2]?.words).toContain('Check BILLING_API_KEY and BILLING_SECRET_KEY.')
  expect(JSON.stringify(found)).not.toContain('key-secret')
})

test('a service that is not set is the sandbox, and is not called', async () => {
  const found = await checkServices({ email: 'sandbox', chat: 'sandbox', billing: 'sandbox' })
  expect(found.map(({ ok, words }) => `${ok} ${words}`)).toEqual([
    'true SANDBOX, made-up data. EMAIL_BASE_URL turns the real one on.',
    'true SANDBOX, made-up data. CHAT_BASE_URL turns the real one on.',
    'true SANDBOX, made-up data. BILLING_BASE_URL turns the real one on.',
  ])
})

test('a service that cannot be reached is told with the reason', async () => {
  const [email] = await checkServices({
    email: { baseUrl: `${nowhere}/api/v2`, apiKey: 'k' },
    chat: 'sandbox',
    billing: 'sandbox',
  })
  expect(email).toMatchObject({
    ok: false,
    words: expect.stringMatching(/cannot be reached \(\w+\)\. Check EMAIL_BASE_URL/),
  })
})

test.for([
  { answer: { status: 404, body: 'nothing here' }, says: /Check that EMAIL_BASE_URL .* ends in \/api\/v2/ },
  { answer: { status: 200, body: '<html>Welcome</html>' }, says: /something else/ },
  { answer: { status: 302, headers: { location: 'https://example.com/login' } }, says: /something else/ },
  { answer: { status: 503, body: {} }, says: /is not well \(status 503\)/ },
  { answer: { status: 429, body: {} }, says: /slow down/ },
])('an address that answers $answer.status without being the service is told', async ({ answer, says }) => {
  const { url } = await serve(() => answer)
  const [email] = await checkServices({
    email: { baseUrl: url, apiKey: 'k' },
    chat: 'sandbox',
    billing: 'sandbox',
  })
  expect(email).toMatchObject({ ok: false, words: expect.stringMatching(says) })
})

test('where no read is documented, an answer that proves no key is told as that', async () => {
  const { url } = await serve(() => ({ status: 400, body: { status: 'error', message: 'no multiplans' } }))
  const [, , billing] = await checkServices({
    email: 'sandbox',
    chat: 'sandbox',
    billing: { baseUrl: url, apiKey: 'k', secretKey: 's' },
  })
  expect(billing).toMatchObject({ ok: true, words: expect.stringContaining('could not prove the key') })
})

test('a 404 at the address of any service is wrong, documented or not', async () => {
  const { url } = await serve(() => ({ status: 404, body: { status: 'error', message: 'not found' } }))
  const one = { baseUrl: url, apiKey: 'k' }
  const found = await checkServices({ email: one, chat: one, billing: { ...one, secretKey: 's' } })
  expect(found.map(({ ok }) => ok)).toEqual([false, false, false])
  expect(found[2]?.words).toMatch(/status 404.*BILLING_BASE_URL.*ends in \/api\/v1/)
})

test.for([
  ['"k-hidden"', /EMAIL_API_KEY has quotes/],
  ['Bearer k-hidden', /EMAIL_API_KEY starts with the name of a scheme/],
  ['<k-hidden>', /EMAIL_API_KEY is still a placeholder/],
] as const)('a key that is none is not sent: %s', async ([apiKey, says]) => {
  const { url, asked } = await serve(() => ({ status: 200, body: {} }))
  const [email] = await checkServices({ email: { baseUrl: url, apiKey } })
  expect(email).toMatchObject({ ok: false, words: expect.stringMatching(says) })
  expect(email?.words).not.toContain('hidden')
  expect(asked).toEqual([])
})
