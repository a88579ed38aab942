import { expect, test } from 'vitest'
import { settleRestored } from '../../src/cli/backup/settle.ts'
import { type Change, type ChangeState, states } from '../../src/kernel/model/change.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { type Harness, openHarness } from '../pipeline/harness.ts'

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
  - { id: gil, name: Gil Finance, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: own, commands: [unfreeze], require: none }
  - { name: held, commands: [refund], amount: { upTo: 30 }, require: { approvals: 1, from: [finance] }, hold: 10m }
  - { name: one, commands: [refund], amount: { upTo: 100 }, require: { approvals: 1, from: [finance] } }
  - { name: two, commands: [refund], require: { approvals: 2, from: [finance] } }
`

type Way = { make(bot: Harness): Promise<Change>; becomes: ChangeState }

const ask = (bot: Harness, amount: number, more = '') => bot.ask(`refund ${bot.payment()} ${amount}${more}`)
/** As a process that dies in the middle leaves it. */
const put = async (bot: Harness, change: Change, next: Partial<Change>): Promise<Change> => {
  const stored = { ...(await bot.stored(change)), ...next }
  const moved = { ...stored, version: stored.version + 1 }
  await bot.store.changes.swap(moved)
  return moved
}
const approved = async (bot: Harness, amount: number, more?: string) =>
  bot.click('approve', await ask(bot, amount, more), 'fay')
const withheld = { before: 'Shadow', after: 'Not sent', why: 'Nothing was sent.' }
const atService = { service: 'billing', row: 'billing.refundPayment', id: 'ref_1', said: 'open', since: 1 }
const outcome = { at: 1, message: 'As it was made', warning: null, view: null }

/** Whatever was open ends; what had ended stays. */
const ways: Record<string, Way> = {
  'waits for its first vote': { make: (bot) => ask(bot, 50), becomes: 'voided' },
  'has one vote of two': {
    make: async (bot) => bot.click('approve', await ask(bot, 600), 'fay'),
    becomes: 'voided',
  },
  'has a vote that was given in advance': {
    make: async (bot) => {
      const change = await bot.click('approve', await ask(bot, 600), 'fay')
      const inAdvance = { grant: 'ab23cd45ef', left: 'nothing more' }
      return put(bot, change, { votes: change.votes.map((vote) => ({ ...vote, inAdvance })) })
    },
    becomes: 'voided',
  },
  'waits, and is withheld': {
    make: async (bot) => put(bot, await ask(bot, 50), { withheld }),
    becomes: 'voided',
  },
  'is approved and held': { make: (bot) => approved(bot, 20), becomes: 'voided' },
  'is approved for a time': { make: (bot) => approved(bot, 50, ' --at "in 2h"'), becomes: 'voided' },
  'is approved, and about to be claimed': {
    make: async (bot) => put(bot, await ask(bot, 50), { state: 'approved' }),
    becomes: 'voided',
  },
  'is being applied': {
    make: async (bot) =>
      put(bot, await ask(bot, 50), { state: 'applying', claimedBy: 'a process that is gone' }),
    becomes: 'unknown',
  },
  'has an unknown outcome': {
    make: async (bot) => put(bot, await ask(bot, 50), { state: 'unknown', outcome }),
    becomes: 'unknown',
  },
  ...Object.fromEntries(
    (['failed', 'expired', 'voided', 'not_applied', 'cancelled'] as const).map((state): [string, Way] => [
      `is ${state}`,
      { make: async (bot) => put(bot, await ask(bot, 50), { state, outcome }), becomes: state },
    ]),
  ),
  // It was sent, and nothing of it is sent again: how it ends, the service or a person says.
  ...Object.fromEntries(
    (['held', 'accepted'] as const).map((state): [string, Way] => [
      `is ${state} by the service`,
      {
        make: async (bot) => put(bot, await approved(bot, 50), { state, outcome, atService }),
        becomes: state,
      },
    ]),
  ),
  'is applied': { make: (bot) => approved(bot, 50), becomes: 'applied' },
  'is rejected': {
    make: async (bot) => bot.click('reject', await ask(bot, 50), 'fay', 'No'),
    becomes: 'rejected',
  },
}

eachEngine('a change that was restored', (engine) => {
  test('ends unless it had ended, whatever its state, and no time that comes later sends it', async () => {
    const clock = { now: Date.UTC(2026, 10, 19, 9) }
    const database = await openTestDatabase(engine)
    const bot = await openHarness({
      policy,
      database: { ...database, close: async () => undefined },
      now: () => clock.now,
      started: false,
    })
    whenDone(database.close)
    const made: Record<string, Change> = {}
    for (const [name, { make }] of Object.entries(ways)) made[name] = await bot.stored(await make(bot))
    // Nothing is left out: each state that there is was made.
    expect([...new Set(Object.values(made).map(({ state }) => state))].toSorted()).toEqual(states.toSorted())
    expect(made['is approved and held']?.holdUntil).toBeGreaterThan(clock.now)
    expect(
      made['is approved for a time']?.holdUntil ?? made['is approved for a time']?.runAt,
    ).toBeGreaterThan(clock.now)
    const sent = bot.effects('refundPayment').length

    await bot.store.tx((store) =>
      settleRestored(store, {
        now: () => clock.now,
        backupAt: clock.now - 60_000,
        account: 'root',
        sha256: 'a'.repeat(64),
      }),
    )
    const after = await openHarness({
      policy,
      database: { ...database, close: async () => undefined },
      now: () => clock.now,
      front: async () => bot.sandbox.services,
    })
    await after.say('unfreeze all', 'gil')
    // Everything that could have been due comes and goes.
    for (const hours of [1, 3, 24]) {
      clock.now += hours * 3_600_000
      await after.app.drain()
    }
    const became: Record<string, ChangeState> = {}
    for (const [name, change] of Object.entries(made)) became[name] = (await after.stored(change)).state
    expect(became).toEqual(
      Object.fromEntries(Object.entries(ways).map(([name, { becomes }]) => [name, becomes])),
    )
    // Nor does a button of before, whoever presses it.
    for (const change of Object.values(made))
      for (const person of ['fay', 'gil']) {
        const reply = await after.press('approve', `${change.id}.${change.digest.slice(0, 10)}`, person)
        expect([change.state, reply.kind]).toEqual([change.state, 'refused'])
      }
    expect(bot.effects('refundPayment')).toHaveLength(sent)
  })
})
