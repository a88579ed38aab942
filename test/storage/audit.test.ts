import { expect, it } from 'vitest'
import { verify } from '../../src/audit/verify.ts'
import { hashOf } from '../../src/model/audit-entry.ts'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from './sample.ts'
import { gather, useStore } from './store.ts'

eachEngine('the audit log', (engine) => {
  const use = useStore(engine)
  const seqs = async (filter: Omit<Parameters<typeof use.store.audit.find>[0], 'limit'>, limit = 99) =>
    (await use.store.audit.find({ ...filter, limit })).map(({ seq }) => seq)

  it('numbers, times and chains its entries', async () => {
    const first = await use.store.audit.append(sampleEntry())
    use.clock.now = 20_000
    const second = await use.store.audit.append(sampleEntry({ kind: 'voted', changeId: null }))
    expect(first).toEqual({ ...sampleEntry(), seq: 1, at: 10_000, prev: '0'.repeat(64), hash: hashOf(first) })
    expect(second).toMatchObject({ seq: 2, at: 20_000, changeId: null, prev: first.hash })
    expect(await use.store.audit.find({ limit: 9 })).toEqual([second, first])
  })

  it('keeps one chain when many append at once, in and out of transactions', async () => {
    const alone = Array.from({ length: 100 }, () => use.store.audit.append(sampleEntry()))
    const together = Array.from({ length: 50 }, () =>
      use.store.tx(async (store) => {
        await store.audit.append(sampleEntry())
        await store.audit.append(sampleEntry({ kind: 'voted' }))
      }),
    )
    await Promise.all([...alone, ...together])
    expect(await verify(use.store)).toMatchObject({ ok: true, entries: 200 })
  })

  it('takes back the entries of a transaction that fails', async () => {
    await use.store.audit.append(sampleEntry())
    const failing = use.store.tx(async (store) => {
      await store.audit.append(sampleEntry())
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await use.store.audit.append(sampleEntry())).seq).toBe(2)
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
    expect(await verify(use.store)).toMatchObject({ ok: true, entries: 2 })
    expect((await use.store.audit.find({ limit: 2 }))[1]?.doc).toMatchObject({ [odd]: odd, n: 1e21 })
  })

  it('finds entries by person, command, noun, change and time, the newest first', async () => {
    await use.store.audit.append(sampleEntry({ who: 'p2', command: 'subscriber get', changeId: null }))
    use.clock.now = 20_000
    await use.store.audit.append(sampleEntry({ command: 'subscriber update', changeId: 'c2' }))
    use.clock.now = 15_000
    await use.store.audit.append(sampleEntry({ command: 'refund' }))
    expect(await seqs({})).toEqual([3, 2, 1])
    expect(await seqs({ who: 'p1' })).toEqual([3, 2])
    expect(await seqs({ command: 'refund' })).toEqual([3])
    expect(await seqs({ command: 'subscriber update' })).toEqual([2])
    expect(await seqs({ command: 'subscriber *' })).toEqual([2, 1])
    expect(await seqs({ command: 'subscriber' })).toEqual([2, 1])
    expect(await seqs({ command: 'sub' })).toEqual([])
    expect(await seqs({ changeId: 'c2' })).toEqual([2])
    expect(await seqs({ since: 15_000 })).toEqual([3, 2])
    expect(await seqs({ until: 20_000 })).toEqual([3, 1])
    expect(await seqs({ since: 20_001 })).toEqual([])
    expect(await seqs({ who: 'p1', since: 16_000, until: 21_000 })).toEqual([2])
  })

  it('is read in pages', async () => {
    for (let index = 0; index < 5; index++) await use.store.audit.append(sampleEntry())
    expect(await seqs({}, 2)).toEqual([5, 4])
    expect(await seqs({ before: 4 }, 2)).toEqual([3, 2])
    expect(await seqs({ skip: 4 }, 2)).toEqual([1])
  })

  it('streams in order, from a number or a time on', async () => {
    await use.store.tx(async (store) => {
      for (let index = 0; index < 1_001; index++) await store.audit.append(sampleEntry())
    })
    use.clock.now = 20_000
    await use.store.audit.append(sampleEntry())
    const streamed = async (start?: Parameters<typeof use.store.audit.stream>[0]) =>
      (await gather(use.store.audit.stream(start))).map(({ seq }) => seq)
    expect(await streamed()).toEqual(Array.from({ length: 1_002 }, (_, index) => index + 1))
    expect(await streamed({ from: 1_000 })).toEqual([1_000, 1_001, 1_002])
    expect(await streamed({ since: 20_000 })).toEqual([1_002])
    expect(await streamed({ since: 20_001 })).toEqual([])
  })
})
