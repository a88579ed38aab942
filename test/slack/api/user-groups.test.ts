import { describe, expect, test } from 'vitest'
import { teamPolicy } from '../../harness/team-policy.ts'
import { until } from '../../harness/until.ts'
import { channels, openSlackHarness } from '../harness.ts'

const { general } = channels
const grouped = teamPolicy.replace('groups:', 'groups:\n  slack: { S0SUPPORT: [support] }')

describe('a user group', async () => {
  const { wes, fake } = await openSlackHarness({
    policy: grouped,
    prepare: (slack) => slack.state.groups.set('S0SUPPORT', ['U0WES', 'U0GUEST']),
  })

  test('gives its roles to its members', async () => {
    await wes.types('/subscriber get ada@example.com', general)
    await until(() => wes.finds('Ada Lindqvist', general))
  })

  test('is asked about once for a while', async () => {
    await wes.types('/subscriber stats', general)
    await until(() => wes.finds('ubscribers', general))
    expect(fake.calls('usergroups.users.list')).toHaveLength(1)
  })

  test('gives nothing to people of another workspace', async () => {
    const guest = fake.person('U0GUEST', { name: 'guest', team: 'T0OTHER' })
    fake.state.channels.get(general)?.members.add(guest.id)
    await guest.mentions('subscriber get ada@example.com', general)
    await until(() => guest.finds('not linked to anybody', general))
    await guest.types('/subscriber get ada@example.com', general)
    await until(() => expect(guest.answers(general)).toHaveLength(2))
    expect(guest.sees(general).join()).not.toContain('Ada Lindqvist')
  })
})

describe('who is in a group now', async () => {
  const { wes, fake, slack } = await openSlackHarness({
    policy: grouped,
    prepare: (one) => one.state.groups.set('S0SUPPORT', ['U0WES']),
  })

  test('is asked anew each time, whatever was known', async () => {
    expect(await slack.messenger.membership?.(wes.id)).toEqual(['S0SUPPORT'])
    fake.state.groups.set('S0SUPPORT', [])
    expect(await slack.messenger.membership?.(wes.id)).toEqual([])
  })

  test('is not guessed while Slack does not say', async () => {
    fake.fail('usergroups.users.list', { status: 500 })
    await expect(slack.messenger.membership?.(wes.id)).rejects.toMatchObject({ kind: 'later' })
  })
})

describe('somebody of another workspace', async () => {
  const { fake } = await openSlackHarness({
    policy: teamPolicy.replace('slack: U0FINN', 'slack: U0GUEST'),
  })

  test('is a stranger, though the file lists the same id', async () => {
    const guest = fake.person('U0GUEST', { name: 'guest', team: 'T0OTHER' })
    fake.state.channels.get(general)?.members.add(guest.id)
    await guest.mentions('subscriber get ada@example.com', general)
    await until(() => guest.finds('is not linked to anybody here', general))
  })
})

describe('without the scope for user groups', async () => {
  const { wes, sam, fake } = await openSlackHarness({
    policy: grouped,
    scopes: ['chat:write', 'commands'],
    prepare: (slack) => slack.state.groups.set('S0SUPPORT', ['U0WES']),
  })

  test('groups give no roles, and everything else works', async () => {
    await wes.types('/subscriber get ada@example.com', general)
    await until(() => wes.finds('not linked to anybody', general))
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => sam.finds('Ada Lindqvist', general))
    expect(fake.calls('usergroups.users.list')).toHaveLength(1)
  })
})

describe('a group that Slack does not know', async () => {
  const { wes, sam, fake } = await openSlackHarness({
    policy: grouped,
    prepare: (slack) => slack.fail('usergroups.users.list', { status: 200, error: 'no_such_subteam' }),
  })

  test('gives no roles, and is not asked about with every request', async () => {
    await wes.types('/subscriber get ada@example.com', general)
    await until(() => wes.finds('not linked to anybody', general))
    await sam.types('/subscriber get ada@example.com', general)
    await until(() => sam.finds('Ada Lindqvist', general))
    expect(fake.calls('usergroups.users.list')).toHaveLength(1)
  })
})

describe('while the members of a group are not known', async () => {
  const { wes } = await openSlackHarness({
    policy: grouped,
    prepare: (slack) => {
      slack.state.groups.set('S0SUPPORT', ['U0WES'])
      // At the start, and when they are first needed.
      slack.fail('usergroups.users.list', { status: 500 }, { status: 500 })
    },
  })

  test('nobody has its roles, and they come back with Slack', async () => {
    await wes.types('/subscriber get ada@example.com', general)
    await until(() => wes.finds('not linked to anybody', general))
    await wes.types('/subscriber get ada@example.com', general)
    await until(() => wes.finds('Ada Lindqvist', general))
  })
})
