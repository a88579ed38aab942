import { expect, it } from 'vitest'
import { type ExportFilter, exportLines } from '../../../src/features/receipts/export.ts'
import { appendLeaves, emptyFrontier, rootOf } from '../../../src/lib/codecs/merkle.ts'
import { hashLeaf, openNote } from '../../../verify.mjs'
import { eachEngine } from '../../harness/database.ts'
import { sampleEntry } from '../../storage/sample.ts'
import { gather, useStore } from '../../storage/store.ts'

eachEngine('an export of the audit log', (engine) => {
  const use = useStore(engine)

  it('has a line of JSON per entry, in order, that anyone can check without Bellhop', async () => {
    for (const name of ['Ada', 'naïve 🛎️\n', 'Bo']) await use.store.audit.append(sampleEntry({ name }))
    await use.sequence()
    const lines = await gather(exportLines(use.store))
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2, 3, 4])
    const leaves = lines.map((line) => {
      expect(line).toMatch(/^\{[^\n]*\}\n$/)
      return hashLeaf(line.trimEnd().replace(/"seq":\d+,/, ''))
    })
    const note = openNote((await use.store.auditTree.checkpoint())?.note ?? '')
    const { root } = note ?? {}
    expect(root?.equals(rootOf(appendLeaves(emptyFrontier, leaves)))).toBe(true)
  })

  it('starts at the first entry since a time, and is empty when there is none', async () => {
    await use.store.audit.append(sampleEntry())
    use.clock.now = 20_000
    await use.store.audit.append(sampleEntry({ kind: 'voted' }))
    const kinds = async (since: number) =>
      (await gather(exportLines(use.store, { since }))).map((line) => JSON.parse(line).kind)
    expect(await kinds(15_000)).toEqual(['voted'])
    expect(await kinds(20_001)).toEqual([])
  })

  it('can be of one person, of one command or of a noun', async () => {
    for (const [who, command] of [
      ['ada', 'refund'],
      ['bo', 'campaign send'],
      ['ada', 'campaign find'],
    ] as const) {
      await use.store.audit.append(sampleEntry({ who, command }))
    }
    await use.sequence()
    const seqs = async (filter: ExportFilter) =>
      (await gather(exportLines(use.store, filter))).map((line) => JSON.parse(line).seq)
    expect(await seqs({ who: 'ada' })).toEqual([2, 4])
    expect(await seqs({ command: 'campaign' })).toEqual([3, 4])
    expect(await seqs({ command: 'campaign *' })).toEqual([3, 4])
    expect(await seqs({ command: 'campaign send' })).toEqual([3])
    expect(await seqs({ who: 'ada', command: 'refund' })).toEqual([2])
    expect(await seqs({ command: 'ref' })).toEqual([])
  })
})
