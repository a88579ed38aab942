import { WebAPIPlatformError } from '@slack/web-api'
import { expect, it } from 'vitest'
import { isGoneFrom } from '../../../adapters/slack/api/user-zones.ts'
import { createFakeMessenger } from '../../approvals/fake-messenger.ts'
import { openTestApp, textOf } from '../../harness/app.ts'
import { refusalOf } from '../../pipeline/harness.ts'

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, slack: U0SAM, roles: [support] }
  - { id: fay, name: Fay Finance, slack: U0FAY, roles: [finance] }
  - { id: kim, name: Kim, slack: U0KIM, roles: [support] }
  - { id: gone, name: Gil, slack: U0GIL, roles: [finance] }
groups:
  slack: { S0LEAD: [lead] }
roles:
  support: { run: [refund, "report access"] }
  finance: { run: ["*"], approve: ["*"] }
  lead: { approve: [refund] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
unseen: pass
`

const open = async (now?: () => number) => {
  const opened = await openTestApp({ policy, tasks: false, ...(now && { now }) })
  const slack = createFakeMessenger('slack')
  opened.app.join({
    ...slack,
    isGone: async (account) => {
      if (account === 'U0KIM') throw new Error('not now')
      return account === 'U0GIL'
    },
    membership: async (account) => (account === 'U0SAM' ? ['S0LEAD'] : []),
  })
  return opened
}

it('says who may do what through which role, who is gone first, what was never used next', async () => {
  const { say, press } = await open()
  const asked = await say('refund pay_1001 20', 'sam')
  if (asked.kind !== 'change') throw new Error(textOf(asked))
  await press('approve', asked.change.id, 'fay')
  await say('refund pay_1002 30', 'sam')
  const reply = await say('report access', 'fay')
  if (reply.kind !== 'answer') throw new Error(textOf(reply))
  expect(reply.view.title).toBe('4 people with rights: 1 gone, 3 roles never used')
  const [head = '', ...rows] = String(reply.file?.content).trim().split('\n')
  const cells = rows.map((row) =>
    Object.fromEntries(
      head
        .trim()
        .split(',')
        .map((key, at) => [key, row.trim().split(',')[at]]),
    ),
  )
  expect(
    cells.map(({ person, role, through, ran, decided }) => [
      person,
      role,
      through,
      person === 'fay' ? '' : ran,
      decided,
    ]),
  ).toEqual([
    ['gone', 'finance', 'the file', '0', '0'],
    ['sam', 'lead', 'group slack S0LEAD', '0', '0'],
    ['kim', 'support', 'the file', '0', '0'],
    ['sam', 'support', 'the file', '2', '0'],
    // Her look at this report may count already.
    ['fay', 'finance', 'the file', '', '1'],
  ])
  expect(cells[0]).toMatchObject({ gone_from: 'slack', rules: 'refund' })
  expect(cells[3]?.last_ran).toMatch(/^20\d\d-/)
  const shown = textOf(reply)
  expect(shown).toContain('Gil (gone from slack)')
  expect(shown).toContain('1 account could not be asked about')
})

it('is for those who may read what everybody did', async () => {
  const { say } = await open()
  expect(refusalOf(await say('report access', 'sam')).message).toContain('what everybody did')
})

it('counts in the database what was done since then, each day once', async () => {
  const day = 86_400_000
  const time = { now: 1_800_000_000_000 }
  const { store } = await open(() => time.now)
  const start = time.now
  const entry = { who: 'sam', name: 'Sam', platform: 'slack', changeId: null, doc: {} }
  for (const [after, kind, command] of [
    [-day, 'asked', 'refund'],
    [0, 'asked', 'refund'],
    [day - 1, 'asked', 'refund'],
    [day, 'asked', 'refund'],
    [day, 'approved', 'refund'],
    [3 * day + 5, 'ran', 'list find'],
  ] as const) {
    time.now = start + after
    await store.audit.append({ ...entry, kind, command } as never)
  }
  const counts = (await store.audit.counts(start)).filter(({ who }) => who === 'sam')
  expect(counts.map(({ kind, command, n, last }) => [kind, command, n, last - start])).toEqual([
    ['asked', 'refund', 3, day],
    ['approved', 'refund', 1, day],
    ['ran', 'list find', 1, 3 * day + 5],
  ])
})

it('an account of Slack is gone when it is deactivated or none, and nobody knows while Slack does not say', async () => {
  const web = (info: () => Promise<unknown>) => ({ users: { info } }) as never
  const failing = (error: string) => async () => {
    throw new WebAPIPlatformError({ ok: false, error })
  }
  expect(
    await isGoneFrom(
      web(async () => ({ user: { deleted: true } })),
      'U1',
    ),
  ).toBe(true)
  expect(
    await isGoneFrom(
      web(async () => ({ user: {} })),
      'U1',
    ),
  ).toBe(false)
  expect(await isGoneFrom(web(failing('user_not_found')), 'U1')).toBe(true)
  await expect(isGoneFrom(web(failing('missing_scope')), 'U1')).rejects.toThrow()
})
