import { describe, expect, it } from 'vitest'
import { toolNameOf } from '../../adapters/mcp/tools.ts'
import { isAnyMatch } from '../../src/kernel/policy/pattern.ts'
import { policyOf } from '../harness/app.ts'
import { commandsWith } from '../harness/commands.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { agentPolicy, openAgents, tokenOf } from './harness.ts'
import { startClient } from './official-client.ts'

const registry = commandsWith()
const { roles, everyone } = policyOf(demoPolicy, registry)

describe('the tools of an agent', () => {
  it.each(Object.keys(roles))('are exactly the commands of the role %s', async (role) => {
    const agent = `agents: [{ id: one, name: One, owner: p-support, roles: [${role}], token: { env: ONE } }]`
    const { base, close } = await openAgents({ policy: demoPolicy.replace(/^agents:\n.*\n/m, `${agent}\n`) })
    const client = await startClient('current', `${base}/mcp`, tokenOf('one'))
    const run = [...(roles[role]?.run ?? []), ...everyone.run]
    const wanted = registry.all
      .filter((command) =>
        isAnyMatch(run, [command.name, ...('sameAs' in command ? (command.sameAs ?? []) : [])]),
      )
      .filter(
        (command) => (command.kind !== 'decision' || command.forAgents === true) && command.personal !== true,
      )
      .map(({ name }) => toolNameOf(name))
    const tools = await client.list()
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...wanted, 'change_get'].toSorted())
    expect(tools.map(({ name }) => name).join()).not.toMatch(
      /approve|reject|resolve|confirm|approval_ask|approval_change/,
    )
    client.kill()
    await close()
  })

  it('say of themselves what they do', async () => {
    const { base, close } = await openAgents()
    const client = await startClient('current', `${base}/mcp`, tokenOf('helper'))
    const byName = new Map((await client.list()).map((tool) => [tool.name, tool]))
    expect(byName.get('subscriber_get')?.annotations).toMatchObject({ readOnlyHint: true })
    expect(byName.get('refund')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    })
    expect(byName.get('list_create')?.annotations).toMatchObject({ destructiveHint: false })
    expect(byName.get('refund')?.inputSchema).toMatchObject({
      properties: { payment_id: { type: 'string' }, wait_seconds: { type: 'integer', maximum: 50 } },
      required: ['payment_id'],
    })
    expect(byName.get('subscriber_find')?.inputSchema.properties.page).toMatchObject({
      type: 'integer',
      minimum: 1,
    })
    expect(Object.keys(byName.get('subscriber_get')?.inputSchema.properties ?? {})).toEqual(['who'])
    client.kill()
    await close()
  })

  it('are three and change_get where few are wanted, and find, describe and run the others', async () => {
    const { base, close } = await openAgents({ policy: agentPolicy.replace('rate: 5', 'rate: 50') })
    const client = await startClient('current', `${base}/mcp`, tokenOf('frugal'))
    const names = (await client.list()).map(({ name }) => name)
    expect(names).toEqual(['search_commands', 'describe_command', 'run_command', 'change_get'])
    const found = await client.call('search_commands', { query: 'refund' })
    expect(found.structuredContent.commands).toContainEqual(
      expect.objectContaining({ command: 'refund', kind: 'change' }),
    )
    const all = await client.call('search_commands')
    expect(JSON.stringify(all.structuredContent)).not.toMatch(/multiplan|approval approve/)
    const described = await client.call('describe_command', { command: 'refund' })
    expect(described.structuredContent).toMatchObject({ arguments: { required: ['payment_id'] } })
    expect((await client.call('describe_command', { command: 'multiplan create' })).isError).toBe(true)
    const looked = await client.call('run_command', {
      command: 'subscriber get',
      arguments: { who: 'ada@example.com' },
    })
    expect(looked.structuredContent.title).toBe('“Ada Lindqvist”')
    const given = { command: 'refund', arguments: { payment_id: 'pay_1001', amount: 20 }, request_key: 'one' }
    const [one, two] = [await client.call('run_command', given), await client.call('run_command', given)]
    expect(one.structuredContent).toMatchObject({ state: 'pending', needs: '1 approval' })
    expect(two.structuredContent.id).toBe(one.structuredContent.id)
    const refused = await client.call('run_command', { command: 'approval approve', arguments: { id: 'x' } })
    expect(refused.structuredContent).toMatchObject({ state: 'refused', code: 'may_not_approve' })
    await expect(client.call('refund', { payment_id: 'pay_1001' })).rejects.toThrow('There is no tool')
    client.kill()
    await close()
  })
})
