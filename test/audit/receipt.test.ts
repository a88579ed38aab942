import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { proveChange, proveConsistency, receiptPage } from '../../src/audit/receipt.ts'
import { newSigner } from '../../src/audit/signer.ts'
import { checkReceipt, isConsistent, openNote } from '../../verify.mjs'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from '../storage/sample.ts'
import { useStore } from '../storage/store.ts'

eachEngine('a receipt', (engine) => {
  const use = useStore(engine)
  const hostile = '</script><script>alert(1)</script> & "Fay"'
  const receipt = async (changeId: string) => {
    const proof = await proveChange(use.store, use.signer, changeId)
    if (proof === undefined) return undefined
    return receiptPage({ title: hostile, words: hostile, proof, at: 'today' }, use.signer)
  }
  const fill = async () => {
    for (let n = 0; n < 700; n++)
      await use.store.audit.append(sampleEntry({ changeId: `c${n % 7}`, name: hostile }))
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

  it('is no receipt with any one byte altered, nor for another key', async () => {
    await fill()
    const file = (await receipt('c1')) ?? ''
    const key = await use.key()
    for (let at = 0; at < file.length; at += 97) {
      const altered = file.slice(0, at) + (file[at] === 'x' ? 'y' : 'x') + file.slice(at + 1)
      expect(checkReceipt(altered, key).ok, `byte ${at}`).toBe(false)
    }
    expect(checkReceipt(file, newSigner().key('other'))).toMatchObject({ ok: true, whose: 'unknown' })
  })

  it('is refused for a change that the log does not know', async () => {
    expect(await receipt('nobody')).toBeUndefined()
  })

  it('is checked offline by one file that needs nothing else', async () => {
    await fill()
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-receipt-'))
    const file = join(folder, 'receipt.html')
    writeFileSync(file, (await receipt('c2')) ?? '')
    const run = (...args: string[]) => {
      try {
        return execFileSync(process.execPath, ['verify.mjs', ...args], { encoding: 'utf8' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    }
    expect(run(file, '--key', await use.key())).toMatch(/^Valid\. 100 entries of the log bellhop\//)
    expect(run(file)).toMatch(/^Unaltered, but nobody has said whose key it is\./)
    writeFileSync(file, 'nothing')
    expect(run(file)).toBe('NOT VALID. This is no receipt of Bellhop: it has no data inside.\n')
  })

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
