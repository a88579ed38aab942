import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import { expect, it } from 'vitest'
import { hookSecret } from '../../../prove/webhooks/hook.ts'
import { settleRestored } from '../../../src/cli/backup/settle.ts'
import { ownPausesMs } from '../../../src/features/webhooks/send.ts'
import { createWebhooks } from '../../../src/features/webhooks/store.ts'
import { isPublicAddress } from '../../../src/lib/codecs/public-address.ts'
import { lookupPublic } from '../../../src/lib/http/lookup-public.ts'
import { openTestApp, policyOf, type TestAppOptions, textOf } from '../../harness/app.ts'
import { commandsWith } from '../../harness/commands.ts'
import { eachEngine } from '../../harness/database.ts'
import { peopleOf } from '../../harness/team-policy.ts'
import { whenDone } from '../../harness/when-done.ts'
import { startReceiver } from './receiver.ts'

const policyWith = (hooks: string) => `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance' })}
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: lists, commands: [list create], require: none }
  - { name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }
webhooks: ${hooks}
`
const hookTo = (url: string, more = '') => `[{ url: "${url}", secret: { env: HOOK_SECRET }${more} }]`

const open = async (hooks: string, options: TestAppOptions = {}) =>
  openTestApp({ policy: policyWith(hooks), secretOf: () => hookSecret, ...options })

const idOf = (reply: Awaited<ReturnType<Awaited<ReturnType<typeof open>>['say']>>) => {
  if (reply.kind !== 'change') throw new Error(textOf(reply))
  return reply.change.id
}

eachEngine('a webhook', (engine) => {
  it('is told every step of each change in order, signed, and nothing about the customer', async () => {
    const { url, told } = await startReceiver()
    const { app, say, press } = await open(hookTo(url, ', private: true'), { engine })
    const id = idOf(await say('refund pay_1001 120 --customer cus_2001 --reason "double charge"', 'sam'))
    await press('approve', id, 'fay')
    const other = idOf(await say('refund pay_1002 20', 'sam'))
    await press('reject', other, 'fay', 'no')
    await app.drain()
    const ofOne = (change: string) => told.filter((one) => one.change === change).map(({ type }) => type)
    await expect
      .poll(() => ofOne(id))
      .toEqual(['change.pending', 'change.approved', 'change.applying', 'change.applied'])
    await expect.poll(() => ofOne(other)).toEqual(['change.pending', 'change.rejected'])
    const { raw, headers } = told[0] as (typeof told)[number]
    expect(JSON.parse(raw)).toMatchObject({
      type: 'change.pending',
      data: { id, state: 'pending', command: 'refund', amount: 120 },
    })
    expect(raw).not.toMatch(/pay_1001|cus_2001|double charge/)
    const altered = raw.replace('120', '121')
    const given = headers as Record<string, string>
    const [, shown = ''] = /```ts\n(.*)\n```/.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? []
    const example = new Function('Webhook', 'process', 'body', 'headers', `${shown}; return said.type`)
    expect(example(Webhook, { env: { HELPDESK_SECRET: hookSecret } }, raw, given)).toBe('change.pending')
    expect(() => new Webhook(hookSecret).verify(altered, given)).toThrow()
    expect(textOf(await say('webhook list', 'sam'))).toMatch(/127\.0\.0\.1.*0.*0/s)
  })

  it('is told that a restore has ended what waited', async () => {
    const { url, told } = await startReceiver()
    const hooks = hookTo(url, ', private: true')
    const { app, say, store } = await open(hooks, { engine, reads: () => policyWith(hooks) })
    const id = idOf(await say('refund pay_1001 120', 'sam'))
    await app.drain()
    await settleRestored(store, { now: Date.now, backupAt: Date.now(), account: 'root', sha256: 'x' })
    await app.drain()
    await expect.poll(() => told.map(({ type }) => type)).toEqual(['change.pending', 'change.voided'])
    expect(told.map(({ change }) => change)).toEqual([id, id])
  })

  it('that is down is tried again with growing pauses, then is a dead letter, and can be sent again', async () => {
    let clock = Date.now()
    let status = 500
    const { url, told, taken } = await startReceiver(() => status)
    const { app, say, press, store } = await open(
      hookTo(url, ', private: true, events: [change.pending, change.rejected]'),
      {
        engine,
        now: () => clock,
        timings: { pausesMs: { webhooks: [5_000, 30_000] }, idleMs: 3_600_000 },
      },
    )
    const id = idOf(await say('refund pay_1001 120', 'sam'))
    await press('reject', id, 'fay', 'no')
    await app.drain()
    expect(told).toHaveLength(1)
    for (const [ms, tries] of [
      [4_000, 1],
      [2_000, 2],
      [29_000, 2],
      [2_000, 3],
      [100_000, 3],
    ] as const) {
      clock += ms
      await app.drain()
      expect([ms, told.length]).toEqual([ms, tries])
    }
    expect(new Set(told.map((one) => one.id)).size).toBe(1)
    expect(textOf(await say('webhook list', 'sam'))).toContain('answered 500')
    status = 204
    const again = await say('webhook resend', 'sam')
    await press('confirm', idOf(again), 'sam')
    await app.drain()
    expect(taken.filter((one) => one.change === id).map(({ type }) => type)).toEqual([
      'change.pending',
      'change.rejected',
    ])
    expect(await store.of(createWebhooks).dead(5)).toEqual([])
  })
})

