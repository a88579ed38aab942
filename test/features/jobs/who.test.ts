import { expect, it } from 'vitest'
import { eachEngine } from '../../harness/database.ts'
import { buttonOf, changeOf, openHarness, refusalOf } from '../../pipeline/harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies: [{ name: refunds, commands: [refund], require: { approvals: 1, from: [finance] } }]
`
const slack = (account: string) => ({ platform: 'slack', account, name: account, groups: [] })
const terminal = (account: string, operator?: string) => ({
  ...slack(account),
  platform: 'terminal',
  operator,
})
type From = ReturnType<typeof slack> & { through?: string; agent?: string }
const verbs = ['pause', 'resume', 'stop'] as const

eachEngine('long work', (engine) => {
  const open = async () => {
    const harness = await openHarness({ engine, policy, tasks: false })
    const press = (from: From, verb: 'confirm' | (typeof verbs)[number], id: string) =>
      harness.handle({ from, intent: { kind: 'press', verb, id } })
    const file = { name: 'people.csv', bytes: Buffer.from('email\nada@example.com\nbo@example.com\n') }
    const asked = await harness.handle({
      from: slack('U0SAM'),
      intent: { kind: 'line', line: 'campaign send cmp_order_receipt', file },
    })
    const { id, pinned } = changeOf(asked)
    await press(slack('U0SAM'), 'confirm', buttonOf(changeOf(asked)))
    const state = async () => (await harness.store.bulk.get(pinned?.set ?? ''))?.state
    return { harness, press, id, state }
  }

  it('is paused by whoever the terminal says it is, which is always safe, and does not go on by them', async () => {
    const { press, id, state } = await open()
    const operator = terminal('sam', 'root')
    expect(await press(operator, 'pause', id)).toMatchObject({ kind: 'answer', command: 'job pause' })
    for (const verb of ['resume', 'stop'] as const)
      expect(refusalOf(await press(operator, verb, id)).code).toBe('may_not_approve')
    expect(await state()).toBe('paused')
  })

  it('is not even paused by an agent', async () => {
    const { press, id, state } = await open()
    for (const from of [
      { ...slack('U0SAM'), through: 'Assistant' },
      { ...slack('hal'), platform: 'mcp', agent: 'hal' },
    ])
      for (const verb of verbs)
        expect(refusalOf(await press(from, verb, id)), verb).toMatchObject({
          code: 'may_not_approve',
          message: 'An agent asks; people decide.',
        })
    expect(await state()).toBe('running')
  })

  it('is what these buttons are about: pressed on another card they decide nothing', async () => {
    const { harness, press } = await open()
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    for (const verb of verbs)
      expect(refusalOf(await press(slack('U0FAY'), verb, buttonOf(change))).code).toBe('no_such_change')
    expect((await harness.stored(change)).votes).toEqual([])
  })
})
