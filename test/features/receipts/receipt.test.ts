import { expect, it } from 'vitest'
import { proveChange, receiptPage } from '../../../src/features/receipts/receipt.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { proveConsistency } from '../../../src/kernel/log/tree-proofs.ts'
import { checkReceipt, isConsistent, openNote } from '../../../verify.mjs'
import { dailySeed } from '../../harness/daily-seed.ts'
import { eachEngine } from '../../harness/database.ts'
import { sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'

eachEngine('a receipt', (engine) => {
  const use = useStore(engine)
  const hostile = '</script><script>alert(1)</script> & "Fay"'
  const receipt = async (changeId: string) => {
    const proof = await proveChange(use.store, use.signer, changeId)
    if (proof === undefined) return undefined
    return receiptPage({ title: hostile, words: hostile, proof, at: 'today' }, use.signer)
  }
  const fill = async () => {
    const changes = Array.from({ length: 700 }, (_, n) => `c${n % 7}`)
    await Promise.all(
      changes.map((changeId) => use.store.audit.append(sampleEntry({ changeId, name: hostile }))),
    )
  }

  it('proves every entry about a change against a signed checkpoint, also those that had no number yet', async () => {
    await fill()
    const file = (await receipt('c3')) ?? ''
    expect(file).not.toContain('<script>alert')
    const verdict = checkReceipt(file, await use.key())
    expect(verdict).toMatchObject({ ok: true, whose: 'yours', size: 701, key: await use.key() })
    expect(verdict.ok && verdict.entries).toHaveLength(100)
    expect(verdict.ok && verdict.entries[0]).toMatchObject({ changeId: 'c3', name: hostile })
  })

  it('of a time before says nothing of what came after its checkpoint, or after that time', async () => {
    await use.store.audit.append(sampleEntry())
    await use.sequence()
    use.clock.now += 1
    await use.store.audit.append(sampleEntry({ kind: 'voted' }))
    await use.sequence()
    const [first, second] = await use.store.auditTree.checkpointsAfter(0, 9)
    use.clock.now += 1
    await use.store.audit.append(sampleEntry({ kind: 'voted' }))
    const seqs = async (checkpoint: typeof first, until: number) => {
      if (checkpoint === undefined) throw new Error('no checkpoint')
      const proof = await proveChange(use.store, use.signer, 'c1', { checkpoint, until })
      if (proof === undefined) return []
      const file = receiptPage({ title: 'One', words: 'two', proof, at: 'today' }, use.signer)
      expect(checkReceipt(file, await use.key())).toMatchObject({ whose: 'yours', size: checkpoint.size })
      expect(proof).toMatchObject({ older: [] })
      expect(proof.keys).toBeUndefined()
      return proof.entries.map(({ seq }) => seq)
    }
    expect(await seqs(first, 99_999)).toEqual([2])
    expect(await seqs(second, 99_999)).toEqual([2, 3])
    expect(await seqs(second, 10_001)).toEqual([2])
    expect(await seqs(second, 10_000)).toEqual([])
  })

  it('says how many entries are older than the tree', async () => {
    await use.store.audit.append(sampleEntry())
    const proof = await proveChange(use.store, use.signer, 'c1')
    if (proof === undefined) throw new Error('no proof')
    const [entry] = proof.entries
    const olderIn = (count: number) => {
      const older = Array.from({ length: count }, () => ({
        ...entry,
        hash: '',
      })) as unknown as typeof proof.older
      const page = receiptPage(
        { title: 'One', words: 'two', proof: { ...proof, older }, at: 'today' },
        use.signer,
      )
      return /<p>(.*) older than the tree/.exec(page)?.[1]
    }
    expect([0, 1, 2].map(olderIn)).toEqual([undefined, '1 entry is', '2 entries are'])
  })

  it('proves what stands in the tree, and tells of what is older without a proof', async () => {
    for (const kind of ['asked', 'refused'] as const) await use.store.audit.append(sampleEntry({ kind }))
    const [second, first] = await use.store.audit.find({ limit: 2 })
    for (const [at, entry] of [first, second].entries())
      await use.test.db.run('UPDATE audit_log SET seq = $1 WHERE id = $2', [at + 1, entry?.id])
    await use.test.db.run("UPDATE audit_head SET seq = 2, hash = 'h'")
    await use.test.db.run('UPDATE audit_tree SET base = 2')
    use.clock.now += 1
    for (const kind of ['refused', 'applied'] as const) await use.store.audit.append(sampleEntry({ kind }))
    const proof = await proveChange(use.store, use.signer, 'c1')
    if (proof === undefined) throw new Error('no proof')
    expect(proof.older.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'asked'],
      [2, 'refused'],
    ])
    // Behind the key and the end of the older log.
    expect(proof.entries.map(({ seq, index }) => [seq, index])).toEqual([
      [5, 2],
      [6, 3],
    ])
    const page = receiptPage({ title: 'One', words: 'two', proof, at: 'today' }, use.signer)
    expect(page).toContain('<td>5</td>')
    expect(page.match(/<td>was refused<\/td>|<td>applied<\/td>/g)).toEqual([
      '<td>was refused</td>',
      '<td>applied</td>',
    ])
    expect(checkReceipt(page, await use.key())).toMatchObject({ ok: true, size: 4 })
  })

  it('brings how the keys were enrolled that signed it, and those that signed that, each once', async () => {
    const signed = (enrolled: string) => ({
      signed: {
        ...{ key: 'k', enrolled, person: 'p1', digest: 'd', purpose: 'approve', nonce: 'n' },
        ...{ origin: 'https://a', rpId: 'a', authenticatorData: '', clientDataJSON: '', signature: '' },
      },
    })
    const append = (changeId: string, doc: object = {}) =>
      use.store.audit.append(sampleEntry({ changeId, doc: doc as never }))
    await append('e2', signed('e1'))
    await append('e1')
    await append('e1', signed('e2'))
    await append('e3')
    await append('c1', signed('e1'))
    await append('c1', signed('e1'))
    await append('c2')
    await use.sequence()
    const enrolments = async (id: string) =>
      (await proveChange(use.store, use.signer, id))?.enrolments
        ?.map(({ leaf }) => JSON.parse(leaf).changeId)
        .toSorted()
    expect(await enrolments('c1')).toEqual(['e1', 'e1', 'e2'])
    expect(await enrolments('c2')).toBeUndefined()
    expect(await proveChange(use.store, use.signer, 'c2')).not.toHaveProperty('enrolments')
  })

  it('is refused for a change that the log does not know', async () => {
    expect(await receipt('nobody')).toBeUndefined()
  })

  // What it reads comes from no database.
  if (engine === 'sqlite') {
    it('is no receipt with any one byte altered, nor for another key', async () => {
      await fill()
      const file = (await receipt('c1')) ?? ''
      const key = await use.key()
      const step = 397
      for (let at = dailySeed % step; at < file.length; at += step) {
        const altered = file.slice(0, at) + (file[at] === 'x' ? 'y' : 'x') + file.slice(at + 1)
        expect(checkReceipt(altered, key).ok, `byte ${at}`).toBe(false)
      }
      expect(checkReceipt(file, newSigner().key('other'))).toMatchObject({ ok: true, whose: 'unknown' })
    })
  }

  it('every checkpoint begins the next one, and that can be proved', async () => {
    for (let n = 0; n < 40; n++) {
      for (let more = 0; more < n; more++) await use.store.audit.append(sampleEntry())
      await use.sequence()
    }
    const checkpoints = await use.store.auditTree.checkpointsAfter(0, 100)
    expect(checkpoints.length).toBeGreaterThan(30)
    for (const [at, one] of checkpoints.entries()) {
      const other = checkpoints[Math.min(at + 7, checkpoints.length - 1)]
      if (other === undefined) continue
      const proof = (await proveConsistency(use.store.auditTree, one.size, other.size)).map((step) =>
        Buffer.from(step, 'base64'),
      )
      const [firstRoot, secondRoot] = [openNote(one.note)?.root, openNote(other.note)?.root]
      if (firstRoot === undefined || secondRoot === undefined) throw new Error('no note')
      const claim = { first: one.size, second: other.size, firstRoot, secondRoot, proof }
      expect(isConsistent(claim)).toBe(true)
      if (proof.length > 0) expect(isConsistent({ ...claim, firstRoot: Buffer.alloc(32) })).toBe(false)
    }
  })
})
