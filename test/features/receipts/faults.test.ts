import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, it, test } from 'vitest'
import { rotateKey } from '../../../src/cli/audit/rotate.ts'
import { proveChange, receiptPage } from '../../../src/features/receipts/receipt.ts'
import { createLogMemory } from '../../../src/kernel/log/memory.ts'
import {
  isKey,
  keepKeys,
  keysAt,
  newKey,
  newSigner,
  openSigner,
  publicBytesOf,
  signerOf,
} from '../../../src/kernel/log/signer.ts'
import { type AuditRow, leafOf } from '../../../src/kernel/model/audit-entry.ts'
import { LogKeyError, type LogSigner } from '../../../src/kernel/model/checkpoint.ts'
import { appendLeaves, emptyFrontier, rootOf } from '../../../src/lib/codecs/merkle.ts'
import type { Engine } from '../../../src/lib/sql/database.ts'
import { checkReceipt, keyNamed } from '../../../verify.mjs'
import { textOf } from '../../harness/app.ts'
import { eachEngine } from '../../harness/database.ts'
import { type Harness, openHarness } from '../../pipeline/harness.ts'
import { sampleEntry } from '../../storage/sample.ts'

const by = { who: 'fay', name: 'Fay', account: 'root' }

/** A log that one person with a bot keeps: its database, the folder of its key and memory, and the bot's answers about it. */
const useLog = (engine: Engine) => {
  let harness: Harness
  let run: (sql: string, params?: unknown[]) => Promise<unknown>
  let folder = ''
  let signer: LogSigner
  const source = () => ({ dataDir: folder })
  const memory = () => createLogMemory({ folder, store: harness.store, signer, warn: () => undefined })
  const sequence = async (with_ = signer) => {
    while ((await harness.store.auditTree.sequence(with_)) > 0);
  }
  /** Entries, numbered and signed together, and remembered as a running bot does. */
  const write = async (count: number) => {
    await harness.store.tx(async (store) => {
      for (let n = 0; n < count; n++) await store.audit.append(sampleEntry({ changeId: `c${n}` }))
    })
    await sequence()
    await memory().look()
  }
  /** As after a restart of the bot. */
  const verified = async () => {
    harness.app.core.signer = signer
    harness.app.core.recallLog = memory().recall
    const reply = await harness.say('audit verify', 'fay')
    if (reply.kind !== 'answer') throw new Error(textOf(reply))
    return { code: reply.exitCode ?? 0, title: reply.view.title, words: textOf(reply) }
  }
  const emptied = async () => {
    for (const table of ['audit_log', 'audit_nodes', 'audit_checkpoints', 'audit_anchors'])
      await run(`DELETE FROM ${table}`)
    await run(`UPDATE audit_tree SET origin = '', key = '', base = 0, size = 0, frontier = '[]'`)
  }
  beforeAll(async () => {
    const clock = { now: 1_000_000 }
    harness = await openHarness({ engine, tasks: false, started: false, now: () => clock.now })
    run = (sql, params = []) => harness.db.run(sql, params)
  })
  beforeEach(async () => {
    await emptied()
    folder = mkdtempSync(join(tmpdir(), 'bellhop-log-'))
    signer = await openSigner(source(), harness.store.auditTree)
    await write(300)
    await write(9)
  })
  const setTree = async (upTo: number) => {
    const rows = (await harness.store.auditTree.rowsAfter(0, upTo)) as unknown as AuditRow[]
    const frontier = appendLeaves(emptyFrontier, rows.map(leafOf))
    const hashes = frontier.hashes.map((hash) => hash.toString('base64'))
    await run('UPDATE audit_tree SET size = $1, frontier = $2', [frontier.size, JSON.stringify(hashes)])
    return frontier
  }
  return {
    write,
    sequence,
    verified,
    emptied,
    source,
    memory,
    setTree,
    run: (sql: string, params?: unknown[]) => run(sql, params),
    get store() {
      return harness.store
    },
    get signer() {
      return signer
    },
    use: (other: LogSigner) => {
      signer = other
    },
    forget: () => rmSync(join(folder, 'audit-checkpoint.txt')),
    /** Somebody with the database alone: nothing is left of what came later. */
    cut: async (size: number) => {
      await run('DELETE FROM audit_log WHERE seq > $1', [size])
      await run('DELETE FROM audit_checkpoints WHERE size > $1', [size])
      await run('DELETE FROM audit_nodes WHERE (idx + 1) * 256 > $1', [size])
      await setTree(size)
    },
    rotate: async (withoutOldKey: boolean) => {
      const own = keysAt(source())
      const place = { dataDir: folder, given: pemOf([...(withoutOldKey ? [] : own), ...keysAt(other())]) }
      const done = await rotateKey(place, harness.store.auditTree, { by, reason: 'a new key', withoutOldKey })
      if ('problem' in done) throw new Error(done.problem)
      return { key: done.key, signer: signerOf(() => keysAt(place)) }
    },
  }
}

