import { expect, it } from 'vitest'
import { eachEngine } from '../harness/database.ts'
import { buttonOf, openHarness } from './harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance] }
  - { id: finn, name: Finn, slack: U0FINN, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies: [{ name: refunds, commands: [refund], require: { approvals: 2, from: [finance] } }]
`
const slack = (account: string) => ({ platform: 'slack', account, name: account, groups: [] })
const terminal = (account: string, operator?: string) => ({
  platform: 'terminal',
  account,
  name: account,
  groups: [],
  operator,
})

eachEngine('outside the demo the terminal', (engine) => {
  const open = async () => {
    const vouched = { terminal: true }
    const harness = await openHarness({
      engine,
      policy,
      vouchesFor: (platform) => platform !== 'terminal' || vouched.terminal,
    })
    const asked = await harness.handle({
      from: slack('U0SAM'),
      intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
    })
    if (asked.kind !== 'change') throw new Error(asked.kind)
    const { id } = asked.change
    const button = buttonOf(asked.change)
    const approve = (from: ReturnType<typeof slack>) =>
      harness.handle({
        from,
        intent: { kind: 'press', verb: 'approve', id: button },
      })
    return { harness, id, approve, vouched }
  }

  it('gives no vote that weighs, not even one that was stored when it still did', async () => {
    const { harness, id, approve, vouched } = await open()
    expect((await approve(terminal('fay'))).kind).toBe('change')
    vouched.terminal = false
    await approve(slack('U0FINN'))
    const change = await harness.store.changes.get(id)
    expect(change?.state).toBe('pending')
    expect(change?.votes.map(({ by }) => by.person)).toEqual(['finn'])
    expect(change?.lapsed).toMatchObject([{ person: 'fay', why: expect.stringContaining('whose it is') }])
  })

  it('changes nothing that somebody else asked for, whoever it says it is', async () => {
    const { harness, id } = await open()
    const line = `approval change ${id} --amount 20`
    const reply = await harness.handle({ from: terminal('fay', 'root'), intent: { kind: 'line', line } })
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'may_not_approve' } })
    expect(await harness.store.changes.get(id)).toMatchObject({ amount: 60, requester: { person: 'sam' } })
  })

  it('is refused a decision, and the audit log says who tried which', async () => {
    const { harness, id, approve } = await open()
    const reply = await approve(terminal('fay', 'root'))
    expect(reply).toMatchObject({ kind: 'refused', refusal: { code: 'may_not_approve' } })
    const [entry] = await harness.store.audit.find({ changeId: id, limit: 1 })
    expect(entry).toMatchObject({
      kind: 'refused',
      who: 'fay',
      platform: 'terminal',
      name: expect.stringContaining('root'),
      doc: { code: 'may_not_approve', verb: 'approve' },
    })
  })
})
