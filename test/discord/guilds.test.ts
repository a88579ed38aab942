import { describe, expect, it } from 'vitest'
import { until } from '../harness/until.ts'
import { paymentIn } from '../pipeline/harness.ts'
import { channels, openDiscordHarness } from './harness.ts'

const { general, approvals } = channels
/** The next one after the first that Discord brings to another shard. */
const guild = String(600000000000000001n + (1n << 22n))
const there = { general: '310000000000000001', approvals: '310000000000000009' }

/** On Discord somebody has one id in all servers: Sam is Tim in the second, and Wes is listed there alone. */
const policy = `version: 1
workspaces: { discord: ["${guild}"] }
people:
  - { id: sam, name: Sam Support, discord: "400000000000000001", roles: [support] }
  - { id: fay, name: Fay Finance, discord: "400000000000000002", roles: [finance] }
  - { id: tim, name: Tim Tulip, discord: "${guild}/400000000000000001", roles: [support] }
  - { id: wes, name: Wes West, discord: "${guild}/400000000000000005", roles: [finance] }
  - { id: finn, name: Finn Both, discord: ["400000000000000003", "${guild}/400000000000000003"], roles: [finance] }
groups:
  discord: { "${guild}/500000000000000001": [finance] }
roles:
  support: { run: [refund, "approval *"] }
  finance: { run: ["*"], approve: ["*"] }
everyone: { run: ["bellhop *"] }
approvals: { discord: ["${approvals}", "${guild}/${there.approvals}"] }
policies:
  - { name: refund, commands: [refund], require: { approvals: 1, from: [finance] } }
unseen: pass
`

describe('two servers of Discord, over the two shards that it recommends', async () => {
  const { sam, fay, finn, wes, rae, fake, store, discord, sandbox } = await openDiscordHarness({
    policy,
    prepare: ({ state, channel }) => {
      state.shards = 2
      channel(there.general, { guild })
      channel(there.approvals, { guild })
    },
  })
  const refund = (amount: number, reason: string) =>
    ['refund', { 'payment-id': paymentIn(sandbox), amount, customer: 'cus_1001', reason }] as const
  await sam.slash(general, ...refund(37, 'yellow hippo'))
  await until(() => expect(fay.reads(approvals)).toContain('37 USD'))
  await sam.slash(there.general, ...refund(38, 'zebra stripes'))
  await until(() => expect(wes.reads(there.approvals)).toContain('38 USD'))
  const [theirs, ours] = await store.changes.list({ limit: 2 })

  it('are heard through both, and the bot is connected when both stand', () => {
    expect(fake.gateway.identifies.map(({ shard }) => shard)).toEqual([
      [0, 2],
      [1, 2],
    ])
    expect(discord.connections.map((one) => one.report().state)).toEqual(['connected', 'connected'])
    expect(fake.gateway.connections()).toBe(2)
  })
  it('have people of their own, whatever their ids', () => {
    expect([ours?.requester, theirs?.requester]).toMatchObject([
      { person: 'sam', account: '400000000000000001' },
      { person: 'tim', account: `${guild}/400000000000000001`, space: `discord:${guild}` },
    ])
    expect(fay.reads(approvals)).not.toContain('38 USD')
    expect(wes.reads(there.approvals)).not.toContain('37 USD')
  })
  it('cannot reach each other’s changes', async () => {
    for (const [who, channel, change, words] of [
      [sam, there.general, ours, 'yellow hippo'],
      [wes, there.general, ours, 'yellow hippo'],
      [wes, wes.direct, ours, 'yellow hippo'],
      [rae, there.general, ours, 'yellow hippo'],
      [sam, general, theirs, 'zebra stripes'],
      [fay, general, theirs, 'zebra stripes'],
      [fay, fay.direct, theirs, 'zebra stripes'],
    ] as const) {
      const id = change?.id ?? ''
      await who.slash(channel, 'approval get', { id })
      await who.slash(channel, 'approval list')
      await who.slash(channel, 'approval approve', { id })
      await until(() => expect(who.reads(channel)).toContain(`There is no change "${id}"`))
      expect(who.reads(channel)).not.toContain(words)
    }
    expect(await store.changes.get(ours?.id ?? '')).toMatchObject({ state: 'pending', votes: [] })
    expect(await store.changes.get(theirs?.id ?? '')).toMatchObject({ state: 'pending', votes: [] })
  })
  it('are decided by those who are listed there, by a role there, and from a direct message', async () => {
    await wes.slash(wes.direct, 'approval approve', { id: theirs?.id ?? '' })
    await until(async () => expect((await store.changes.get(theirs?.id ?? ''))?.state).toBe('applied'))
    expect((await store.changes.get(theirs?.id ?? ''))?.votes[0]?.by).toMatchObject({
      person: 'wes',
      account: `${guild}/400000000000000005`,
    })
    await finn.slash(there.general, 'approval approve', { id: ours?.id ?? '' })
    await until(async () => expect((await store.changes.get(ours?.id ?? ''))?.state).toBe('applied'))
    expect(await discord.messenger.membership?.(`${guild}/400000000000000004`)).toEqual([
      `${guild}/500000000000000001`,
    ])
  })
  it('lose a shard and get it back without being deaf for longer than that', async () => {
    fake.gateway.drop()
    await until(() => expect(fake.gateway.connections()).toBe(2))
    await until(() => expect(discord.connections.at(-1)?.report().state).toBe('connected'))
    const before = (await store.changes.list({ limit: 9 })).length
    await sam.slash(there.general, ...refund(5, 'after all'))
    await until(async () => expect(await store.changes.list({ limit: 9 })).toHaveLength(before + 1))
    expect(fake.state.refused).toEqual([])
  })
})