const pemOf = (keys: ReturnType<typeof keysAt>): string =>
  keys.map((key) => key.export({ format: 'pem', type: 'pkcs8' })).join('')

/** Another key, in a folder of its own. */
const other = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-log-'))
  keepKeys({ dataDir }, [newKey()])
  return { dataDir }
}

const whole = 'The audit log is complete and unchanged'
const changed = 'The audit log has been tampered with'
const cut = 'The end of the audit log is missing'
const unknown = 'The audit log is signed by a key that nobody vouches for'

type Log = ReturnType<typeof useLog>
type Way = { way: string; make(log: Log): Promise<unknown>; code: number; title: string; says: RegExp }

const ways: Way[] = [
  { way: 'nothing', make: async () => undefined, code: 0, title: whole, says: /a checkpoint of 310 entries/ },
  {
    way: 'the file of what was remembered is gone',
    make: async (log) => log.forget(),
    code: 0,
    title: whole,
    says: /Nothing is remembered outside the database here/,
  },
  {
    way: 'another key, on record by its own key',
    make: (log) => log.rotate(false),
    code: 6,
    title: `${whole}, and has another key than this bot`,
    says: /From entry 311 on .* Fay put it on record at entry 311 \(a new key\), signed by this bot’s own key/,
  },
  {
    way: 'another key, on record without its own key',
    make: (log) => log.rotate(true),
    code: 7,
    title: unknown,
    says: /From entry 311 on .* without a signature of the key before it. Ask them/,
  },
  {
    way: 'another key by its own key, and two more without the key before them',
    make: async (log) => {
      await log.rotate(false)
      await log.rotate(true)
      await log.rotate(true)
    },
    code: 7,
    title: unknown,
    says: /From entry 311 on .* Fay put it on record at entry 312 \(a new key\), without a signature of the key/,
  },
  {
    way: 'another key, not on record',
    make: async (log) => {
      const { origin, frontier } = await log.store.auditTree.state()
      const note = newSigner().checkpoint({ origin, size: frontier.size, root: rootOf(frontier) })
      await log.run('UPDATE audit_checkpoints SET note = $1 WHERE size = $2', [note, frontier.size])
    },
    code: 7,
    title: unknown,
    says: /The checkpoint at entry 310 is signed by a key that is not on record/,
  },
  {
    way: 'a changed entry',
    make: (log) => log.run("UPDATE audit_log SET who = 'p2' WHERE seq = 200"),
    code: 4,
    title: changed,
    says: /Entry 200 of the audit log is not as it was written/,
  },
  {
    way: 'a signature with a byte altered',
    make: async (log) => {
      const { note = '' } = (await log.store.auditTree.checkpoint()) ?? {}
      await log.run('UPDATE audit_checkpoints SET note = $1 WHERE size = 310', [
        note.replace(/(.)(.==?\n|..\n)$/, (_, sign, end) => `${sign === 'A' ? 'B' : 'A'}${end}`),
      ])
    },
    code: 4,
    title: changed,
    says: /The signature of the checkpoint at entry 310 does not fit it/,
  },
  {
    way: 'an entry removed in the middle',
    make: (log) => log.run('DELETE FROM audit_log WHERE seq = 200'),
    code: 4,
    title: changed,
    says: /Entry 200 of the audit log is missing/,
  },
  {
    way: 'the last entries removed',
    make: (log) => log.run('DELETE FROM audit_log WHERE seq > 305'),
    code: 8,
    title: cut,
    says: /ends before entry 306/,
  },
  {
    way: 'the end cut off, with entries, checkpoints, hashes and the head',
    make: (log) => log.cut(301),
    code: 8,
    title: cut,
    says: /a checkpoint of 310 entries, and the log has 301: its end is missing. .*npm run audit -- restored/,
  },
  {
    way: 'the end cut off, and the bot wrote on until the log was longer than before',
    make: async (log) => {
      await log.cut(301)
      await log.write(3)
      await log.write(50)
    },
    code: 4,
    title: changed,
    says: /it was rewritten, or cut and continued/,
  },
  {
    way: 'the head set back',
    make: (log) => log.setTree(301),
    code: 8,
    title: cut,
    says: /was set back to entry 301/,
  },
  {
    way: 'everything removed',
    make: (log) => log.emptied(),
    code: 8,
    title: cut,
    says: /the database holds an empty log/,
  },
  {
    way: 'everything removed, and the bot began anew with its key',
    make: async (log) => {
      await log.emptied()
      await log.write(400)
    },
    code: 8,
    title: cut,
    says: /the database holds another log/,
  },
  {
    way: 'rewritten whole, with a new key',
    make: async (log) => {
      const { origin } = await log.store.auditTree.state()
      await log.emptied()
      await log.run('UPDATE audit_tree SET origin = $1', [origin])
      for (let n = 0; n < 400; n++) await log.store.audit.append(sampleEntry({ who: 'p2' }))
      await log.sequence(newSigner())
    },
    code: 4,
    title: changed,
    says: /the log has other entries: it was rewritten/,
  },
  {
    way: 'rewritten whole, with a new key, and nothing is remembered',
    make: async (log) => {
      await log.emptied()
      log.forget()
      await log.sequence(newSigner())
    },
    code: 7,
    title: unknown,
    says: /the key that this bot has, .*, was never on record/,
  },
  {
    way: 'entries that nobody numbers',
    make: async (log) => {
      await log.store.audit.append(sampleEntry())
      await log.run('UPDATE audit_log SET at = at - 5000 WHERE seq IS NULL')
    },
    code: 9,
    title: 'The newest entries of the audit log wait for their number',
    says: /no running bot that has the key/,
  },
]

