import { expect, it } from 'vitest'
import { signerOf } from '../../src/kernel/log/signer.ts'
import { LogKeyError } from '../../src/kernel/model/checkpoint.ts'
import { appendLeaves, emptyFrontier, rootOf } from '../../src/lib/codecs/merkle.ts'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from './sample.ts'
import { useStore } from './store.ts'

eachEngine('the tree of the audit log', (engine) => {
  const use = useStore(engine)
  const append = (count: number) =>
    use.store.tx(async (store) => {
      for (let n = 0; n < count; n++) await store.audit.append(sampleEntry({ doc: { n } }))
    })
  /** Three checkpoints, each a second after the one before; behind an older log of so many entries. */
  const fill = async (base: number) => {
    await use.test.db.run('UPDATE audit_head SET seq = $1, hash = $2', [base, 'h'])
    await use.test.db.run('UPDATE audit_tree SET base = $1', [base])
    const sizes: number[] = []
    for (const count of [250, 9, 50]) {
      use.clock.now += 1_000
      await append(count)
      await use.sequence()
      sizes.push((await use.store.auditTree.state()).frontier.size)
    }
    const rows = await use.store.auditTree.rowsAfter(base, 999)
    return { sizes, leaves: rows.map(({ leaf }) => Buffer.from(String(leaf), 'base64')) }
  }

  it.each([0, 3])('is what its leaves make at every size, behind %i older entries', async (base) => {
    const tree = use.store.auditTree
    const { sizes, leaves } = await fill(base)
    const total = leaves.length
    expect(sizes.at(-1)).toBe(total)
    const over = (from: number, to: number) => appendLeaves(emptyFrontier, leaves.slice(from, to))
    const some = [1, 2, 3, 128, 255, 256, 257, ...sizes]
    const roots = await tree.rootsAt([0, ...some, total + 1])
    expect([...roots.keys()].sort((one, other) => one - other)).toEqual(
      [...new Set(some)].sort((one, other) => one - other),
    )
    for (const size of some) {
      expect(roots.get(size), String(size)).toEqual(rootOf(over(0, size)))
      expect(await tree.frontierAt(size)).toEqual(over(0, size))
    }
    expect(await tree.rootsAt([])).toEqual(new Map())
    for (const [from, to] of [
      [0, 256],
      [256, 300],
      [128, 192],
      [4, 5],
    ] as const)
      expect(await tree.hashOfRange({ from, to })).toEqual(rootOf(over(from, to)))
    expect(await tree.nodesAfter(8, -1, 9)).toEqual([{ index: 0, hash: rootOf(over(0, 256)) }])
    expect(await tree.nodesAfter(8, 0, 9)).toEqual([])
    expect(await use.test.db.run('DELETE FROM audit_nodes WHERE level NOT IN (0, 8)')).toBe(0)
    expect((await tree.rowsAfter(base + 1, 2)).map(({ seq }) => seq)).toEqual([base + 2, base + 3])
  })

  it.each([0, 3])('has checkpoints by size, entry and time, behind %i older entries', async (base) => {
    const tree = use.store.auditTree
    const { sizes } = await fill(base)
    const [first = 0, second = 0, last = 0] = sizes
    const after = async (size: number, limit = 9) =>
      (await tree.checkpointsAfter(size, limit)).map((one) => one.size)
    expect([await after(0), await after(first - 1, 2), await after(first), await after(last)]).toEqual([
      sizes,
      [first, second],
      [second, last],
      [],
    ])
    const covering = async (seq: number) => (await tree.checkpoint({ covering: seq }))?.size
    expect([
      await covering(base + 1),
      await covering(base + first),
      await covering(base + first + 1),
      await covering(base + last),
      await covering(base + last + 1),
    ]).toEqual([first, first, second, last, undefined])
    expect((await tree.checkpoint())?.size).toBe(last)
    const before = async (at: number) => (await tree.checkpoint({ before: at }))?.size
    expect([await before(11_000), await before(11_001), await before(12_001), await before(99_000)]).toEqual([
      undefined,
      first,
      second,
      last,
    ])
    const [key] = await tree.keyEntries(base + last)
    expect(key).toMatchObject({ kind: 'log signed by', doc: { key: await use.key() } })
    expect(await tree.keyEntries((key?.seq ?? 0) - 1)).toEqual([])
  })

  it('numbers so many at a time, and says how many wait since when', async () => {
    const tree = use.store.auditTree
    expect(await tree.waitingSince()).toBeUndefined()
    await append(1)
    use.clock.now = 8_000
    await append(3)
    expect(await tree.waitingSince()).toBe(8_000)
    // The entry that names the key comes before all that wait, in whichever order their clocks put them.
    expect([await tree.sequence(use.signer, 2), await tree.sequence(use.signer, 2)]).toEqual([2, 2])
    expect(await tree.waitingSince()).toBe(10_000)
    expect([await tree.sequence(use.signer, 2), await tree.sequence(use.signer, 2)]).toEqual([1, 0])
    const rows = await tree.rowsAfter(0, 9)
    expect(rows.map(({ at }) => Number(at))).toEqual([7_999, 8_000, 8_000, 8_000, 10_000])
    expect((await tree.checkpointsAfter(0, 9)).map(({ size }) => size)).toEqual([2, 4, 5])
  })

  it('is begun with the key of the first signer, also where nothing waits', async () => {
    expect(await use.sequence()).toBe(1)
    const [entry] = await use.store.audit.find({ limit: 9 })
    expect(entry).toMatchObject({ seq: 1, at: 10_000, kind: 'log signed by', platform: 'bellhop' })
    expect(await use.sequence()).toBe(0)
    expect((await use.store.auditTree.checkpointsAfter(0, 9)).map(({ size }) => size)).toEqual([1])
  })

  it('is begun by nobody who has no key, and nothing is written then', async () => {
    await append(1)
    await expect(use.store.auditTree.sequence(signerOf(() => []))).rejects.toThrow(LogKeyError)
    expect(await use.store.auditTree.state()).toMatchObject({ origin: '', key: '', frontier: { size: 0 } })
    expect(await use.store.audit.find({ limit: 9 })).toMatchObject([{ seq: null, kind: 'asked' }])
  })

  it('takes over an older log before anything that waits, also where it has a key already', async () => {
    const key = use.signer.key('bellhop/one')
    await use.test.db.run('UPDATE audit_head SET seq = 3, hash = $1', ['h'])
    await use.test.db.run("UPDATE audit_tree SET base = 3, origin = 'bellhop/one', key = $1", [key])
    await append(1)
    expect(await use.sequence()).toBe(2)
    expect(await use.store.auditTree.rowsAfter(3, 9)).toMatchObject([
      { seq: 4, kind: 'log taken over', doc: '{"hash":"h","seq":3}' },
      { seq: 5, kind: 'asked' },
    ])
  })

  it('is not begun behind an older log whose end nobody knows', async () => {
    await use.test.db.run('UPDATE audit_tree SET base = 3')
    await use.test.db.run('DELETE FROM audit_head')
    try {
      await expect(use.sequence()).rejects.toThrow('the older audit log has lost its head')
    } finally {
      await use.test.db.run("INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '')")
    }
    expect(await use.store.auditTree.state()).toMatchObject({ key: '', frontier: { size: 0 } })
  })

  it('gives no hash that it has to make of fewer entries than there were', async () => {
    await fill(0)
    await use.test.db.run('DELETE FROM audit_log WHERE seq = 300')
    const { auditTree } = use.store
    await expect(auditTree.hashOfRange({ from: 296, to: 300 })).rejects.toThrow('lacks level 2, 74')
    await expect(auditTree.frontierAt(304)).rejects.toThrow('the tree of the audit log lacks level')
    await use.test.db.run('DELETE FROM audit_nodes')
    await expect(auditTree.hashOfRange({ from: 0, to: 256 })).rejects.toThrow('lacks level 8, 0')
  })

  it('is extended by nobody who loses its key between the look and the lock', async () => {
    await use.sequence()
    await append(2)
    let asked = 0
    const losing = { ...use.signer, follow: (key: string) => ++asked === 1 && use.signer.follow(key) }
    await expect(use.store.auditTree.sequence(losing)).rejects.toThrow(LogKeyError)
    expect(asked).toBe(2)
    expect((await use.store.auditTree.state()).frontier.size).toBe(1)
    expect(await use.sequence()).toBe(2)
  })

  it('changes its key only from the one that it has', async () => {
    const tree = use.store.auditTree
    await append(1)
    await use.sequence()
    let ready = 0
    const entry = { who: 'fay', name: 'Fay', platform: 'terminal', doc: { key: 'k2' } }
    const change = (from: string) => tree.changeKey(from, 'k2', entry as never, () => void ready++)
    expect([await change('another'), ready, (await tree.state()).key]).toEqual([false, 0, await use.key()])
    await append(1)
    const from = (await tree.state()).key
    expect([await change(from), ready, (await tree.state()).key]).toEqual([true, 1, 'k2'])
    const waiting = await use.store.audit.find({ limit: 2 })
    expect(waiting.map(({ at, name }) => [at, name])).toEqual([
      [10_000, sampleEntry().name],
      [9_999, 'Fay'],
    ])
  })

  it('says how far it was verified, and when', async () => {
    const tree = use.store.auditTree
    await use.test.db.run('DELETE FROM audit_verified')
    expect(await tree.verified()).toBeUndefined()
    await tree.setVerified(3)
    use.clock.now += 5
    await tree.setVerified(9)
    expect(await tree.verified()).toEqual({ size: 9, at: 10_005 })
  })
})