it('a redirect is not followed, and an answer that it is gone ends it', async () => {
  const { url, told } = await startReceiver(({ change }) => ({
    status: told.length > 1 ? 410 : 302,
    location: `/other/${change}`,
  }))
  const { app, say, store } = await open(hookTo(url, ', private: true'))
  await say('refund pay_1001 120', 'sam')
  await app.drain()
  await say('refund pay_1002 120', 'sam')
  await app.drain()
  expect(told.map(({ headers }) => headers['webhook-id'])).toHaveLength(2)
  expect((await store.of(createWebhooks).dead(5)).map(({ error }) => error)).toEqual(['answered 410'])
})

it('no connection is made to a name that leads to a private address', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { app, say, store } = await open('[]')
  const url = `https://localhost:${port}/hook`
  const hooks = [{ url, events: ['*'], secret: { env: 'HOOK_SECRET' } }]
  app.core.usePolicy({ ...app.core.policy, sections: { webhooks: hooks } }, 1)
  await say('refund pay_1001 120', 'sam')
  await app.drain()
  expect((await store.of(createWebhooks).queued()).map(({ queued }) => queued)).toEqual([1])
  // The name itself says so; any other name is looked up where the connection is made, by this.
  const agent = new Agent({ connect: { lookup: lookupPublic } })
  await expect(request(`http://localhost:${port}/`, { dispatcher: agent })).rejects.toThrow('private address')
  await agent.close()
  await expect(request(`http://localhost:${port}/`)).rejects.toThrow(/closed|socket/i)
  expect(connections).toBe(1)
})

it.each([
  ['http://example.com/hook', ''],
  ['https://127.0.0.1/hook', ''],
  ['https://[::1]/hook', ''],
  ['https://localhost/hook', ''],
  ['https://10.1.2.3/hook', ''],
  ['https://me:secret@example.com/hook', ', private: true'],
  ['ftp://example.com', ', private: true'],
])('a file that names %s%s is refused', (url, more) => {
  expect(() => policyOf(policyWith(hookTo(url, more)), commandsWith())).toThrow(/webhooks/)
})

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['127.0.0.1', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['fc00::1', false],
  ['fe80::1%eth0', false],
  ['2002:7f00:1::', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected)
})

it('waits longer after each time, as docs/webhooks.md says', () => {
  const told = [5 / 60, 0.5, 2, 10, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60]
  expect(ownPausesMs).toEqual(told.map((minutes) => minutes * 60_000))
})
