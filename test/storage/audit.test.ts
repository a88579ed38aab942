import fc from 'fast-check'
import { expect, it } from 'vitest'
import { verify } from '../../src/kernel/log/verify.ts'
import type { AuditInput } from '../../src/kernel/model/audit-entry.ts'
import { createAudit, newEntryId } from '../../src/kernel/store/audit.ts'
import type { Database } from '../../src/lib/sql/database.ts'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from './sample.ts'
import { gather, useStore } from './store.ts'

eachEngine('the audit log', (engine) => {
  const use = useStore(engine)
  const seqs = async (filter: Omit<Parameters<typeof use.store.audit.find>[0], 'limit'>, limit = 99) =>
    (await use.store.audit.find({ ...filter, limit })).map(({ seq }) => seq)

  it('times its entries as they are written, and numbers them a moment later', async () => {
    const first = await use.store.audit.append(sampleEntry())
    use.clock.now = 20_000
    const second = await use.store.audit.append(sampleEntry({ kind: 'voted', changeId: null }))
    expect(first).toEqual({ ...sampleEntry(), id: expect.any(String), seq: null, at: 10_000 })
    expect(await use.store.audit.find({ limit: 9 })).toEqual([second, first])
    expect(await use.sequence()).toBe(3)
    expect(await use.store.audit.find({ limit: 9 })).toEqual([
      { ...second, seq: 3 },
      { ...first, seq: 2 },
      expect.objectContaining({ seq: 1, kind: 'log signed by', doc: { key: await use.key() } }),
    ])
    expect(await use.sequence()).toBe(0)
  })

  it('gives each entry one number when several processes number at once', async () => {
    const numbering = Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 10; n++) {
        await use.store.audit.append(sampleEntry())
        await use.sequence()
      }
    })
    await Promise.all(numbering)
    await use.sequence()
    expect((await seqs({})).toSorted((one, other) => Number(one) - Number(other))).toEqual(
      Array.from({ length: 81 }, (_, at) => at + 1),
    )
    expect(await verify(use.store, { key: await use.key() })).toMatchObject({ ok: true, entries: 81 })
  })

  it('keeps one log when many append at once, in and out of transactions', async () => {
    const alone = Array.from({ length: 100 }, () => use.store.audit.append(sampleEntry()))
    const together = Array.from({ length: 50 }, () =>
      use.store.tx(async (store) => {
        await store.audit.append(sampleEntry())
        await store.audit.append(sampleEntry({ kind: 'voted' }))
      }),
    )
    await Promise.all([...alone, ...together])
    await use.sequence()
    expect(await verify(use.store)).toMatchObject({ ok: true, entries: 201 })
  })

  it('shows no entry whose record cannot be read', async () => {
    await use.store.audit.append(sampleEntry())
    await use.test.db.run("UPDATE audit_log SET doc = 'not JSON'")
    await expect(use.store.audit.find({ limit: 9 })).rejects.toMatchObject({
      kind: 'failed',
      message: 'The database holds a row that cannot be read',
    })
  })

  it('takes back the entries of a transaction that fails', async () => {
    await use.store.audit.append(sampleEntry())
    const failing = use.store.tx(async (store) => {
      await store.audit.append(sampleEntry())
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await use.sequence()
    expect(await verify(use.store)).toMatchObject({ ok: true, entries: 2 })
  })

  it('holds whatever text there is, and still verifies', async () => {
    const odd = 'nul\0 lone\ud800 bell🛎️ "quoted" \u2028'
    await use.store.audit.append(
      sampleEntry({
        who: odd,
        name: odd,
        command: odd,
        doc: { [odd]: odd, 10: 1, 9: -0, n: 1e21, none: undefined },
      }),
    )
    await use.store.audit.append(
      sampleEntry({ doc: JSON.parse('{"__proto__": {"a": 1}, "constructor": null}') }),
    )
    await use.sequence()
    expect(await verify(use.store)).toMatchObject({ ok: true, entries: 3 })
    expect((await use.store.audit.find({ limit: 2 }))[1]?.doc).toMatchObject({ [odd]: odd, n: 1e21 })
  })

  it('finds entries by person, command, noun, change and time, the newest first', async () => {
    await use.store.audit.append(sampleEntry({ who: 'p2', command: 'subscriber get', changeId: null }))
    use.clock.now = 20_000
    await use.store.audit.append(sampleEntry({ command: 'subscriber update', changeId: 'c2' }))
    await use.sequence()
    use.clock.now = 15_000
    await use.store.audit.append(sampleEntry({ command: 'refund' }))
    const check = async (last: number | null) => {
      const own = (all: (number | null)[]) => all.filter((seq) => seq !== 1)
      expect(own(await seqs({}))).toEqual([last, 3, 2])
      expect(await seqs({ who: 'p1' })).toEqual([last, 3])
      expect(await seqs({ command: 'refund' })).toEqual([last])
      expect(await seqs({ command: 'subscriber update' })).toEqual([3])
      expect(await seqs({ command: 'subscriber *' })).toEqual([3, 2])
      expect(await seqs({ command: 'subscriber' })).toEqual([3, 2])
      expect(await seqs({ command: 'sub' })).toEqual([])
      expect(await seqs({ changeId: 'c2' })).toEqual([3])
      expect(await seqs({ since: 15_000 })).toEqual([last, 3])
      expect(own(await seqs({ until: 20_000 }))).toEqual([last, 2])
      expect(await seqs({ since: 20_001 })).toEqual([])
      expect(await seqs({ who: 'p1', since: 16_000, until: 21_000 })).toEqual([3])
    }
    await check(null)
    await use.sequence()
    await check(4)
  })

  it('finds and streams by any filter what a plain reading of the whole log finds', async () => {
    const commands = ['refund', 'list get', 'list add', 'bellhop help']
    for (let n = 0; n < 60; n++) {
      // Clocks of replicas differ, so times do not rise with the numbers.
      use.clock.now = 10_000 + ((n * 7) % 20)
      const kind = n % 5 === 0 ? 'ran' : 'asked'
      const about = {
        who: `p${n % 2}`,
        command: commands[n % 4] as string,
        changeId: n % 3 ? `c${n % 3}` : null,
      }
      await use.store.audit.append(sampleEntry({ ...about, kind } as Partial<AuditInput>))
      if (n === 44) await use.sequence()
    }
    const all = await use.store.audit.find({ limit: 999 })
    const numbered = all.filter(({ seq }) => seq !== null)
    const waiting = all.filter(({ seq }) => seq === null)
    expect(all).toEqual([...waiting, ...numbered])
    expect(numbered.map(({ seq }) => seq)).toEqual(numbered.map((_, at) => numbered.length - at))
    const inOrder = waiting.map(({ at, id }) => `${at} ${id}`)
    expect(inOrder).toEqual(inOrder.toSorted().reverse())
    expect([numbered.length, waiting.length]).toEqual([46, 15])

    const time = fc.integer({ min: 9_999, max: 10_021 })
    const filter = fc.record(
      {
        who: fc.constantFrom('p0', 'p1'),
        command: fc.constantFrom('refund', 'list', 'list *', 'list get', ' list '),
        changeId: fc.constantFrom('c1', 'c2'),
        changesOnly: fc.boolean(),
        since: time,
        until: time,
        before: fc.integer({ min: 1, max: 48 }),
        skip: fc.integer({ min: 0, max: 5 }),
        limit: fc.integer({ min: 1, max: 70 }),
      },
      { requiredKeys: ['limit'] },
    )
    const found = fc.asyncProperty(filter, async (wanted) => {
      const { who, command, changeId, changesOnly, since, until, before, skip = 0, limit } = wanted
      const name = command?.replace(' *', '').trim()
      const fitting = all.filter(
        (one) =>
          (who === undefined || one.who === who) &&
          (name === undefined || one.command === name || one.command.split(' ')[0] === name) &&
          (changeId === undefined || one.changeId === changeId) &&
          !(changesOnly && one.kind === 'ran') &&
          (since === undefined || one.at >= since) &&
          (until === undefined || one.at < until) &&
          (before === undefined || (one.seq !== null && one.seq < before)),
      )
      expect(await use.store.audit.find(wanted)).toEqual(fitting.slice(skip, skip + limit))
    })
    await fc.assert(found, { seed: 1, numRuns: engine === 'sqlite' ? 150 : 40 })

    const streamed = fc.asyncProperty(time, fc.boolean(), async (since, changesOnly) => {
      const first = Math.min(...numbered.filter(({ at }) => at >= since).map(({ seq }) => seq ?? 0))
      const fitting = [
        ...numbered.toReversed().filter(({ seq }) => (seq ?? 0) >= first),
        ...waiting.toReversed().filter(({ at }) => at >= since),
      ].filter(({ kind }) => !(changesOnly && kind === 'ran'))
      expect(await gather(use.store.audit.stream({ since, changesOnly }))).toEqual(fitting)
    })
    await fc.assert(streamed, { seed: 1, numRuns: 30 })
  })

  it('shows an entry once that gets its number between two reads', async () => {
    for (let n = 0; n < 3; n++) await use.store.audit.append(sampleEntry())
    const { db } = use.test
    let reads = 0
    const between: Database = {
      ...db,
      all: async (...asked) => {
        const found = await db.all(...asked)
        // Behind the first read of those that wait, which comes first in a page and second in a stream.
        if (++reads === at) await use.sequence()
        return found
      },
    }
    const audit = createAudit(between, () => use.clock.now)
    let at = 1
    expect((await audit.find({ limit: 9 })).map(({ seq }) => seq)).toEqual([4, 3, 2, 1])
    for (at of [2, 3]) {
      await use.store.audit.append(sampleEntry())
      const all = await use.store.audit.find({ limit: 99 })
      reads = 0
      const streamed = await gather(audit.stream({ since: 1 }))
      expect(streamed.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed())
    }
  })

  it('has ids that sort as the entries were written, all of one length', () => {
    const times = [0, 1, 10_000, 10_000, 10_000, 1_794_000_000_000, 1_794_000_000_001, 36 ** 8]
    const ids = times.flatMap((at) => Array.from({ length: 40 }, () => newEntryId(at)))
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect([...new Set(ids.map((id) => id.length))]).toEqual([23])
    expect(ids.filter((id) => !/^[0-9a-z]{13}[0-9a-f]{9}/.test(id))).toEqual([])
  })

  it('is read in pages', async () => {
    for (let index = 0; index < 4; index++) await use.store.audit.append(sampleEntry())
    await use.sequence()
    expect(await seqs({}, 2)).toEqual([5, 4])
    expect(await seqs({ before: 4 }, 2)).toEqual([3, 2])
  })

  it('streams without look-ups where only changes are wanted', async () => {
    const ran = { ...sampleEntry(), kind: 'ran' as const, changeId: null }
    for (const entry of [sampleEntry(), ran, sampleEntry()]) await use.store.audit.append(entry)
    const streamed = async () => gather(use.store.audit.stream({ changesOnly: true }))
    const isAsked = ({ kind }: { kind: string }) => kind === 'asked'
    for (const hasNumbers of [false, true]) {
      if (hasNumbers) await use.sequence()
      const found = await streamed()
      expect(found.filter(isAsked)).toHaveLength(2)
      expect(found.some(({ kind }) => kind === 'ran')).toBe(false)
    }
  })

  it('streams in order, from a time on, those without a number last', async () => {
    await use.store.tx(async (store) => {
      for (let index = 0; index < 1_000; index++) await store.audit.append(sampleEntry())
    })
    await use.sequence()
    await use.sequence()
    use.clock.now = 20_000
    await use.store.audit.append(sampleEntry())
    const streamed = async (start?: Parameters<typeof use.store.audit.stream>[0]) =>
      (await gather(use.store.audit.stream(start))).map(({ seq }) => seq)
    expect(await streamed()).toEqual([...Array.from({ length: 1_001 }, (_, index) => index + 1), null])
    expect(await streamed({ since: 20_000 })).toEqual([null])
    await use.sequence()
    expect(await streamed({ since: 20_000 })).toEqual([1_002])
    expect(await streamed({ since: 20_001 })).toEqual([])
  })
})
