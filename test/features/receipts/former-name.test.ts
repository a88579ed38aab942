import { expect, it } from 'vitest'
import { proveChange, receiptPage } from '../../../src/features/receipts/receipt.ts'
import { newKey, openSigner, pemOf, publicBytesOf, signerOf } from '../../../src/kernel/log/signer.ts'
import { verify } from '../../../src/kernel/log/verify.ts'
import type { LogSigner } from '../../../src/kernel/model/checkpoint.ts'
import { checkReceipt, isSignedBy, keyNamed, openNote, readKey } from '../../../verify.mjs'
import { eachEngine } from '../../harness/database.ts'
import { sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'

/** Any verifier of signed notes: a line of exactly the name and the id of its key, whose signature fits. */
const isGoodFor = (note: string, key: string): boolean => {
  const [opened, known] = [openNote(note), readKey(key)]
  const lines =
    opened?.signatures.filter(({ name, keyId }) => name === known?.name && keyId === known.id) ?? []
  return opened !== undefined && lines.length === 1 && isSignedBy({ ...opened, signatures: lines }, key)
}

eachEngine('a log whose key an older version had on record under another name', (engine) => {
  const use = useStore(engine)
  it('says in an entry that it is the same key, and its checkpoints are good for both lines', async () => {
    const [key, next] = [newKey(), newKey()]
    const source = { given: pemOf(key), dataDir: '/nowhere' }
    const signer = signerOf(() => [key])
    const old = keyNamed('bellhop', publicBytesOf(key))
    const asBefore: LogSigner = {
      ...signer,
      key: () => old,
      checkpoint: (tree) =>
        signer.checkpoint(tree).replace(/\n\u2014 (.|\n)*$/, '\n') + lineUnder('bellhop', signer, tree),
    }
    const { auditTree, audit } = use.store
    const append = (name: string) => audit.append(sampleEntry({ changeId: 'c1', name }))
    await append('before')
    await auditTree.sequence(asBefore)
    const { origin } = await auditTree.state()
    const own = signer.key(origin) ?? ''
    const note = async () => (await auditTree.checkpoint())?.note ?? ''
    expect([isGoodFor(await note(), old), isGoodFor(await note(), own)]).toEqual([true, false])

    // The update: once, however many processes start, and by none that only looks something up.
    await openSigner(source, auditTree, { mustSign: false })
    expect((await auditTree.state()).key).toBe(old)
    for (let starts = 0; starts < 3; starts++) await openSigner(source, auditTree)
    const entries = await auditTree.keyEntries(Number.MAX_SAFE_INTEGER)
    expect(entries.map(({ doc }) => [doc.from, doc.key])).toEqual([
      [undefined, old],
      [old, own],
    ])
    expect((await auditTree.state()).key).toBe(own)
    await append('after')
    await auditTree.sequence(signer)
    expect([isGoodFor(await note(), old), isGoodFor(await note(), own)]).toEqual([true, true])
    const verdict = await verify(use.store, { key: own, now: use.clock.now })
    expect(verdict).toMatchObject({ ok: true, keys: [{ key: old }, { key: own, isHandedOver: true }] })
    const proof = await proveChange(use.store, signer, 'c1')
    if (proof === undefined) throw new Error('nothing was proved')
    const page = receiptPage({ title: 'one', words: 'one', proof, at: 'now' }, signer)
    for (const given of [old, own])
      expect(checkReceipt(page, given)).toMatchObject({ ok: true, whose: 'yours' })

    // Another key has never had that name.
    const handed = signerOf(() => [key, next])
    const nextLine = keyNamed(origin, publicBytesOf(next))
    await auditTree.changeKey(
      own,
      nextLine,
      { who: 'fay', name: 'Fay', platform: 'terminal', doc: { key: nextLine, from: own } },
      () => undefined,
    )
    await append('later')
    await auditTree.sequence(handed)
    expect((await note()).match(/\u2014 /g)).toHaveLength(1)
    expect([
      isGoodFor(await note(), nextLine),
      isGoodFor(await note(), keyNamed('bellhop', publicBytesOf(next))),
    ]).toEqual([true, false])
  })
})

/** The line of a signature as older versions wrote it. */
const lineUnder = (name: string, signer: LogSigner, tree: Parameters<LogSigner['checkpoint']>[0]): string => {
  const both = signer.checkpoint({ ...tree, formerly: [name] })
  return `\n${both.split('\n').find((line) => line.startsWith(`\u2014 ${name} `))}\n`
}
