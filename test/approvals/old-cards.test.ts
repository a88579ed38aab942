import { expect, test } from 'vitest'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { openTestApp } from '../harness/app.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { changeOf } from '../pipeline/harness.ts'
import { fillWithKept, type KeptDatabase, keptDatabases } from '../storage/database/kept.ts'

/** The first, one in the middle, and the last that others wrote. */
const tried = [0, Math.floor(keptDatabases.length / 2), keptDatabases.length - 1].flatMap(
  (at) => keptDatabases[at] ?? [],
)

const openWith = async (engine: 'sqlite' | 'postgres', kept: KeptDatabase) => {
  const database = await openTestDatabase(engine, { empty: true })
  await fillWithKept(database.db, kept)
  await migrate(database.db, { now: Date.now })
  const docs = kept.rows.flatMap(({ table, row }) => (table === 'changes' ? JSON.parse(String(row.doc)) : []))
  let time = Math.max(...docs.map(({ createdAt }) => createdAt))
  const opened = await openTestApp({ engine, database, tasks: false, now: () => ++time })
  const [small, large] = docs.toSorted((one, other) => one.amount - other.amount)
  const refunds = () => opened.sandbox.wire.filter(({ row }) => row === 'refundPayment').length
  return { ...opened, small, large, refunds }
}

/** As the button on the card of that time has it. */
const oldButton = ({ id, digest }: { id: string; digest: string }) => `${id}.${digest.slice(0, 10)}`

eachEngine('a card from before the upgrade', (engine) => {
  test.each(tried)('of version $version shows what is true, and counts once it does', async (kept) => {
    const { press, small, large, refunds, store } = await openWith(engine, kept)
    for (const [verb, change, person] of [
      ['approve', large, 'p-finance'],
      ['confirm', small, 'p-support'],
    ] as const) {
      const before = await store.changes.get(change.id)
      const refused = await press(verb, oldButton(change), person, 'Which invoice?')
      if (refused.kind !== 'refused') throw new Error(`it counted: ${refused.kind}`)
      expect(refused.refusal.code).toBe('changed_since')
      const button = refused.view.actions?.find((one) => one.verb === verb)?.id
      expect(button).toBe(before && buttonIdOf(before))
      expect(await store.changes.get(change.id)).toEqual(before)
      const had = refunds()
      const first = changeOf(await press(verb, button ?? '', person, 'Which invoice?'))
      // What is planned today may say more than the card did, and the policy ask somebody else: each time it is asked again,
      // with what differs.
      let shown = first
      for (let times = 0; shown.state === 'pending' && times < 2; times++) {
        expect(shown.drift?.changes.length).toBeGreaterThan(0)
        expect(refunds()).toBe(had)
        expect((await press(verb, button ?? '', person)).kind).toBe('refused')
        const isOthers = shown.clauses.some(({ kind }) => kind === 'approvals')
        shown = changeOf(
          isOthers
            ? await press('approve', buttonIdOf(shown), 'p-finance')
            : await press(verb, buttonIdOf(shown), person),
        )
      }
      expect(await store.changes.get(change.id)).toMatchObject({ state: 'applied' })
      expect(refunds()).toBe(had + 1)
    }
  })

  test.each(tried)('of version $version is changed, and then approved as it is now', async (kept) => {
    const { press, say, large, refunds } = await openWith(engine, kept)
    const changed = changeOf(await say(`approval change ${large.id} --amount 110`))
    expect(changed).toMatchObject({ amount: 110, state: 'pending', votes: [] })
    for (const button of [oldButton(large), oldButton(changed), buttonIdOf(large)])
      expect((await press('approve', button, 'p-finance')).kind).toBe('refused')
    expect(refunds()).toBe(0)
    expect(changeOf(await press('approve', buttonIdOf(changed), 'p-finance')).state).toBe('applied')
    expect(refunds()).toBe(1)
  })
})
