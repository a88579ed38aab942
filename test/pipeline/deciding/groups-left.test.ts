import { describe, expect, it } from 'vitest'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { fromOf } from '../../harness/app.ts'
import { buttonOf, changeOf, openHarness } from '../harness.ts'

/** Who decides is in a group of Slack; the file names them, and gives them nothing. */
const policy = `
version: 1
people:
  - { id: sam, name: Sam, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay, slack: U0FAY }
  - { id: finn, name: Finn, slack: U0FINN }
  - { id: gil, name: Gil, slack: U0GIL }
  - { id: ada, name: Ada, slack: U0ADA, roles: [admin] }
groups:
  slack: { S0FIN: [finance], S0DESK: [support] }
roles:
  support: { run: [refund] }
  finance: { run: ["*"], approve: ["*"] }
  admin: { run: ["policy *"] }
administrators: [ada]
approvals: { slack: C0APPROVALS }
policies:
  - { name: refund, commands: [refund], require: { approvals: 2, from: [finance] } }
`

/** Of many who could be in the group, those who are. */
const open = async (...members: string[]) => {
  let time = Date.now()
  const harness = await openHarness({ tasks: false, policy, now: () => time })
  const slack = createFakeMessenger('slack')
  const group = new Set(members)
  const asked: string[] = []
  let isUp = true
  harness.app.join({
    ...slack,
    membership: async (account) => {
      asked.push(account)
      if (!isUp) throw new MessengerError('later', 'down')
      return group.has(account) ? ['S0FIN'] : ['S0DESK']
    },
  })
  const { id } = changeOf(
    await harness.handle({
      from: fromOf('U0SAM', 'slack'),
      intent: { kind: 'line', line: `refund ${harness.payment()} 100` },
    }),
  )
  await harness.app.drain()
  const stored = () => harness.stored({ id })
  return {
    ...{ harness, slack, group, asked, stored },
    answers: (next: boolean) => {
      isUp = next
    },
    laterOn: async () => {
      time += 15 * 60_000
      await harness.app.drain()
    },
    vote: async (account: string) =>
      harness.handle({
        from: { ...fromOf(account, 'slack'), groups: ['S0FIN'] },
        intent: { kind: 'press', verb: 'approve', id: buttonOf(await stored()) },
      }),
    why: async () => {
      const { stuck } = await stored()
      return stuck && plainWords(stuck.why)
    },
  }
}

describe('a request that hangs on who is in a group of a messenger', () => {
  it('waits for those who are in it', async () => {
    const { why, asked } = await open('U0FAY', 'U0GIL')
    expect(await why()).toBeUndefined()
    expect(new Set(asked)).toEqual(new Set(['U0FAY', 'U0FINN', 'U0GIL', 'U0ADA']))
  })

  it('says who is left, and tells its requester and administrators once', async () => {
    const { why, slack, laterOn } = await open('U0GIL')
    const told =
      'This cannot be approved as it stands: 2 approvals from finance are needed, and only Gil could give one.'
    expect(await why()).toBe(told)
    await laterOn()
    for (const account of ['U0SAM', 'U0ADA']) {
      const shown = slack.shown(account).filter((text) => text.includes(told))
      expect([account, shown.length]).toEqual([account, 1])
    }
  })

  it('says so when somebody leaves the group later, and takes it back when they come again', async () => {
    const { group, why, laterOn, vote, stored } = await open('U0FAY', 'U0GIL')
    group.delete('U0FAY')
    await laterOn()
    expect(await why()).toContain('only Gil could give one')
    group.add('U0FAY')
    await laterOn()
    expect(await why()).toBeUndefined()
    await vote('U0FAY')
    group.clear()
    await laterOn()
    expect(await why()).toContain('nobody is left who could give')
    expect((await stored()).state).toBe('pending')
  })

  it('takes nothing from a messenger that does not answer', async () => {
    const { group, why, answers, laterOn } = await open('U0FAY', 'U0GIL')
    answers(false)
    group.clear()
    await laterOn()
    expect(await why()).toBeUndefined()
    answers(true)
    await laterOn()
    expect(await why()).toContain('nobody is left')
    answers(false)
    await laterOn()
    expect(await why()).toContain('nobody is left')
  })

  it('asks nobody where the file itself names enough', async () => {
    const asked: string[] = []
    const named = policy.replace(/name: (Fay|Gil), slack: (\w+) /g, 'name: $1, slack: $2, roles: [finance] ')
    const other = await openHarness({ tasks: false, policy: named })
    other.app.join({
      ...createFakeMessenger('slack'),
      membership: async (account) => [asked.push(account), ''].map(String),
    })
    const reply = await other.handle({
      from: fromOf('U0SAM', 'slack'),
      intent: { kind: 'line', line: `refund ${other.payment()} 100` },
    })
    await other.app.drain()
    expect(changeOf(reply).state).toBe('pending')
    expect(asked).toEqual([])
  })
})
