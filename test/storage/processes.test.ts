import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { verify } from '../../src/kernel/log/verify.ts'
import { allMigrations } from '../../src/kernel/store/database/migrations.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { sampleChange } from './sample.ts'

const count = 150
const everything = Array.from({ length: count }, (_, index) => index)

eachEngine('two processes on one database', (engine) => {
  it('migrate it once between them, and never win the same thing', async () => {
    const test = await openTestDatabase(engine, { empty: true })
    const racers = ['one', 'two'].map((owner) =>
      fork(join(import.meta.dirname, 'racer.ts'), [owner, String(count)], {
        env: { ...process.env, DATABASE_URL: test.url ?? '', DATA_DIR: test.dataDir ?? '' },
        execArgv: [],
      }),
    )
    try {
      await Promise.all(racers.map(nextMessage))
      const store = createStore(test.db, { now: Date.now })
      expect(await test.db.run('UPDATE migrations SET at = at')).toBe(allMigrations().length)
      for (const index of everything) {
        await store.changes.insert(sampleChange({ id: `c${index}` }))
        await store.tasks.put({ kind: 'tell', key: `t${index}`, doc: null, dueAt: 1 })
      }
      const answers = racers.map(nextMessage)
      for (const racer of racers) racer.send('go')
      const won = (await Promise.all(answers)) as {
        claims: number[]
        deliveries: number[]
        tasks: string[]
      }[]

      expect(won.flatMap(({ claims }) => claims).sort(byNumber)).toEqual(everything)
      expect(won.flatMap(({ deliveries }) => deliveries).sort(byNumber)).toEqual(everything)
      const tasks = won.flatMap(({ tasks: taken }) => taken)
      expect(new Set(tasks).size).toBe(tasks.length)
      expect(tasks).toHaveLength(count)
      await store.auditTree.sequence(newSigner())
      expect(await verify(store)).toMatchObject({ ok: true, entries: count + 1 })
    } finally {
      for (const racer of racers) racer.kill('SIGKILL')
      await test.close()
    }
  })
})

const nextMessage = async (child: ChildProcess): Promise<unknown> => {
  const early = once(child, 'exit').then(() => Promise.reject(new Error('the process ended too early')))
  early.catch(() => undefined)
  const [message] = await Promise.race([once(child, 'message'), early])
  return message
}

const byNumber = (one: number, other: number): number => one - other
