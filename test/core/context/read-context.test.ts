import { describe, expect, it } from 'vitest'
import { amendingName } from '../../../src/kernel/command/registry.ts'
import { readContext } from '../../../src/kernel/context/command-context.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { defaultTimings } from '../../../src/kernel/timings.ts'
import { approvals, party } from '../../approvals/sample.ts'
import { commandsWith } from '../../harness/commands.ts'
import { policyOf } from '../../policy/example.ts'
import { sampleChange, sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'

/** Two workspaces. Only Bea is listed in both; Rob reads the log of the first, and Cy may list what waits there. */
const policy = policyOf(`version: 1
workspaces: { slack: [T2] }
people:
  - { id: bea, name: Bea, slack: [U3, T2/U3], roles: [reader] }
  - { id: rob, name: Rob, slack: U1, roles: [reader] }
  - { id: cy, name: Cy, slack: U4, roles: [clerk] }
  - { id: al, name: Alex, slack: U5, roles: [clerk] }
  - { id: al2, name: ALEX, slack: U6, roles: [clerk] }
  - { id: tom, name: Tom, slack: T2/U1, roles: [clerk] }
  - { id: lee, name: Lee Ann, slack: U7, roles: [keeper] }
  - { id: lee2, name: Lee, slack: U8, roles: [clerk] }
roles:
  reader: { run: ["audit *"] }
  clerk: { run: ["approval list", refund], approve: [refund] }
  keeper: { approve: ["bellhop *"] }
`)
const t2 = 'slack:T2'
const accounts: Record<string, string> = { bea: 'U3', rob: 'U1', cy: 'U4', al: 'U5', tom: 'T2/U1' }
const actorOf = (id: string, over: object = {}) => {
  const { roles = [] } = policy.people.find((one) => one.id === id) ?? {}
  const space = id === 'tom' ? { space: t2 } : {}
  return { ...party(id, { account: accounts[id] ?? id, roles: [...roles], ...space }), known: true, ...over }
}
const requester = (person: string) => {
  const { known: _, ...rest } = actorOf(person) as ReturnType<typeof actorOf> & { known: boolean }
  return rest
}

describe('what somebody is shown of the records', () => {
  const use = useStore('sqlite')
  const coreOf = (store: object = {}) => ({
    policy,
    store: { ...use.store, ...store },
    registry: new Map(),
    services: { readers: {} },
    messengers: new Map(),
    now: () => use.clock.now,
    timings: defaultTimings,
  })
  const recordsOf = (id: string, over: object = {}, store: object = {}) =>
    readContext(coreOf(store) as never, actorOf(id, over) as never).records
  const insert = async (...changes: Partial<Change>[]) => {
    for (const change of changes) await use.store.changes.insert(sampleChange(change))
  }

  it('is of their workspaces, in pages, however many of others stand before it', async () => {
    const theirs = (n: number) => n < 3 || n === 6
    const ids = Array.from({ length: 12 }, (_, n) => `k${String(n).padStart(2, '0')}`)
    await insert(
      ...ids.map((id, n) => ({ id, updatedAt: n, requester: requester(theirs(n) ? 'al' : 'tom') })),
    )
    const newestFirst = ids.filter((_, n) => theirs(n)).toReversed()
    expect(newestFirst).toEqual(['k06', 'k02', 'k01', 'k00'])
    const pageOf = async (id: string, page: number, limit: number) =>
      await recordsOf(id).changes({ page, limit })
    for (const limit of [1, 2, 3, 4, 5])
      for (const page of [1, 2, 3, 4, 5]) {
        const skip = (page - 1) * limit
        const { items, next, isCut } = await pageOf('cy', page, limit)
        expect(
          items.map(({ id }) => id),
          `${page} of ${limit}`,
        ).toEqual(newestFirst.slice(skip, skip + limit))
        expect(next?.id).toBe(newestFirst[skip + limit])
        expect(isCut).toBe(skip + limit < newestFirst.length)
      }
    expect((await pageOf('bea', 1, 20)).items.map(({ id }) => id)).toEqual(ids.toReversed())
    expect((await recordsOf('cy').changesById(['k03', 'k02', 'k06'])).map(({ id }) => id).sort()).toEqual([
      'k02',
      'k06',
    ])
    expect(await recordsOf('cy').changesById([])).toEqual([])
    expect(await recordsOf('cy').change('k03')).toBeUndefined()
    expect(await recordsOf('cy').change('k02')).toMatchObject({ id: 'k02' })
  })

  it('of the log is what was done in their workspaces, found behind hundreds of entries of others', async () => {
    await insert({ id: 'here', requester: requester('al') }, { id: 'there', requester: requester('tom') })
    const own = [
      { name: 'of the change', changeId: 'here' },
      { name: 'at home', changeId: null, who: 'cy', platform: 'console', doc: {} },
      { name: 'by account', changeId: null, who: 'nobody', doc: { account: 'U9' } },
    ]
    const others = [
      { name: 'of theirs', changeId: 'there' },
      { name: 'at theirs', changeId: null, who: 'tom', platform: 'console', doc: {} },
      { name: 'by their account', changeId: null, who: 'cy', doc: { account: 'T2/U9' } },
    ]
    await use.store.tx(async (store) => {
      for (const entry of own) await store.audit.append(sampleEntry(entry))
      use.clock.now += 1
      for (let n = 0; n < 399; n++) await store.audit.append(sampleEntry(others[n % 3]))
    })
    const found = async (id: string, page: number, limit: number, over: object = {}, filter: object = {}) =>
      (await recordsOf(id, over).audit.find({ page, limit, ...filter })).map(({ name }) => name)
    const names = own.map(({ name }) => name).toReversed()
    for (const [page, limit] of [
      [1, 1],
      [2, 1],
      [1, 2],
      [2, 2],
      [1, 9],
    ] as const) {
      const skip = (page - 1) * limit
      expect(await found('rob', page, limit)).toEqual(names.slice(skip, skip + limit + 1))
    }
    expect(await found('bea', 1, 999)).toHaveLength(402)
    expect(await found('bea', 1, 999, {}, { who: 'Cy' })).toHaveLength(134)
    let reads = 0
    const audit = {
      ...use.store.audit,
      find: (filter: Parameters<typeof use.store.audit.find>[0]) => {
        reads += 1
        return use.store.audit.find(filter)
      },
    }
    await recordsOf('rob', {}, { audit }).audit.find({ page: 1, limit: 9 })
    expect(reads).toBe(3)
    // Who may not read it has their own, and an agent of theirs nothing.
    expect(await found('cy', 1, 999)).toEqual(['at home'])
    expect(await found('cy', 1, 999, { agent: 'hers' })).toEqual([])
    expect(await found('bea', 1, 1, { agent: 'hers' })).toHaveLength(2)
  })

  it('is looked for among the newest five thousand, and no further than it takes', async () => {
    const [ofOthers, ofTheirs] = ['tom', 'al'].map((person) => sampleChange({ requester: requester(person) }))
    const looked = async (change: Change | undefined, limit: number) => {
      const asked: number[] = []
      const list = async ({ limit: most }: { limit: number }) => {
        asked.push(most)
        if (most > 5_000) throw new Error('it is looked for without end')
        return Array.from({ length: most }, () => change)
      }
      await recordsOf('cy', {}, { changes: { list } }).changes({ page: 1, limit })
      return asked
    }
    expect(await looked(ofOthers, 624)).toEqual([625, 625, 1_250, 2_500])
    expect(await looked(ofTheirs, 624)).toEqual([625])
    const entries = async (account: string, limit: number) => {
      let reads = 0
      const find = async (filter: { limit: number }) => {
        reads += 1
        if (reads > 99) throw new Error('it is looked for without end')
        return Array.from({ length: filter.limit }, () => sampleEntry({ changeId: null, doc: { account } }))
      }
      await recordsOf('rob', {}, { audit: { find } }).audit.find({ page: 1, limit })
      return reads
    }
    expect(await entries('T2/U9', 9)).toBe(25)
    expect(await entries('U9', 199)).toBe(1)
    expect(await entries('U9', 200)).toBe(2)
  })

  it('of absences is who is away in their workspaces', async () => {
    for (const id of ['cy', 'tom'])
      await use.store.absences.set({ by: requester(id), to: null, at: 0, endsAt: 99_999 })
    const away = async (id: string) => (await recordsOf(id).absences()).map(({ by }) => by.person).sort()
    expect([await away('rob'), await away('tom'), await away('bea')]).toEqual([
      ['cy'],
      ['tom'],
      ['cy', 'tom'],
    ])
    for (const id of ['cy', 'tom']) await use.store.absences.end(id)
  })

  it('of passkeys is their own, and all to who reads the log or decides about passkeys', async () => {
    const keys = ['cy', 'lee', 'gone'].map((person) => ({ id: `key of ${person}`, person }))
    const enrolled = async (person?: string) =>
      keys.filter((key) => person === undefined || key.person === person)
    const owners = async (id: string) =>
      (await recordsOf(id, {}, { passkeys: { enrolled } }).passkeys.list()).map(({ owner }) => owner)
    expect(await owners('cy')).toEqual(['Cy'])
    for (const id of ['rob', 'lee']) expect(await owners(id)).toEqual(['Cy', 'Lee Ann', 'gone'])
  })

  it('as their turn is what they have not voted on, where somebody else asked', async () => {
    const isTurn = await recordsOf('cy').turns()
    const asked = (over: Partial<Change>) =>
      isTurn(
        sampleChange({ state: 'pending', clauses: [approvals(2, [])], requester: requester('al'), ...over }),
      )
    const votedBy = (id: string) => ({ votes: [{ by: requester(id), at: 1 }] as never })
    expect([asked({}), asked(votedBy('al2')), asked(votedBy('cy'))]).toEqual([true, true, false])
    expect(asked({ requester: requester('cy') })).toBe(false)
  })

  it('as verified is only a log in which something stands', async () => {
    await use.test.db.run('DELETE FROM audit_verified')
    const verified = async () => {
      const core = { ...coreOf(), signer: use.signer, recallLog: () => undefined, progress: () => undefined }
      await readContext(core as never, actorOf('bea') as never).records.audit.verify()
      return use.store.auditTree.verified()
    }
    expect(await verified()).toBeUndefined()
    await use.store.audit.append(sampleEntry({}))
    await use.sequence()
    expect((await verified())?.size).toBe((await use.store.auditTree.state()).frontier.size)
  })

  it('as a whole is for nobody who is not of all workspaces', () => {
    const whole = (id: string) => recordsOf(id).audit
    expect(whole('bea').refusePartial()).toBeUndefined()
    expect(whole('rob').refusePartial()).toMatchObject({ code: 'may_not_run' })
  })
})

describe('somebody is found', () => {
  const person = (actor: string, written: string) =>
    readContext(
      {
        policy,
        store: { passkeys: {} },
        registry: new Map(),
        services: { readers: {} },
        now: () => 0,
        timings: defaultTimings,
      } as never,
      actorOf(actor) as never,
    ).records.person(written)?.id

  it.each([
    ['rob', 'cy', 'cy'],
    ['rob', 'Cy', 'cy'],
    ['rob', '<@U4>', 'cy'],
    ['rob', ' <@U4> ', 'cy'],
    ['rob', '<@U4|cyrus>', 'cy'],
    ['rob', 'U4', 'cy'],
    // Two have this name; of those who share one, whoever has it as their id is meant by the id.
    ['rob', 'Alex', undefined],
    ['rob', ' Alex ', undefined],
    ['rob', 'al', 'al'],
    ['rob', 'lee', 'lee'],
    ['rob', 'Lee', undefined],
    ['rob', 'nobody', undefined],
    ['rob', 'tom', undefined],
    // In the second workspace an account is one of that workspace before it is anything else.
    ['tom', '<@U1>', 'tom'],
    ['tom', '<@U3>', 'bea'],
    ['tom', 'cy', undefined],
    ['bea', '<@U1>', 'rob'],
  ])('by %s as "%s": %s', (actor, written, found) => expect(person(actor, written)).toBe(found))
})

describe('what is read before anything is decided', () => {
  const registry = commandsWith()
  const contextOf = (over: object) =>
    readContext(
      {
        policy,
        store: { passkeys: {} },
        registry,
        services: { readers: {}, call: async () => 'sent' },
        now: () => 0,
        timings: defaultTimings,
      } as never,
      actorOf('cy', over) as never,
    )

  it('is never written', () => {
    const { read } = contextOf({})
    expect(() => read('billing.refundPayment' as never, {} as never)).toThrow('is not a reading endpoint')
  })

  it('is the form of a change that waits for everybody but agents, who need the right to it', () => {
    const name = amendingName({ id: 'c1', isWhole: true }, 'refund')
    const mayRun = (over: object) => contextOf(over).records.mayRun(name)
    expect([mayRun({}), mayRun({ roles: [] }), mayRun({ agent: 'his' })]).toEqual([true, true, false])
  })
})
