import { describe, expect, it } from 'vitest'
import { labelsOf, textOf } from '../discord/fake/person.ts'
import { channels as rooms } from '../discord/harness.ts'
import { until } from '../harness/until.ts'
import { openBoth } from '../messenger/both-harness.ts'
import { channels } from '../slack/harness.ts'
import { agentPolicy, joinAgents, tokenOf } from './harness.ts'
import { type ClientKind, clientKinds, startClient } from './official-client.ts'

const policy = agentPolicy.replace(/budgets:\n.*\n/, '')
const both = await openBoth({ policy, beside: async (deps) => [joinAgents(deps)] })
const { base, inSlack, inDiscord, discordFake, sandbox, store } = both

const payments: Record<ClientKind, [string, string, string]> = {
  current: ['pay_1001', 'pay_1003', 'pay_1004'],
  previous: ['pay_1005', 'pay_1006', 'pay_1009'],
  older: ['pay_1002', 'pay_1007', 'pay_1010'],
}
const versions = { current: '2026-07-28', previous: '2025-11-25', older: '2025-06-18' }

const effects = (payment: string) =>
  sandbox.wire.filter(({ method, path }) => method === 'POST' && path.includes(payment)).length

const discordCard = (payment: string) => {
  const words = payment.replace('_', '\\_')
  const seen = discordFake.seen(inDiscord.fay.id, rooms.approvals)
  const found = seen.findLast(
    (message) => textOf(message).includes(words) && labelsOf(message).includes('Approve'),
  )
  if (found === undefined) throw new Error(`no card about ${payment} in Discord`)
  return found
}

const slackCard = (payment: string) => inSlack.fay.finds(payment, channels.approvals)

describe.each(clientKinds)('the official client, %s', async (kind) => {
  const client = await startClient(kind, `${base}/mcp`, tokenOf('helper'))
  const [first, second, third] = payments[kind]

  it('agrees on its revision and lists the tools', async () => {
    expect(client.version).toBe(versions[kind])
    const names = (await client.list()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['refund', 'subscriber_get', 'change_get']))
    expect(names).not.toContain('multiplan_create')
  })

  it('looks somebody up, as text and as data, marked as words from outside', async () => {
    const { content, structuredContent, isError } = await client.call('subscriber_get', {
      who: 'ada@example.com',
    })
    expect(isError ?? false).toBe(false)
    expect(content[0]?.text).toContain('Northwind Cycles')
    expect(structuredContent).toMatchObject({
      state: 'answered',
      title: '“Ada Lindqvist”',
      customer_text: true,
    })
    expect(JSON.stringify(structuredContent.blocks)).toContain('Northwind Cycles')
    const own = await client.call('bellhop_whoami')
    expect(own.structuredContent).toMatchObject({ customer_text: false })
  })

  it('asks for a change, which is approved in Slack while it waits', async () => {
    const asked = await client.call('refund', { payment_id: first, amount: 10 + clientKinds.indexOf(kind) })
    expect(asked.structuredContent).toMatchObject({
      state: 'pending',
      id: expect.any(String),
      needs: expect.stringContaining('1 approval'),
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const told: string[] = []
    const { id } = asked.structuredContent
    const waiting = client.call('change_get', { id, wait_seconds: 50 }, (words) => told.push(words))
    const card = await until(() => slackCard(first))
    await until(() => expect(told.join()).toContain('Needs 1 approval'))
    await inSlack.fay.clicks('Approve', { on: card })
    expect((await waiting).structuredContent).toMatchObject({ state: 'applied', id })
    expect(told.length).toBeGreaterThan(1)
    expect(effects(first)).toBe(1)
    expect((await store.changes.get(id))?.votes[0]?.by).toMatchObject({ person: 'fay', platform: 'slack' })
  })

  it('asks and waits in one call, and is approved in Discord; its owner cannot', async () => {
    const before = effects(second)
    const given = {
      payment_id: second,
      amount: 61 + clientKinds.indexOf(kind),
      wait_seconds: 50,
      request_key: `d-${kind}`,
    }
    const waiting = client.call('refund', given)
    const card = await until(() => discordCard(second))
    expect(textOf(card)).toContain('Helper (agent of Sam Support)')
    const tried = await inDiscord.sam.press(card, 'Approve')
    await until(() => {
      const said = discordFake.state.messages.get(tried.original ?? '')
      expect(said && textOf(said)).toContain('You asked for this yourself')
    })
    await inDiscord.fay.press(card, 'Approve')
    const { structuredContent } = await waiting
    expect(structuredContent).toMatchObject({ state: 'applied' })
    expect((await client.call('refund', given)).structuredContent.id).toBe(structuredContent.id)
    expect(effects(second) - before).toBe(1)
  })

  it('learns that nobody knows the outcome, and what could tell', async () => {
    sandbox.fault({ service: 'billing', path: `/transaction/refund/${third}`, kind: 'drop_after' })
    const asked = await client.call('refund', { payment_id: third, amount: 70 + clientKinds.indexOf(kind) })
    const { id } = asked.structuredContent
    const card = await until(() => slackCard(third))
    await inSlack.fay.clicks('Approve', { on: card })
    const told = await client.call('change_get', { id, wait_seconds: 50 })
    expect(told.structuredContent).toMatchObject({ state: 'unknown', id, look_ups: expect.any(Array) })
    expect(told.content[0]?.text).toContain('Do not ask for it again')
  })

  it('reads the policy as it sees it, and its own waiting changes', async () => {
    const { structuredContent } = await client.call('refund', { payment_id: 'pay_1008', amount: 1 })
    const uris = (await client.resources()).map(({ uri }) => uri)
    expect(uris).toEqual(['bellhop://policy', 'bellhop://changes/waiting'])
    const [policy, waiting] = await Promise.all(
      uris.map(async (uri) => (await client.read(uri)).contents[0]?.text),
    )
    expect(JSON.parse(policy ?? '')).toMatchObject({ agent: 'Helper', owner: 'Sam Support' })
    expect(policy).not.toContain('multiplan')
    expect(waiting).toContain(structuredContent.id)
    await expect(client.read('bellhop://nothing')).rejects.toThrow()
  })
})
