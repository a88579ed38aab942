import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { execute } from '../../src/kernel/change/applying/execute.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf, openTestApp } from '../harness/app.ts'
import { changeOf } from '../pipeline/harness.ts'

const listed = z.object({
  madeAt: z.number(),
  policy: z.string(),
  skipped: z.array(z.string()),
  made: z.array(
    z.object({
      id: z.string(),
      command: z.string(),
      kind: z.enum(['partly approved', 'pending', 'held', 'scheduled', 'amended', 'signed']),
      state: z.string(),
    }),
  ),
})

const folder = import.meta.dirname
const commits = readdirSync(folder).flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? [])

/** What is open in a database that an earlier version made; `make.ts` says how. */
const storedBy = (commit: string) =>
  listed.parse(JSON.parse(readFileSync(join(folder, `${commit}.json`), 'utf8')))

const openStored = async (commit: string) => {
  const { policy, madeAt } = storedBy(commit)
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-update-'))
  writeFileSync(
    join(dataDir, 'bellhop.sqlite'),
    gunzipSync(readFileSync(join(folder, `${commit}.sqlite.gz`))),
  )
  const db = await openDatabase({ dataDir })
  let clock = madeAt + 1
  await migrate(db, { now: () => clock })
  const bot = await openTestApp({
    database: { db, dataDir, close: () => db.close() },
    policy,
    now: () => clock,
    servicesNow: () => madeAt,
    vouchesFor: () => true,
    tasks: false,
  })
  bot.app.join(createFakeMessenger('slack'))
  const get = async (id: string): Promise<Change> => {
    const change = await bot.store.changes.get(id)
    if (change === null) throw new Error(`there is no change ${id}`)
    return change
  }
  return {
    ...bot,
    get,
    later: (ms: number) => {
      clock += ms
    },
    approve: async (id: string, person: string) =>
      changeOf(
        await bot.handle({
          // None of those that were handled before.
          delivery: `${id} ${person}`,
          from: fromOf(`U0${person.toUpperCase()}`, 'slack'),
          intent: { kind: 'press', verb: 'approve', id: buttonIdOf(await get(id)) },
        }),
      ),
  }
}

const hour = 3_600_000
const votesOf = ({ votes }: Pick<Change, 'votes'>) =>
  votes.map(({ by, at, digest }) => [by.person, at, digest])

it('there are databases of three earlier versions, and each kind of request is in some', () => {
  expect(commits).toHaveLength(3)
  const all = commits.flatMap((commit) => storedBy(commit).made)
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(6)
})

describe.each(commits)('after an update from %s', async (commit) => {
  const bot = await openStored(commit)
  const { made } = storedBy(commit)

  it.each(made)('the votes for what is $kind stay good: $command $id', async ({ id, kind, state }) => {
    bot.sandbox.reset()
    const before = await bot.get(id)
    expect(before.state).toBe(state)
    if (kind === 'pending') await bot.approve(id, 'fay')
    if (kind === 'held' || kind === 'scheduled') bot.later(4 * hour)
    else await bot.approve(id, 'finn')
    await execute(bot.app.core, id)
    const after = await bot.get(id)
    expect(after).toMatchObject({ state: 'applied', drift: before.drift })
    expect(votesOf(after).slice(0, before.votes.length)).toEqual(votesOf(before))
  })
})
