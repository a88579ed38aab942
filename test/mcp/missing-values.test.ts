import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, it } from 'vitest'
import { missingParams } from '../../adapters/mcp/missing-values.ts'
import { toolNameOf } from '../../adapters/mcp/tools.ts'
import { isRawFile } from '../../src/kernel/command/line/coerce.ts'
import { valuesOfLine } from '../../src/kernel/command/line/parse.ts'
import { fieldOf } from '../../src/lib/view/wording.ts'
import { peopleOf } from '../harness/team-policy.ts'
import { openAgents, tokenOf } from './harness.ts'
import { createRpc } from './rpc.ts'

const policy = `
version: 1
people:
${peopleOf({ sam: 'support', fay: 'finance' })}
agents:
  - { id: whole, name: Whole, owner: sam, roles: [all], token: { env: WHOLE }, rate: 100000 }
  - { id: frugal, name: Frugal, owner: sam, roles: [all], token: { env: FRUGAL }, rate: 100000, tools: few }
roles:
  all: { run: ["*"] }
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
`
const { base, registry, store, close } = await openAgents({ policy })
afterAll(close)
const rpc = createRpc(base)

const canElicit = { elicitation: { form: {} } }
type Asked = {
  method: string
  params: { message: string; requestedSchema: { properties: object; required: string[] } }
}
const formIn = (result: Record<string, unknown> = {}): Asked | undefined =>
  (result.inputRequests as { values: Asked } | undefined)?.values

const commands = registry.all.filter(
  (command) =>
    command.kind !== 'decision' && command.personal !== true && missingParams(command, {}).length > 0,
)

describe('a call with a value missing', () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    'of %s is asked for it by a form where the client has one, and goes on with what was written',
    async (name, command) => {
      const missing = missingParams(command, {})
      const read = valuesOfLine(registry, command.examples[0])
      const example = Object.entries(read.ok ? read.value.values : {}).flatMap(([key, value]) =>
        isRawFile(value) ? [] : [[key, Array.isArray(value) ? value.join(',') : value] as const],
      )
      const isMissing = ([key]: readonly [string, unknown]) => missing.some(({ name: one }) => one === key)
      const given = Object.fromEntries(example.filter((one) => !isMissing(one)))
      const call = (more: object, capabilities: object = canElicit) =>
        rpc(
          'modern',
          'tools/call',
          { name: toolNameOf(name), arguments: given, ...more },
          { agent: 'whole', capabilities },
        )
      const plain = await call({}, {})
      expect(plain.result.structuredContent).toMatchObject({ code: 'missing_arguments' })
      const { result } = await call({})
      if (missing.some(({ type }) => type === 'file')) {
        expect(result.structuredContent).toMatchObject({ code: 'missing_arguments' })
        return
      }
      expect(result.resultType).toBe('input_required')
      const form = formIn(result)
      expect(form?.method).toBe('elicitation/create')
      expect(form?.params.requestedSchema.required).toEqual(missing.map((param) => fieldOf(param.name)))
      const content = Object.fromEntries(
        example.filter(isMissing).map(([key, value]) => [fieldOf(key), value]),
      )
      const { result: done } = await call({ inputResponses: { values: { action: 'accept', content } } })
      expect(done.structuredContent).toBeDefined()
      expect(done.structuredContent).not.toMatchObject({ code: 'missing_arguments' })
    },
  )

  it('is refused once whoever reads the form gives nothing, and is not asked again', async () => {
    for (const response of [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }]) {
      const params = { name: 'refund', arguments: {}, inputResponses: { values: response } }
      const { result } = await rpc('modern', 'tools/call', params, {
        agent: 'whole',
        capabilities: canElicit,
      })
      expect(result.structuredContent).toMatchObject({ code: 'missing_arguments' })
    }
  })

  it('is filled by the form and never changed by it', async () => {
    const content = { payment_id: 'pay_1001', amount: 1, request_key: 'stolen', confirm: true, reason: 'x' }
    const params = {
      name: 'refund',
      arguments: { amount: 120 },
      inputResponses: { values: { action: 'accept', content } },
    }
    const { result } = await rpc('modern', 'tools/call', params, { agent: 'whole', capabilities: canElicit })
    const { id, state } = result.structuredContent as { id: string; state: string }
    expect(state).toBe('pending')
    const change = await store.changes.get(id)
    expect(JSON.stringify(change?.plan)).toContain('pay_1001')
    expect(JSON.stringify(change?.plan)).toContain('120')
    expect(change?.votes).toEqual([])
    expect(change?.origin.handle).toBeNull()
  })

  it('is asked for in the call of an agent with few tools too', async () => {
    const call = (more: object) =>
      rpc(
        'modern',
        'tools/call',
        { name: 'run_command', arguments: { command: 'subscriber get' }, ...more },
        { agent: 'frugal', capabilities: canElicit },
      )
    expect(formIn((await call({})).result)?.params.requestedSchema.required).toEqual(['who'])
    const { result } = await call({
      inputResponses: { values: { action: 'accept', content: { who: 'ada@example.com' } } },
    })
    expect(result.structuredContent).toMatchObject({ state: 'answered', title: '“Ada Lindqvist”' })
  })

  it('is filled in by the official client, which shows the form to its user', async () => {
    const client = new Client(
      { name: 'forms', version: '1' },
      { capabilities: canElicit, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const shown: string[] = []
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params.message)
      return { action: 'accept', content: { who: 'ada@example.com' } }
    })
    const requestInit = { headers: { authorization: `Bearer ${tokenOf('whole')}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }))
    const { structuredContent } = await client.callTool({ name: 'subscriber_get', arguments: {} })
    expect(structuredContent).toMatchObject({ state: 'answered', title: '“Ada Lindqvist”' })
    expect(shown).toHaveLength(1)
    await client.close()
  })
})
