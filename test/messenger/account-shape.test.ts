import { expect, test } from 'vitest'
import { discordUserIn } from '../../adapters/discord/inbound/from-payload.ts'
import { slackSenderOf } from '../../adapters/slack/context/request.ts'
import { personOf } from '../../src/kernel/policy/people.ts'
import { exampleFile, policyOf } from '../policy/example.ts'

const policy = policyOf(exampleFile)
const oddIds = [
  '',
  ' ',
  'workflow',
  'nobody',
  'T2/U0FINANCE',
  '600000000000000002/400000000000000001',
  'U0FINANCE ',
  'u0finance',
  'U0FINANCE\n',
  'p1',
  '__proto__',
  'constructor',
  'slack:U0FINANCE',
  '*',
  'U'.repeat(100),
  '4'.repeat(100),
]

test.each(oddIds)('whoever comes with the id %j is nobody, in Slack and in Discord', async (id) => {
  const slack = await slackSenderOf(
    {
      identity: { soon: async () => ({ teamId: 'T1' }) },
      userGroups: { of: async () => ['S0FINANCE'] },
    } as never,
    { account: id, name: 'Finance one', team: 'T1' },
  )
  expect(slack).toMatchObject({ account: 'nobody', groups: [] })
  expect(personOf(policy, slack)).toMatchObject({ known: false, roles: [] })
  expect(discordUserIn({ user: { id, username: 'x' } as never, member: undefined })).toBeUndefined()
})

test('whoever comes with an id as the messenger gives them is who the file says', async () => {
  const slack = await slackSenderOf(
    { identity: { soon: async () => ({ teamId: 'T1' }) }, userGroups: { of: async () => [] } } as never,
    { account: 'U0FINANCE', name: 'x', team: 'T1' },
  )
  expect(personOf(policy, slack)).toMatchObject({ known: true, person: 'p2' })
  const discord = discordUserIn({
    user: { id: '400000000000000001', username: 'x' } as never,
    member: undefined,
  })
  expect(discord && personOf(policy, discord)).toMatchObject({ known: true, person: 'p1' })
})
