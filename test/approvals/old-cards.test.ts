import { expect, test } from 'vitest'
import { migrate } from '../../src/storage/database/migrations.ts'
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
  test.each(tried)(
    'of version $version is asked about, answered, approved and confirmed, each once',
    async (kept) => {
      const { press, small, large, refunds, store } = await openWith(engine, kept)
      const asked = changeOf(await press('ask', oldButton(large), 'p-finance', 'Which invoice?'))
      expect(asked.questions).toMatchObject([{ text: 'Which invoice?' }])
      const answered = changeOf(await press('answer', oldButton(large), 'p-support', 'INV-513'))
      expect(answered.questions).toMatchObject([{ answer: { text: 'INV-513' } }])
      for (const [verb, change, person] of [
        ['approve', large, 'p-finance'],
        ['confirm', small, 'p-support'],
      ] as const) {
        const before = refunds()
        const first = changeOf(await press(verb, oldButton(change), person))
        // What is planned today may say more than the card did: then it is asked again, with what differs.
        if (first.state === 'pending') {
          expect(first.drift?.changes.length).toBeGreaterThan(0)
          expect(refunds()).toBe(before)
          expect((await press(verb, oldButton(change), person)).kind).toBe('refused')
          await press(verb, oldButton(first), person)
        }
        expect(await store.changes.get(change.id)).toMatchObject({ state: 'applied' })
        expect(refunds()).toBe(before + 1)
      }
    },
  )

  test.each(tried)('of version $version is changed, and then approved as it is now', async (kept) => {
    const { press, say, large, refunds } = await openWith(engine, kept)
    const changed = changeOf(await say(`approval change ${large.id} --amount 110`))
    expect(changed).toMatchObject({ amount: 110, state: 'pending', votes: [] })
    expect((await press('approve', oldButton(large), 'p-finance')).kind).toBe('refused')
    expect(refunds()).toBe(0)
    expect(changeOf(await press('approve', oldButton(changed), 'p-finance')).state).toBe('applied')
    expect(refunds()).toBe(1)
  })
})