eachEngine('what is wrong with a log is told apart', (engine) => {
  const log = useLog(engine)

  test.each(ways)('$way', async ({ make, code, title, says }) => {
    await make(log)
    const found = await log.verified()
    expect(found).toMatchObject({ code, title, words: expect.stringMatching(says) })
  })

  it('a bot keeps what it remembers when the log does not continue it, and signs on', async () => {
    const before = log.memory().recall()
    await log.cut(301)
    await log.write(20)
    expect(log.memory().recall()).toEqual(before)
  })

  it('a log of other hashes than its proofs is not remembered', async () => {
    const before = log.memory().recall()
    await log.store.audit.append(sampleEntry())
    const forged = appendLeaves(emptyFrontier, Array(310).fill(Buffer.alloc(32, 7)))
    const hashes = forged.hashes.map((hash) => hash.toString('base64'))
    await log.run('UPDATE audit_tree SET frontier = $1', [JSON.stringify(hashes)])
    await log.sequence()
    await log.memory().look()
    expect(log.memory().recall()).toEqual(before)
  })

  it('a signer without the key of the log numbers nothing, and an idle log does not grow', async () => {
    const { frontier } = await log.store.auditTree.state()
    await expect(log.sequence(newSigner())).rejects.toThrow(LogKeyError)
    await log.sequence()
    expect((await log.store.auditTree.state()).frontier).toEqual(frontier)
    await expect(openSigner(other(), log.store.auditTree)).rejects.toThrow(
      /The audit log in this database is signed by the key bellhop\/\w+\+.*holds bellhop\/.*npm run audit -- rotate --help/,
    )
    const empty = { dataDir: mkdtempSync(join(tmpdir(), 'bellhop-log-')) }
    await expect(openSigner(empty, log.store.auditTree)).rejects.toThrow(/there is none in .*audit-key\.pem/)
    expect(keysAt(empty)).toEqual([])
  })

  it('the key of the file is changed on record, and bots that run follow', async () => {
    const done = await rotateKey(log.source(), log.store.auditTree, {
      by,
      reason: 'every year',
      withoutOldKey: false,
    })
    if ('problem' in done) throw new Error(done.problem)
    expect(keysAt(log.source())).toHaveLength(1)
    await log.write(5)
    const { code, words } = await log.verified()
    expect([code, words]).toEqual([0, expect.stringContaining(done.key)])
    const again = await rotateKey(log.source(), log.store.auditTree, {
      by,
      reason: 'lost',
      withoutOldKey: true,
    })
    expect(again).toMatchObject({ problem: expect.stringContaining('leave out --without-old-key') })
  })

  it('of two changes of the key at once one counts, and its key is kept', async () => {
    const rotation = { by, reason: 'at the same time', withoutOldKey: false }
    const both = await Promise.all([1, 2].map(() => rotateKey(log.source(), log.store.auditTree, rotation)))
    expect(both.filter((one) => 'key' in one).length).toBeGreaterThan(0)
    const { key } = await log.store.auditTree.state()
    expect(keysAt(log.source()).some((one) => isKey(one, key))).toBe(true)
    expect(await log.verified()).toMatchObject({ code: 0 })
  })

  it('a change of the key without the old one stays visible to bots with the new one', async () => {
    log.use((await log.rotate(true)).signer)
    const { code, words } = await log.verified()
    expect(code).toBe(0)
    expect(words).toContain(
      'The key was changed 1 time without a signature of the key before it, last at entry 311 by Fay: a new key.',
    )
  })

  it('a log of before, whose key did not have the name of the log, goes on, and so do its receipts', async () => {
    await log.emptied()
    log.forget()
    const [key] = keysAt(log.source())
    if (key === undefined) throw new Error('no key')
    const named = keyNamed('bellhop', publicBytesOf(key))
    const before: LogSigner = {
      ...log.signer,
      key: () => named,
      checkpoint: (tree) => {
        const note = log.signer.checkpoint(tree)
        const [, text = '', signature = ''] = /^([\s\S]+\n\n)\u2014 \S+ (\S+)\n$/.exec(note) ?? []
        const bytes = Buffer.from(signature, 'base64').subarray(4)
        const id = Buffer.from(named.split('+')[1] ?? '', 'hex')
        return `${text}\u2014 bellhop ${Buffer.concat([id, bytes]).toString('base64')}\n`
      },
    }
    await log.store.audit.append(sampleEntry({ changeId: 'c3' }))
    await log.sequence(before)
    const old = await receiptOf(before)
    expect(old).toContain('\u2014 bellhop ')
    const opened = await openSigner(log.source(), log.store.auditTree)
    await log.write(20)
    const receipt = await receiptOf(opened)
    const { origin } = await log.store.auditTree.state()
    expect(receipt).toContain(`\u2014 ${origin} `)
    for (const given of [named, opened.key(origin)])
      for (const file of [old, receipt]) expect(checkReceipt(file, given)).toMatchObject({ whose: 'yours' })
    expect(await log.verified()).toMatchObject({ code: 0, title: whole })
    const entries = await log.store.auditTree.keyEntries(99)
    // The second says that it is the same key.
    expect(entries.map(({ seq }) => seq)).toEqual([1, 3])
  })

  const receiptOf = async (signer: LogSigner) => {
    const proof = await proveChange(log.store, signer, 'c3')
    if (proof === undefined) throw new Error('nothing is proved')
    return receiptPage({ title: 'One', words: 'two', proof, at: 'today' }, signer)
  }

  it('a receipt says whose key it is signed by', async () => {
    const { origin } = await log.store.auditTree.state()
    const first = log.signer.key(origin) ?? ''
    const before = await receiptOf(log.signer)
    const second = await log.rotate(false)
    const after = await receiptOf(second.signer)
    const stranger = newSigner().key('bellhop/elsewhere')
    const whose = (file: string, key?: string) => {
      const verdict = checkReceipt(file, key)
      return verdict.ok ? verdict.whose : verdict.problem
    }
    expect([undefined, first, second.key, stranger].map((key) => whose(before, key))).toEqual([
      'not compared',
      'yours',
      'unknown',
      'unknown',
    ])
    expect([undefined, first, second.key, stranger].map((key) => whose(after, key))).toEqual([
      'not compared',
      'handed over',
      'yours',
      'unknown',
    ])
    log.use(second.signer)
    const place = { ...log.source(), given: pemOf(keysAt(other())) }
    await rotateKey(place, log.store.auditTree, { by, reason: 'it was lost', withoutOldKey: true })
    const lost = await receiptOf(signerOf(() => keysAt(place)))
    expect([first, second.key].map((key) => whose(lost, key))).toEqual(['unknown', 'unknown'])
    expect(checkReceipt(lost, first)).toMatchObject({
      about: expect.stringContaining('WITHOUT the key before it'),
    })
  })
})
