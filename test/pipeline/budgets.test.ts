import { expect, it } from 'vitest'
import { allWarnings } from '../../src/kernel/model/warning.ts'
import { eachEngine } from '../harness/database.ts'
import { buttonOf, openHarness } from './harness.ts'

const hourMs = 3_600_000

eachEngine('budgets', (engine) => {
  it('ten small refunds are one large one, over a window that rolls', async () => {
    let now = Date.UTC(2026, 0, 5)
    const harness = await openHarness({ engine, now: () => now, tasks: false })
    const small = () => harness.ask(`refund ${harness.payment()} 50`)
    for (let at = 0; at < 4; at++) {
      expect(await harness.click('confirm', await small())).toMatchObject({ state: 'applied' })
      now += hourMs
    }
    const fifth = await small()
    expect(fifth.clauses).toEqual([
      { kind: 'approvals', count: 2, from: ['finance'], because: 'budget "refunds a day"' },
    ])
    expect(allWarnings(fifth)).toEqual([
      'Refunds a day: 200 of 200 USD used in the last 24 h; this would make 250 USD.',
    ])
    now += 20 * hourMs + 1
    expect((await small()).clauses).toEqual([{ kind: 'confirm' }])
  })

  it('ten small refunds that are confirmed at once spend the budget once', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const changes = await Promise.all(
      Array.from({ length: 10 }, () => harness.ask(`refund ${harness.payment()} 50`)),
    )
    expect(changes.every(({ clauses }) => clauses[0]?.kind === 'confirm')).toBe(true)
    await Promise.all(changes.map((change) => harness.press('confirm', buttonOf(change))))
    expect(harness.effects('refundPayment')).toHaveLength(4)
    const after = await Promise.all(changes.map((change) => harness.stored(change)))
    const asked = after.filter(({ state }) => state === 'pending')
    expect(after.filter(({ state }) => state === 'applied')).toHaveLength(4)
    expect(asked).toHaveLength(6)
    for (const change of asked) {
      expect(change).toMatchObject({ votes: [], clauses: [{ kind: 'approvals', count: 2 }] })
      expect(change.drift?.changes).toContainEqual({
        label: 'Needs',
        before: 'a confirmation by the requester',
        after: '2 approvals from finance',
      })
    }
  })

  it('a refund of an unknown amount is over every budget, and what others spend is theirs', async () => {
    const harness = await openHarness({ engine, tasks: false })
    await harness.click('confirm', await harness.ask(`refund ${harness.payment()} 50`, 'fay'), 'fay')
    const unknown = await harness.ask('refund pay_unseen')
    expect(allWarnings(unknown)).toEqual([
      'Refunds a day: 0 of 200 (currency unknown) used in the last 24 h; the amount of this one is not known.',
    ])
  })

  it('a refund that failed is not spent, one whose outcome is unknown is', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const refund = async (amount: number) => harness.ask(`refund ${harness.payment()} ${amount}`)
    harness.sandbox.fault({ row: 'refundPayment', kind: 'status', status: 400 })
    expect(await harness.click('confirm', await refund(50))).toMatchObject({ state: 'failed' })
    harness.sandbox.fault({ row: 'refundPayment', kind: 'status', status: 500 })
    expect(await harness.click('confirm', await refund(49))).toMatchObject({ state: 'unknown' })
    expect(allWarnings(await refund(160))).toEqual([
      'Refunds a day: 49 of 200 USD used in the last 24 h; this would make 209 USD.',
    ])
  })
})

it('a yes is judged once, on the way on which its change is taken, and a no is not judged', async () => {
  const harness = await openHarness({ tasks: false })
  const [one, other] = [
    await harness.ask(`refund ${harness.payment()} 60 --at "in 20m"`),
    await harness.ask(`refund ${harness.payment()} 70`),
  ]
  const done: string[] = []
  const { store } = harness.app.core
  const { tx } = store
  store.tx = (work, durability) =>
    tx((inner) => {
      const take: typeof inner.changes.take = async (id) => {
        const taken = await inner.changes.take(id)
        done.push('taken')
        return taken
      }
      const lock: typeof inner.lock = (names) => {
        done.push(`locks ${names.alone?.length}`)
        return inner.lock(names)
      }
      return work({ ...inner, lock, changes: { ...inner.changes, take } })
    }, durability)
  await harness.click('approve', one, 'fay')
  expect(done).toEqual(['locks 2', 'taken'])
  done.length = 0
  await harness.click('reject', other, 'fay', 'not ours')
  expect(done).toEqual(['taken'])
})
