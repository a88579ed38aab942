import { describe, expect, it } from 'vitest'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import { type AuditRow, leafOf } from '../../src/kernel/model/audit-entry.ts'
import { digestOf } from '../../src/lib/codecs/canonical-json.ts'
import { appendLeaves, emptyFrontier, rootOf } from '../../src/lib/codecs/merkle.ts'
import { openNote } from '../../verify.mjs'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from '../storage/sample.ts'
import { useStore } from '../storage/store.ts'

eachEngine('verification of the audit log', (engine) => {
  const use = useStore(engine)
  const append = async (count: number) => {
    await use.store.tx(async (store) => {
      for (let index = 1; index <= count; index++) {
        await store.audit.append(sampleEntry({ doc: { line: `refund pay_${index}` } }))
      }
    })
    while ((await use.sequence()) > 0);
  }
  /** The first entry names the key, so four more are entries 2 to 5. */
  const fill = (count = 4) => append(count)
  const run = (sql: string, params: unknown[] = []) => use.test.db.run(sql, params)
  /** However much is read at a time. */
  const verdict = async (
    over: Parameters<typeof verify>[1] = {},
    pageSizes: readonly number[] = [1, 2, 3, 5],
  ) => {
    const options = { key: await use.key(), now: use.clock.now, ...over }
    const whole = await verify(use.store, options)
    for (const pageSize of pageSizes)
      expect(await verify(use.store, { ...options, pageSize }), `${pageSize} at a time`).toEqual(whole)
    return whole
  }

  it('finds an empty log sound', async () => {
    expect(await verdict()).toMatchObject({ ok: true, entries: 0, checkpoints: 0 })
  })

  it('finds a log of several pages and checkpoints sound, and names its root and key', async () => {
    await fill(300)
    await fill(299)
    const { frontier } = await use.store.auditTree.state()
    const told: number[][] = []
    expect(
      await verdict({ progress: (...given) => void told.push(given) }, [1, 200, 300, 599, 600, 601]),
    ).toMatchObject({
      ok: true,
      since: 0,
      entries: 600,
      size: 600,
      checkpoints: 2,
      root: rootOf(frontier).toString('base64'),
      keys: [{ key: await use.key(), seq: 1 }],
    })
    expect(told[0]).toEqual([600, 600])
    expect(told[1]).toEqual([1, 600])
  })

  it('does not mind entries that arrive and are numbered while it walks', async () => {
    await fill(1_500)
    const [found] = await Promise.all([verdict({}, []), append(50), append(50)])
    expect(found.ok).toBe(true)
  })

  it('names entries that wait for their number for longer than a second', async () => {
    await fill()
    await use.store.audit.append(sampleEntry())
    use.clock.now += 1_000
    expect(await verdict()).toMatchObject({ ok: true })
    use.clock.now += 1
    expect(await verdict()).toMatchObject({ ok: false, seq: 6, problem: 'unnumbered' })
  })

  const edits: [column: string, value: string][] = [
    ['at', '1'],
    ['kind', "'voted'"],
    ['who', "'p2'"],
    ['name', "'Eve'"],
    ['platform', "'discord'"],
    ['command', "'refund '"],
    ['noun', "'campaign'"],
    ['change_id', "'other'"],
    ['doc', `'{"line":"refund pay_9"}'`],
    ['doc', `'{"line": "refund pay_3"}'`],
    ['doc', `'not JSON'`],
    ['doc', `'[]'`],
    ['leaf', `'${'A'.repeat(43)}='`],
    ['id', "'another'"],
  ]
  describe.each([1, 3, 5])('with entry %i edited', (seq) => {
    it.each(edits)('notices %s = %s', async (column, value) => {
      await fill()
      await run(`UPDATE audit_log SET ${column} = ${value} WHERE seq = $1`, [seq])
      expect(await verdict()).toEqual({
        ok: false,
        seq,
        problem: 'changed',
        fault: 'changed',
        sentence: `Entry ${seq} of the audit log is not as it was written.`,
      })
    })
  })

  it.each([1, 3, 4])('names the missing entry %i', async (seq) => {
    await fill()
    await run('DELETE FROM audit_log WHERE seq = $1', [seq])
    expect(await verdict()).toMatchObject({ ok: false, seq, problem: 'missing' })
  })

  it('notices that the last entries are gone, and that all are', async () => {
    await fill()
    await run('DELETE FROM audit_log WHERE seq = 5')
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'ended', fault: 'cut' })
    await run('DELETE FROM audit_log WHERE seq > 3')
    expect(await verdict()).toMatchObject({ seq: 4, problem: 'ended', fault: 'cut' })
    await run('DELETE FROM audit_log')
    expect(await verdict()).toMatchObject({ seq: 1, problem: 'ended', fault: 'cut' })
  })

  it('notices entries that changed places', async () => {
    await fill()
    await run('UPDATE audit_log SET seq = 99 WHERE seq = 2')
    await run('UPDATE audit_log SET seq = 2 WHERE seq = 4')
    await run('UPDATE audit_log SET seq = 4 WHERE seq = 99')
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'rewritten' })
  })

  it('notices an edit whose hash was made to fit: the checkpoint tells', async () => {
    await fill()
    await rewrite(3)
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'rewritten' })
  })

  it('notices an end that was cut off together with the tree, by a checkpoint that is left', async () => {
    await fill(2)
    await fill(2)
    await cutTo(3, { checkpoints: false })
    expect(await verdict()).toMatchObject({ seq: 4, problem: 'shortened' })
  })

  it('notices a log that was rewritten and signed again with another key', async () => {
    await fill()
    await rewrite(3)
    const root = await rebuild()
    const other = newSigner()
    const { origin } = await use.store.auditTree.state()
    const note = other.checkpoint({ origin, size: 5, root })
    await run('UPDATE audit_checkpoints SET root = $1, note = $2', [root.toString('base64'), note])
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'unknownKey', fault: 'unknownKey' })
  })

  it('notices a checkpoint that was altered or removed', async () => {
    await fill()
    const note = (await use.store.auditTree.checkpoint())?.note ?? ''
    await run('UPDATE audit_checkpoints SET note = $1', [note.replace('\n5\n', '\n6\n')])
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'checkpoint' })
    await run('UPDATE audit_checkpoints SET note = $1, root = $2', [
      note,
      Buffer.alloc(32).toString('base64'),
    ])
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'checkpoint' })
    await run('DELETE FROM audit_checkpoints')
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'unsigned' })
  })

  it('notices a tree that does not fit its entries', async () => {
    await fill(600)
    await run('UPDATE audit_nodes SET hash = $1 WHERE idx = 1', [Buffer.alloc(32).toString('base64')])
    expect(await verdict({}, [150])).toMatchObject({ seq: 512, problem: 'tree' })
  })

  it('notices that the end of the tree is of other entries', async () => {
    await fill()
    const forged = appendLeaves(emptyFrontier, Array(5).fill(Buffer.alloc(32, 7)))
    await run('UPDATE audit_tree SET frontier = $1', [
      JSON.stringify(forged.hashes.map((hash) => hash.toString('base64'))),
    ])
    expect(await verdict()).toMatchObject({ seq: 5, problem: 'tree' })
  })

  it.each([6, 0, -4])('notices a planted entry %i', async (seq) => {
    await fill()
    await run(
      `INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf)
       SELECT 'planted', CAST($1 AS BIGINT), at, kind, who, name, platform, command, noun, change_id, doc, leaf
       FROM audit_log WHERE seq = 5`,
      [seq],
    )
    expect(await verdict()).toMatchObject({ seq, problem: 'added' })
  })

  it('names the first of several bad entries', async () => {
    await fill(10)
    await run("UPDATE audit_log SET who = 'p2' WHERE seq = 8")
    await run('DELETE FROM audit_log WHERE seq = 4')
    expect(await verdict()).toMatchObject({ seq: 4, problem: 'missing' })
  })

  describe('from a checkpoint on', () => {
    const from = async (size: number) => {
      const [start] = await use.store.auditTree.checkpointsAfter(size - 1, 1)
      return verdict({ from: start }, [100, 900])
    }

    it('checks what follows, also across stored levels, and says from where', async () => {
      await fill(700)
      await fill(900)
      expect(await from(1_001)).toMatchObject({ ok: true, since: 1_601, entries: 1_601 })
      expect(await from(500)).toMatchObject({ ok: true, since: 701, entries: 1_601, checkpoints: 1 })
      await run("UPDATE audit_log SET who = 'p2' WHERE seq = 1000")
      expect(await from(500)).toMatchObject({ seq: 1_000, problem: 'changed' })
    })

    it('takes nothing for verified whose hashes do not fit the signature', async () => {
      await fill(700)
      await fill(10)
      await rewrite(650)
      expect(await from(700)).toMatchObject({ seq: 701, problem: 'rewritten' })
    })

    it('checks all of a log that is shorter than the checkpoint to begin from', async () => {
      await fill(2)
      await fill(2)
      const start = await use.store.auditTree.checkpoint()
      await cutTo(3, { checkpoints: true })
      expect(await verdict({ from: start })).toMatchObject({ ok: true, since: 0, entries: 3, checkpoints: 1 })
    })

    it('notices a start that another key has signed', async () => {
      await fill(3)
      await fill(3)
      const { origin } = await use.store.auditTree.state()
      const [{ root } = { root: Buffer.alloc(32) }] = await use.store.auditTree.checkpointsAfter(3, 1)
      await run('UPDATE audit_checkpoints SET note = $1 WHERE size = 4', [
        newSigner().checkpoint({ origin, size: 4, root }),
      ])
      expect(await from(4)).toMatchObject({ seq: 4, problem: 'unknownKey' })
    })
  })

  describe('of a log that was a hash chain before', () => {
    const chain = async (count: number) => {
      let prev = '0'.repeat(64)
      for (let seq = 1; seq <= count; seq++) {
        const entry = { ...sampleEntry(), seq, at: 5_000 + seq, prev }
        const hash = digestOf(entry)
        await run(
          `INSERT INTO audit_log (id, seq, at, kind, who, name, platform, command, noun, change_id, doc, leaf, prev, hash)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', $12, $13)`,
          [
            `chain-${seq}`,
            seq,
            entry.at,
            entry.kind,
            entry.who,
            entry.name,
            entry.platform,
            entry.command,
            entry.command.split(' ')[0],
            entry.changeId,
            JSON.stringify(entry.doc),
            prev,
            hash,
          ],
        )
        prev = hash
      }
      await run('UPDATE audit_head SET seq = $1, hash = $2', [count, prev])
      await run('UPDATE audit_tree SET base = $1', [count])
    }

    it('checks the chain, whose end is the first leaf of the tree', async () => {
      await chain(3)
      await fill(2)
      expect(await verdict()).toMatchObject({ ok: true, entries: 7 })
      const [first] = (await use.store.audit.find({ limit: 9 })).filter(({ seq }) => seq === 4)
      expect(first).toMatchObject({ kind: 'log taken over', doc: { seq: 3 } })
    })

    it('tells where it is not the log of a checkpoint that was kept outside', async () => {
      await chain(3)
      await fill(2)
      const { origin, frontier } = await use.store.auditTree.state()
      const root = rootOf(frontier)
      const beside = (size: number, over: { origin?: string; root?: Buffer } = {}) =>
        verdict({ remembered: openNote(use.signer.checkpoint({ origin, size, root, ...over })) })
      expect(await beside(4)).toMatchObject({ ok: true, remembered: 4 })
      const first = await use.store.auditTree.hashOfRange({ from: 0, to: 2 })
      expect(await beside(2, { root: first })).toMatchObject({ ok: true, remembered: 2 })
      const problem = 'remembered'
      expect(await beside(5)).toMatchObject({ problem, seq: 8, fault: 'cut' })
      expect(await beside(2)).toMatchObject({ problem, seq: 5, fault: 'changed' })
      expect(await beside(4, { origin: 'bellhop/two' })).toMatchObject({ problem, seq: 1, fault: 'cut' })
    })

    it('notices what was changed in the old part, also with its hashes made to fit', async () => {
      await chain(3)
      await fill(2)
      await run("UPDATE audit_log SET who = 'p2' WHERE seq = 2")
      expect(await verdict()).toMatchObject({ seq: 2, problem: 'changed' })
      await run('DELETE FROM audit_log WHERE seq <= 3')
      await chain(3)
      expect(await verdict()).toMatchObject({ ok: true })
      for (const [column, value] of [
        ['noun', 'campaign'],
        ['doc', '{"line": "refund pay_1 20"}'],
        ['doc', 'not JSON'],
      ]) {
        await run(`UPDATE audit_log SET ${column} = $1 WHERE seq = 2`, [value])
        expect(await verdict(), value).toMatchObject({ seq: 2, problem: 'changed' })
        await run('DELETE FROM audit_log WHERE seq <= 3')
        await chain(3)
      }
      const entry = { ...sampleEntry(), who: 'p2', seq: 3, at: 5_003 }
      const [{ prev }] = (await use.store.auditTree.rowsAfter(2, 1)) as [{ prev: string }]
      await run('UPDATE audit_log SET who = $1, hash = $2 WHERE seq = 3', [
        'p2',
        digestOf({ ...entry, prev }),
      ])
      expect(await verdict()).toMatchObject({ seq: 3, problem: 'chain' })
      const other = 'f'.repeat(64)
      await run('UPDATE audit_log SET prev = $1, hash = $2 WHERE seq = 3', [
        other,
        digestOf({ ...entry, prev: other }),
      ])
      expect(await verdict()).toMatchObject({ seq: 3, problem: 'changed' })
    })

    it('notices that what was taken over is not the end of the old part', async () => {
      await chain(3)
      await run('UPDATE audit_head SET seq = 2')
      await fill(2)
      expect(await verdict()).toMatchObject({ seq: 3, problem: 'chain' })
    })
  })

  /** An insider with the database: the entry says something else, and its leaf fits. */
  const rewrite = async (seq: number) => {
    const [row] = (await use.store.auditTree.rowsAfter(seq - 1, 1)) as unknown as [AuditRow]
    const forged = { ...row, who: 'p2' }
    await run('UPDATE audit_log SET who = $1, leaf = $2 WHERE seq = $3', [
      forged.who,
      leafOf(forged).toString('base64'),
      seq,
    ])
  }
  const rebuild = async () => {
    const rows = (await use.store.auditTree.rowsAfter(0, 1_000)) as unknown as AuditRow[]
    const frontier = appendLeaves(emptyFrontier, rows.map(leafOf))
    await run('UPDATE audit_tree SET size = $1, frontier = $2', [
      frontier.size,
      JSON.stringify(frontier.hashes.map((hash) => hash.toString('base64'))),
    ])
    return rootOf(frontier)
  }
  const cutTo = async (seq: number, { checkpoints }: { checkpoints: boolean }) => {
    await run('DELETE FROM audit_log WHERE seq > $1', [seq])
    await rebuild()
    if (checkpoints) await run('DELETE FROM audit_checkpoints WHERE size > $1', [seq])
  }
})
