import { describe, expect, it } from 'vitest'
import { verify } from '../../src/audit/verify.ts'
import { genesis, hashOf } from '../../src/model/audit-entry.ts'
import { eachEngine } from '../harness/database.ts'
import { sampleEntry } from '../storage/sample.ts'
import { useStore } from '../storage/store.ts'

eachEngine('verification of the audit log', (engine) => {
  const use = useStore(engine)
  const fill = (count = 5) =>
    use.store.tx(async (store) => {
      for (let index = 1; index <= count; index++) {
        await store.audit.append(sampleEntry({ doc: { line: `refund pay_${index}` } }))
      }
    })
  const run = (sql: string, params: unknown[] = []) => use.test.db.run(sql, params)
  const entry = async (seq: number) => {
    const found = (await use.store.audit.find({ before: seq + 1, limit: 1 }))[0]
    if (!found) throw new Error(`there is no entry ${seq}`)
    return found
  }

  it('finds an empty log sound', async () => {
    expect(await verify(use.store)).toEqual({ ok: true, entries: 0, head: genesis })
  })

  it('finds a log of several pages sound, and names its head', async () => {
    await fill(2_001)
    const head = { seq: 2_001, hash: (await entry(2_001)).hash }
    expect(await verify(use.store)).toEqual({ ok: true, entries: 2_001, head })
  })

  it('does not mind entries that arrive while it walks', async () => {
    await fill(1_500)
    const [verdict] = await Promise.all([verify(use.store), fill(50), fill(50)])
    expect(verdict.ok).toBe(true)
  })

  const edits: [column: string, value: string][] = [
    ['at', '1'],
    ['kind', "'voted'"],
    ['who', "'p2'"],
    ['name', "'Eve'"],
    ['platform', "'discord'"],
    ['command', "'refund '"],
    ['noun', "'campaign'"],
    ['change_id', 'NULL'],
    ['doc', `'{"line":"refund pay_9"}'`],
    ['doc', `'{"line": "refund pay_3"}'`],
    ['doc', `'not JSON'`],
    ['doc', `'[]'`],
    ['prev', `'${'0'.repeat(63)}1'`],
    ['hash', `'${'0'.repeat(63)}1'`],
  ]
  describe.each([1, 3, 5])('with entry %i edited', (seq) => {
    it.each(edits)('notices %s = %s', async (column, value) => {
      await fill()
      await run(`UPDATE audit SET ${column} = ${value} WHERE seq = $1`, [seq])
      expect(await verify(use.store)).toEqual({
        ok: false,
        seq,
        problem: 'changed',
        sentence: `Entry ${seq} of the audit log is not as it was written.`,
      })
    })
  })

  it.each([1, 3, 5])('names the missing entry %i', async (seq) => {
    await fill()
    await run('DELETE FROM audit WHERE seq = $1', [seq])
    expect(await verify(use.store)).toMatchObject({ ok: false, seq, problem: 'missing' })
  })

  it('notices that the last entries are gone, and that all are', async () => {
    await fill()
    await run('DELETE FROM audit WHERE seq > 3')
    expect(await verify(use.store)).toMatchObject({ seq: 4, problem: 'missing' })
    await run('DELETE FROM audit')
    expect(await verify(use.store)).toMatchObject({ seq: 1, problem: 'missing' })
  })

  it('notices entries that changed places', async () => {
    await fill()
    await run('UPDATE audit SET seq = 99 WHERE seq = 2')
    await run('UPDATE audit SET seq = 2 WHERE seq = 4')
    await run('UPDATE audit SET seq = 4 WHERE seq = 99')
    expect(await verify(use.store)).toMatchObject({ seq: 2, problem: 'changed' })
  })

  it('notices an edit whose hash was made to fit: the next entry does not follow', async () => {
    await fill()
    const forged = { ...(await entry(3)), who: 'p2' }
    await run('UPDATE audit SET who = $1, hash = $2 WHERE seq = 3', [forged.who, hashOf(forged)])
    expect(await verify(use.store)).toMatchObject({ seq: 4, problem: 'forked' })
  })

  it('notices an edit of the last entry whose hash was made to fit: the head tells', async () => {
    await fill()
    const forged = { ...(await entry(5)), who: 'p2' }
    await run('UPDATE audit SET who = $1, hash = $2 WHERE seq = 5', [forged.who, hashOf(forged)])
    expect(await verify(use.store)).toMatchObject({ seq: 5, problem: 'changed' })
  })

  it.each([6, 0, -4])('notices a planted entry %i', async (seq) => {
    await fill()
    const last = await entry(5)
    const planted = { ...last, seq, prev: last.hash }
    await run(
      `INSERT INTO audit (seq, at, kind, who, name, platform, command, noun, change_id, doc, prev, hash)
       SELECT $1, at, kind, who, name, platform, command, noun, change_id, doc, $2, $3 FROM audit WHERE seq = 5`,
      [seq, planted.prev, hashOf(planted)],
    )
    expect(await verify(use.store)).toMatchObject({ seq, problem: 'added' })
  })

  it('notices a head that was moved or removed', async () => {
    await fill()
    await run('UPDATE audit_head SET seq = 7')
    expect(await verify(use.store)).toMatchObject({ seq: 6, problem: 'missing' })
    await run('UPDATE audit_head SET seq = 4')
    expect(await verify(use.store)).toMatchObject({ seq: 5, problem: 'added' })
    const head = await entry(5)
    await run('DELETE FROM audit_head')
    expect(await verify(use.store)).toMatchObject({ seq: 6, problem: 'headless' })
    await expect(use.store.audit.append(sampleEntry())).rejects.toMatchObject({ kind: 'failed' })
    await run('INSERT INTO audit_head (id, seq, hash) VALUES (1, 5, $1)', [head.hash])
    expect(await verify(use.store)).toMatchObject({ ok: true })
  })

  it('names the first of several bad entries', async () => {
    await fill(10)
    await run("UPDATE audit SET who = 'p2' WHERE seq = 8")
    await run('DELETE FROM audit WHERE seq = 4')
    expect(await verify(use.store)).toMatchObject({ seq: 4, problem: 'missing' })
  })
})
