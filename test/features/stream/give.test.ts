import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { streamOn } from '../../../src/features/stream/give.ts'
import { createStreamCursors } from '../../../src/features/stream/store.ts'
import { ticks } from '../../../src/lib/clock.ts'
import { newFolder } from '../../harness/bot-process.ts'
import { eachEngine } from '../../harness/database.ts'
import { listen } from '../../harness/listen.ts'
import { whenDone } from '../../harness/when-done.ts'
import { sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'

eachEngine('the receiver of the audit log', (engine) => {
  const use = useStore(engine)
  const stream = (rule: object, secrets: Record<string, string> = {}, store: object = {}) =>
    streamOn(
      {
        store: { ...use.store, ...store },
        secretOf: (name: string) => secrets[name],
        ticks,
        version: '1.0',
      } as never,
      { addresses: false, ...rule } as never,
    )
  const append = async (count: number) => {
    await use.store.tx(async (store) => {
      for (let n = 0; n < count; n++) await store.audit.append(sampleEntry({ doc: { n } }))
    })
    while ((await use.sequence()) > 0);
  }
  const kinds = async () =>
    (await use.store.audit.find({ command: 'audit export', limit: 9 })).map(({ kind }) => kind)
  const emptied = () => use.test.db.run('DELETE FROM stream_cursors')

  it('is given what it does not have, in order and once, however many batches that takes', async () => {
    await emptied()
    const file = join(newFolder(), 'audit.jsonl')
    const numbers = () =>
      readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).metadata.sequence)
    await append(1_000)
    expect(await stream({ file })).toBe(false)
    expect(numbers()).toEqual(Array.from({ length: 1_001 }, (_, at) => at + 1))
    expect(await stream({ file })).toBe(false)
    await append(2)
    await stream({ file })
    expect(numbers()).toEqual(Array.from({ length: 1_003 }, (_, at) => at + 1))
    // Of numbers with one missing, those before it: the missing one may be seen a moment later.
    await append(3)
    const { db } = use.test
    await db.run('UPDATE audit_log SET seq = 9005 WHERE seq = 1005')
    await stream({ file })
    expect(numbers().at(-1)).toBe(1_004)
    await db.run('UPDATE audit_log SET seq = 1005 WHERE seq = 9005')
    await stream({ file })
    expect(numbers()).toEqual(Array.from({ length: 1_006 }, (_, at) => at + 1))
  })

  it('is given the rest in another turn when it takes long', async () => {
    await emptied()
    const file = join(newFolder(), 'audit.jsonl')
    await append(600)
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    whenDone(() => clock.mockRestore())
    const cursors = use.store.of(createStreamCursors)
    const move: typeof cursors.move = (...moved) => {
      clock.mockReturnValue(10_000)
      return cursors.move(...moved)
    }
    expect(await stream({ file }, {}, { of: () => ({ ...cursors, move }) })).toBe(true)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(500)
    clock.mockRestore()
    expect(await stream({ file })).toBe(false)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(601)
  })

  it('over https is sent its token, is away on record while it does not take them, and back once it does', async () => {
    await emptied()
    await use.test.db.run('DELETE FROM witness_gaps')
    const seen: (string | undefined)[] = []
    const answer = { status: 200 }
    const server = createServer(async (request, response) => {
      seen.push(request.headers.authorization)
      await text(request)
      response.writeHead(answer.status).end()
    })
    const { origin, close } = await listen(server)
    whenDone(close)
    const https = `${origin}/`
    const withToken = { https, token: { env: 'SIEM' } }
    await append(1)
    await expect(stream(withToken)).rejects.toThrow('its token is missing: SIEM is not set')
    await expect(stream(withToken)).rejects.toThrow('SIEM is not set')
    expect([await kinds(), seen]).toEqual([['stream away'], []])
    await stream(withToken, { SIEM: 'secret' })
    expect([await kinds(), seen]).toEqual([['stream back', 'stream away'], ['Bearer secret']])
    await append(1)
    answer.status = 503
    await expect(stream(withToken, { SIEM: 'secret' })).rejects.toThrow('503')
    expect(await kinds()).toEqual(['stream away', 'stream back', 'stream away'])
    answer.status = 204
    await stream(withToken, { SIEM: 'secret' })
    await emptied()
    await stream({ https })
    expect(seen.at(-1)).toBeUndefined()
    expect(await kinds()).toHaveLength(4)
  })

  it('that cannot be asked because of something else is not said to be away', async () => {
    await emptied()
    await use.test.db.run('DELETE FROM witness_gaps')
    await append(1)
    const broken = { ...use.store, of: () => ({ at: async () => Promise.reject(new Error('ours')) }) }
    await expect(
      streamOn(
        { store: broken, secretOf: () => undefined, ticks, version: '1' } as never,
        { file: 'x' } as never,
      ),
    ).rejects.toThrow('ours')
    expect(await kinds()).toEqual([])
  })
})
