import { expect, test } from 'vitest'
import { allReturns } from '../../src/cli/backup/returns.ts'
import { settleRestored } from '../../src/cli/backup/settle.ts'
import { tablesAt } from '../../src/cli/backup/tables.ts'
import { freezeOn } from '../../src/kernel/model/freeze.ts'
import { namedTables, newestVersion } from '../../src/kernel/store/database/migrations.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'
import { addSchedule, textsIn } from '../storage/rows.ts'
import { sampleChange } from '../storage/sample.ts'

test('every table has a rule for what a restore does with it, and no other table does', () => {
  const tables = tablesAt(
    newestVersion,
    namedTables().map(({ id }) => id),
  ).map(({ name }) => name)
  expect(Object.keys(allReturns()).toSorted()).toEqual(tables.toSorted())
  for (const [table, rule] of Object.entries(allReturns()))
    if ('sql' in rule) expect(rule.sql).toMatch(new RegExp(`^DELETE FROM ${table}( WHERE |$)`))
})

eachEngine('a restore', (engine) => {
  const open = async () => {
    const { db, close } = await openTestDatabase(engine)
    whenDone(close)
    const store = createStore(db, { now: () => 1_000 })
    const settle = () =>
      store.tx((inner) =>
        settleRestored(inner, { now: () => 2_000, backupAt: 1_500, account: 'root', sha256: 'a'.repeat(64) }),
      )
    return { db, store, settle }
  }
  const by = { person: 'sam', name: 'Sam', platform: 'slack', account: 'U1', roles: [] }
  const customer = (id: string) => ({ kind: 'customer', id }) as const
  const subscriber = (id: string) => ({ kind: 'subscriber', id }) as const

  test('gives no right back that may have been taken since: each kind ends, and is told', async () => {
    const { store, settle } = await open()
    const { absences, sessions, passkeys, links, answers, drafts } = store
    await absences.set({ by, to: 'fay', at: 1, endsAt: 9_000_000 })
    await addSchedule(store, { id: 's1', by, line: 'report digest' })
    await sessions.offer({ id: 'l', digest: 'd', person: 'sam', via: 'slack', at: 1, endsAt: 9_000_000 })
    await passkeys.add({
      id: 'k',
      person: 'sam',
      name: 'Phone',
      publicKey: 'p',
      counter: 0,
      isCopied: false,
      madeAt: 1,
    })
    await passkeys.enrol('k', { changeId: 'c', approvedBy: 'fay', at: 2 })
    await passkeys.offer({ digest: 'c', purpose: 'vote', person: null, doc: '{}', endsAt: 9_000_000 })
    await answers.put({ id: 'a', at: 1, person: 'sam', doc: {} })
    await drafts.put({ id: 'd', at: 1, person: 'sam', doc: {} })
    await links.learn([{ pair: [customer('c1'), subscriber('s1')], source: 'email.getSubscriber' }])
    await links.say([customer('c2'), subscriber('s2')], { by: 'sam', isOff: false, approvedBy: 'fay' })
    await links.say([customer('c3'), subscriber('s3')], { by: 'sam', isOff: false, approvedBy: null })
    await links.say([customer('c4'), subscriber('s4')], { by: 'sam', isOff: true, approvedBy: 'fay' })
    await links.write([[customer('c5'), subscriber('s5')]], 'sam')

    const { ended } = await settle()
    const counts = Object.fromEntries(ended.map(({ table, count }) => [table, count]))
    const told = { absences: 1, answers: 1, drafts: 1, links: 3, passkeys: 1, schedules: 1, sign_ins: 1 }
    expect(counts).toEqual({ ...told, passkey_challenges: 1 })
    expect(
      ended
        .filter(({ said }) => said !== undefined)
        .map(({ table }) => table)
        .toSorted(),
    ).toEqual(Object.keys(told).toSorted())
    expect(await absences.active()).toEqual([])
    expect(await textsIn(store, 'schedules', 'id')).toEqual([])
    expect([await sessions.people(), await passkeys.enrolled()]).toEqual([[], []])
    expect([await answers.get('a'), await drafts.get('d')]).toEqual([null, null])
    // What was cut, and who wrote what, goes on to deny.
    for (const n of [1, 2, 3]) expect(await links.of([customer(`c${n}`)])).toEqual([])
    expect(await links.of([customer('c4')])).toMatchObject([{ isOff: true, approvedBy: 'fay' }])
    expect(await links.of([customer('c5')])).toMatchObject([{ via: 'field' }])
    const entry = (await store.audit.find({ limit: 10 })).find(({ kind }) => kind === 'log restored')
    expect(entry?.doc.ended).toEqual(counts)
  })

  test('ends all that was open, however much it is, and freezes every service', async () => {
    const { store, settle } = await open()
    for (let n = 0; n < 410; n++)
      await store.changes.insert(sampleChange({ id: `c${n}`, state: n % 2 === 0 ? 'pending' : 'approved' }))
    for (const id of ['alone 1', 'alone 2']) {
      const outcome = { at: 2, message: 'Done', warning: null, view: null }
      const emergency = { why: 'The shop is closed', budgets: [] }
      await store.changes.insert(sampleChange({ id, state: 'applied', outcome, emergency }))
      await store.emergencies.use({ changeId: id, person: 'sam', at: 1 })
    }
    const jobs = ['running', 'paused', 'waiting'] as const
    for (const state of jobs) {
      await store.changes.insert(sampleChange({ id: `of ${state}`, state: 'applied' }))
      await store.bulk.open(state)
      await store.bulk.pin(state, { total: 1, chunks: 1, digest: 'd' })
      await store.bulk.attach(state, `of ${state}`)
      await store.bulk.move(state, ['pinned'], state)
    }
    const { voided, emergencies } = await settle()
    for (const id of jobs) {
      expect(await store.bulk.get(id)).toMatchObject({ state: 'stopped' })
      const [entry] = await store.audit.find({ changeId: `of ${id}`, limit: 1 })
      expect(entry).toMatchObject({ kind: 'job stopped', doc: { job: id } })
    }
    expect((await textsIn(store, 'tasks', 'key')).toSorted()).toEqual(
      expect.arrayContaining(jobs.map((id) => `progress:${id}`)),
    )
    expect(new Set(voided.map(({ id }) => id)).size).toBe(410)
    expect(await store.changes.list({ states: ['pending', 'approved'], limit: 9 })).toEqual([])
    expect([emergencies, await store.emergencies.open()]).toEqual([['alone 1', 'alone 2'], []])
    const freezes = await store.freezes.all()
    expect(['email', 'chat', 'billing'].map((area) => freezeOn(freezes, area, {}) !== undefined)).toEqual([
      ...[true, true, true],
    ])
  })
})
