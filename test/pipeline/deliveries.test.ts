import { expect, it } from 'vitest'
import { DatabaseError } from '../../src/lib/sql/database.ts'
import { fromOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { buttonOf, openHarness, refusalOf } from './harness.ts'

it('what is delivered again is counted, and what comes first is not', async () => {
  const { app, handle, ask, payment } = await openHarness()
  const change = await ask(`refund ${payment()} 20`)
  const counted: string[] = []
  Object.assign(app.core, { count: ({ kind }: { kind: string }) => counted.push(kind) })
  const press = () =>
    handle({
      delivery: 'details',
      from: fromOf('sam'),
      intent: { kind: 'press', verb: 'details', id: buttonOf(change) },
    })
  await press()
  expect(counted).not.toContain('repeated')
  expect(await press()).toEqual({ kind: 'repeated' })
  expect(counted.filter((kind) => kind === 'repeated')).toHaveLength(1)
  const decide = () =>
    handle({
      delivery: 'decided',
      from: fromOf('sam'),
      intent: { kind: 'press', verb: 'confirm', id: buttonOf(change) },
    })
  await decide()
  expect(counted.filter((kind) => kind === 'repeated')).toHaveLength(1)
  expect(await decide()).toEqual({ kind: 'repeated' })
  expect(counted.filter((kind) => kind === 'repeated')).toHaveLength(2)
})

eachEngine('a decision', (engine) => {
  it('is stored together with the id of its delivery: what was not stored is taken when it is delivered again', async () => {
    const harness = await openHarness({ engine })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    const press = (delivery: string) =>
      harness.handle({
        delivery,
        from: fromOf('sam'),
        intent: { kind: 'press', verb: 'confirm', id: buttonOf(change) },
      })
    const { store } = harness.app.core
    const { tx } = store
    store.tx = (work, durability) =>
      tx(async (inner) => {
        await work(inner)
        throw new Error('the process died before the transaction was over')
      }, durability)
    expect(await press('d1')).toMatchObject({ kind: 'refused' })
    store.tx = tx
    expect(await press('d1')).toMatchObject({ kind: 'change', change: { state: 'applied' } })
    expect(await press('d1')).toMatchObject({ kind: 'repeated' })
    expect(harness.effects('refundPayment')).toHaveLength(1)
  })

  it('by line is taken when it is delivered again, too', async () => {
    const harness = await openHarness({ engine })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    await harness.say(`approval get ${change.id}`, 'finn')
    const say = () =>
      harness.handle({
        delivery: 'line-1',
        from: fromOf('finn'),
        intent: { kind: 'line', line: `approval approve ${change.id}` },
      })
    const { store } = harness.app.core
    const { tx } = store
    store.tx = () => Promise.reject(new Error('the process died'))
    expect(await say()).toMatchObject({ kind: 'refused' })
    store.tx = tx
    expect(await say()).toMatchObject({ kind: 'change', change: { state: 'applied' } })
    expect(await say()).toMatchObject({ kind: 'repeated' })
  })

  it('is in the store before any copy of its delivery is answered', async () => {
    const harness = await openHarness({ engine })
    const change = await harness.ask(`refund ${harness.payment()} 60`)
    const copies = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const reply = await harness.handle({
          delivery: 'click-1',
          from: fromOf('finn'),
          intent: { kind: 'press', verb: 'approve', id: buttonOf(change) },
        })
        return { kind: reply.kind, votes: (await harness.stored(change)).votes.length }
      }),
    )
    expect(copies.map(({ kind }) => kind).sort()).toEqual(['change', ...Array(4).fill('repeated')])
    expect(copies.every(({ votes }) => votes === 1)).toBe(true)
  })

  it('that was not made is answered once as well, whatever it comes to', async () => {
    const harness = await openHarness({ engine })
    const ended = await harness.click('cancel', await harness.ask(`refund ${harness.payment()} 60`))
    for (const [line, kind] of [
      ['approval approve pay_1001', 'refused'],
      ['approval approve --nonsense', 'refused'],
      ['job pause 7k2m9qwx4p', 'refused'],
      [`approval again ${ended.id}`, 'change'],
    ] as const) {
      const say = () =>
        harness.handle({ delivery: line, from: fromOf('sam'), intent: { kind: 'line', line } })
      expect((await say()).kind, line).toBe(kind)
      expect(await say(), line).toEqual({ kind: 'repeated' })
    }
    expect(await harness.store.changes.list({ limit: 9 })).toHaveLength(2)
  })

  it('that decides is on the disk before anybody hears that it was stored, and before it, a copy or a refusal is answered', async () => {
    const harness = await openHarness({ engine, tasks: false })
    const change = await harness.ask(`refund ${harness.payment()} 20`)
    const { store } = harness.app.core
    const { synced } = store
    const disk = Promise.withResolvers<void>()
    let waiting = 0
    store.synced = () => {
      waiting++
      return disk.promise
    }
    const done: string[] = []
    const press = async (person: string, delivery: string) => {
      const { kind } = await harness.handle({
        delivery,
        from: fromOf(person),
        intent: { kind: 'press', verb: 'confirm', id: buttonOf(change) },
        stored: () => done.push('told'),
      })
      done.push(kind)
    }
    const pressed = [press('sam', 'one')]
    await expect.poll(async () => (await harness.stored(change)).state).toBe('applied')
    for (const [person, delivery] of [
      ['sam', 'one'],
      ['fay', 'other'],
    ] as const) {
      const before = waiting
      pressed.push(press(person, delivery))
      await expect.poll(() => waiting).toBe(before + 1)
    }
    // Whoever would be answered without the disk has been meanwhile.
    await harness.say('subscriber get ada@example.com')
    expect(done).toEqual([])
    store.synced = synced
    disk.resolve()
    await Promise.all(pressed)
    expect(done.indexOf('told')).toBeLessThan(done.indexOf('change'))
    expect(done.toSorted()).toEqual(['change', 'refused', 'repeated', 'told'])
  })
})

it('what cannot be told from a copy is not done, unless the database is down and it only looks something up', async () => {
  const harness = await openHarness({ tasks: false })
  const ended = await harness.click('cancel', await harness.ask(`refund ${harness.payment()} 60`))
  const { deliveries } = harness.store
  const down = new DatabaseError('down', 'connection refused')
  for (const [error, code, looked] of [
    [down, 'database_down', 'answer'],
    [new Error('no such table'), 'broken', 'refused'],
  ] as const) {
    deliveries.first = () => Promise.reject(error)
    expect(refusalOf(await harness.press('again', ended.id)).code).toBe(code)
    expect((await harness.say('subscriber stats')).kind).toBe(looked)
  }
  expect(await harness.store.changes.list({ limit: 9 })).toHaveLength(1)
})
