import { describe, expect, it } from 'vitest'
import type { Change } from '../../src/kernel/model/change.ts'
import { account, openHarness } from '../pipeline/harness.ts'
import { createFakeMessenger } from './fake-messenger.ts'

const hour = 3_600_000

describe('the bot', () => {
  const policy = `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY, roles: [finance], zone: Europe/Berlin }
  - { id: finn, name: Finn, slack: U0FINN, roles: [support] }
  - { id: lee, name: Lee, slack: U0LEE, roles: [legal] }
  - { id: gail, name: Gail, slack: U0GAIL }
  - { id: alex, name: Alex, slack: U0ALEX }
  - { id: alex2, name: Alex, slack: U0ALEX2 }
groups:
  slack: { S0FIN: [finance] }
agents:
  - { id: hers, name: Hers, owner: fay, roles: [support], token: { env: HERS_TOKEN } }
  - { id: his, name: His, owner: finn, roles: [support], token: { env: HIS_TOKEN } }
roles:
  support: { run: [refund, "away *", "approval *"] }
  finance: { run: ["*"], approve: ["*"], delegate: true }
  legal: { run: ["away *"], approve: ["*"] }
policies:
  - { name: legal, commands: [refund], amount: { upTo: 10 }, require: { approvals: 1, from: [legal] } }
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] }, hold: 2h, expiresIn: 1d }
  - { name: away, commands: ["away *"], require: none }
`
  const open = async () => {
    const clock = { now: Date.UTC(2026, 10, 13, 12) }
    const harness = await openHarness({ policy, now: () => clock.now, started: false })
    const members = new Set(['U0GAIL'])
    const groupsOf = (id: string) => (members.has(id) ? ['S0FIN'] : [])
    const asked: string[] = []
    const membership = async (id: string) => {
      asked.push(id)
      return groupsOf(id)
    }
    harness.app.join({ ...createFakeMessenger('slack'), membership })
    const as = (id: string, line: string, platform = 'slack') =>
      harness.handle({ from: account(platform, id, groupsOf(id)), intent: { kind: 'line', line } })
    const ask = async (amount: number, id = 'U0SAM', platform = 'slack'): Promise<Change> => {
      const reply = await as(id, `refund ${harness.payment()} ${amount}`, platform)
      if (reply.kind !== 'change') throw new Error(JSON.stringify(reply))
      // Its card is posted: that is a showing to all who look there.
      await harness.app.drain()
      return reply.change
    }
    const pass = async (ms: number) => {
      clock.now += ms
      await harness.app.drain()
    }
    return { harness, as, ask, pass, members, asked }
  }

  it('names in the list who votes for somebody who is away', async () => {
    const { as, ask } = await open()
    await ask(100)
    const stillNeeded = async () => {
      const reply = await as('U0FAY', 'approval list')
      const blocks = reply.kind === 'answer' ? reply.view.blocks : []
      const shown = blocks.find(({ kind }) => kind === 'requests')
      return shown?.kind === 'requests' ? shown.requests[0]?.needs.at(-1) : undefined
    }
    expect(await stillNeeded()).toBe('Needs 1 approval from finance')
    await as('U0FAY', 'away set --until "monday 9:00" --to finn')
    expect(await stillNeeded()).toBe('Finn can decide')
  })

  it('takes the vote of a delegate under both names, and records both', async () => {
    const { harness, as, ask } = await open()
    const change = await ask(100)
    expect(await as('U0FINN', `approval approve ${change.id}`)).toMatchObject({ kind: 'refused' })
    expect(await as('U0FAY', 'away set --until "monday 9:00" --to finn')).toMatchObject({
      change: { state: 'applied', plan: { endsAt: Date.UTC(2026, 10, 16, 8) } },
    })
    expect(await as('U0FINN', `approval approve ${change.id}`)).toMatchObject({
      change: { state: 'approved' },
    })
    const [entry] = await harness.store.audit.find({ changeId: change.id, limit: 1 })
    expect(entry).toMatchObject({
      kind: 'approved',
      who: 'finn',
      doc: { for: { person: 'fay', name: 'Fay' } },
    })
    expect(JSON.stringify(await as('U0FAY', `approval get ${change.id}`))).toContain('Finn for Fay')
  })

  it('lets nobody vote for a role that does not say delegate', async () => {
    const { as, ask } = await open()
    const change = await ask(5)
    await as('U0LEE', 'away set --until "in 5h" --to finn')
    expect(await as('U0FINN', `approval approve ${change.id}`)).toMatchObject({
      refusal: { code: 'may_not_approve' },
    })
  })

  it('no longer counts the vote when the absence is over before the change runs', async () => {
    const { harness, as, ask, pass } = await open()
    const change = await ask(100)
    await as('U0FAY', 'away set --until "in 1h" --to finn')
    await as('U0FINN', `approval approve ${change.id}`)
    await pass(3 * hour)
    const after = await harness.stored(change)
    expect(after).toMatchObject({ state: 'pending', lapsed: [{ person: 'finn' }], votes: [] })
    expect(harness.effects()).toEqual([])
  })

  it('counts it no longer once the absence was ended by hand', async () => {
    const { harness, as, ask, pass } = await open()
    const change = await ask(100)
    await as('U0FAY', 'away set --until "in 9h" --to finn')
    await as('U0FINN', `approval approve ${change.id}`)
    await as('U0FAY', 'away end')
    await pass(3 * hour)
    expect((await harness.stored(change)).state).toBe('pending')
  })

  it('lets no delegate approve their own request, nor that of the one who is away', async () => {
    const { as, ask } = await open()
    await as('U0FAY', 'away set --until "in 9h" --to finn')
    const own = await ask(100, 'U0FINN')
    expect(await as('U0FINN', `approval approve ${own.id}`)).toMatchObject({
      refusal: { code: 'own_request' },
    })
    const hers = await ask(100, 'U0FAY')
    expect(await as('U0FINN', `approval approve ${hers.id}`)).toMatchObject({ kind: 'refused' })
  })

  it('lets nobody vote for the owner of the agent that asked, nor the owner for anybody', async () => {
    const { harness, as, ask } = await open()
    await as('U0FAY', 'away set --until "in 9h" --to finn')
    const hers = await ask(100, 'hers', 'mcp')
    expect(hers.requester).toMatchObject({ person: 'fay', agent: 'hers' })
    expect(await as('U0FINN', `approval approve ${hers.id}`)).toMatchObject({
      refusal: { code: 'may_not_approve' },
    })
    const his = await ask(200, 'his', 'mcp')
    expect(await as('U0FINN', `approval approve ${his.id}`)).toMatchObject({
      refusal: { code: 'own_request' },
    })
    for (const change of [hers, his]) expect(await harness.stored(change)).toMatchObject({ votes: [] })
    expect(await as('hers', 'away set --until "in 9h" --to finn', 'mcp')).toMatchObject({
      refusal: { code: 'may_not_run' },
    })
    expect(await as('his', `approval approve ${hers.id}`, 'mcp')).toMatchObject({ kind: 'refused' })
  })

  it('counts a vote for a member of a group as long as they are in it', async () => {
    const { harness, as, ask, pass, members } = await open()
    await as('U0GAIL', 'away set --until "in 9h" --to finn')
    const kept = await ask(100)
    expect(await as('U0FINN', `approval approve ${kept.id}`)).toMatchObject({ change: { state: 'approved' } })
    await pass(3 * hour)
    expect((await harness.stored(kept)).state).toBe('applied')
    const lost = await ask(200)
    await as('U0FINN', `approval approve ${lost.id}`)
    members.delete('U0GAIL')
    await pass(3 * hour)
    expect(await harness.stored(lost)).toMatchObject({
      state: 'pending',
      votes: [],
      lapsed: [{ person: 'finn' }],
    })
    expect(await as('U0FINN', `approval approve ${lost.id}`)).toMatchObject({
      refusal: { code: 'may_not_approve' },
    })
  })

  it('asks the messenger about nobody who is away and has named somebody else', async () => {
    const { as, ask, asked } = await open()
    await as('U0GAIL', 'away set --until "in 9h" --to finn')
    await as('U0LEE', 'away set --until "in 9h" --to alex')
    const change = await ask(100)
    asked.length = 0
    await as('U0FINN', `approval approve ${change.id}`)
    expect(asked).toEqual(['U0GAIL'])
  })

  it('asks a delegate who says no for the reason, and records both with it', async () => {
    const { harness, as, ask } = await open()
    const change = await ask(100)
    const reject = (reason?: string) =>
      harness.handle({
        from: account('slack', 'U0FINN'),
        intent: { kind: 'press', verb: 'reject', id: change.id, reason },
      })
    expect(await reject()).toMatchObject({ refusal: { code: 'may_not_approve' } })
    await as('U0GAIL', 'away set --until "in 9h" --to finn')
    for (const reason of [undefined, ' '])
      expect(await reject(reason)).toMatchObject({
        kind: 'reason',
        verb: 'reject',
        title: `Reject: ${change.preview.title}`,
      })
    expect(await reject('not ours')).toMatchObject({
      change: {
        state: 'rejected',
        ended: { by: { person: 'finn' }, for: { person: 'gail' }, reason: 'not ours' },
      },
    })
  })

  it('shows a delegate what waits for them, and all of it', async () => {
    const { as, ask } = await open()
    const change = await ask(100)
    const seenBy = async (id: string) => JSON.stringify(await as(id, 'approval list'))
    expect(await seenBy('U0FINN')).not.toContain('Waiting for you')
    await as('U0FAY', 'away set --until "in 9h" --to <@U0FINN>')
    expect(await seenBy('U0FINN')).toContain('Waiting for you')
    expect(JSON.stringify(await as('U0FINN', `approval get ${change.id}`))).toContain('"verb":"approve"')
  })

  it('refuses times that are over, and people whom nobody knows', async () => {
    const { as } = await open()
    expect(await as('U0FAY', 'away set --until 2026-11-01T09:00')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
    expect(await as('U0FAY', 'away set --until "in 1h" --to nobody')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
    expect(await as('U0FAY', 'away set --until "in 1h" --to fay')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
    expect(await as('U0FAY', 'away set --until "in 1h" --to Alex')).toMatchObject({
      kind: 'answer',
      isChoice: true,
    })
    expect(await as('U0FAY', 'away end')).toMatchObject({ refusal: { code: 'nothing_to_change' } })
  })
})
