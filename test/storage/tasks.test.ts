import { expect, it } from 'vitest'
import type { Task, TaskInput } from '../../src/kernel/store/tasks.ts'
import { eachEngine } from '../harness/database.ts'
import { useStore } from './store.ts'

eachEngine('tasks', (engine) => {
  const use = useStore(engine)
  const put = (key: string, dueAt = 1, kind = 'tell', doc: unknown = { key }) =>
    use.store.tasks.put({ kind, key, doc, dueAt })
  const take = (owner = 'one', limit = 9) => use.store.tasks.take({ limit, leaseMs: 1_000, owner })
  const only = async (owner = 'one'): Promise<Task> => {
    const [task] = await take(owner)
    if (!task) throw new Error('there is no task to take')
    return task
  }

  it('are given back when their owner will not finish them, and nobody else’s', async () => {
    await put('lost')
    await take('dead', 1)
    await put('kept')
    await take('alive', 1)
    expect((await use.store.tasks.owners()).toSorted()).toEqual(['alive', 'dead'])
    expect(await use.store.tasks.release('dead')).toBe(1)
    expect(await use.store.tasks.owners()).toEqual(['alive'])
    expect((await take('next')).map(({ key }) => key)).toEqual(['lost'])
  })

  it('that come with a delivery are put as any other is, also over one that is there', async () => {
    const stored = async (putIt: (task: TaskInput) => Promise<unknown>) => {
      for (const kind of ['tell', 'chunk']) {
        await putIt({ kind, key: 'a', doc: { kind }, dueAt: kind === 'tell' ? 9 : 1 })
        await putIt({ kind, key: 'b', doc: { kind }, dueAt: kind === 'tell' ? 1 : 9 })
      }
      const found = await take()
      await use.store.tasks.drop(['a', 'b'])
      return found.toSorted((one, other) => one.key.localeCompare(other.key))
    }
    let n = 0
    const delivered = await stored((task) => {
      n += 1
      return use.store.deliveries.take(`d${n}`, task)
    })
    expect(delivered).toEqual(await stored((task) => use.store.tasks.put(task)))
    expect(delivered.map(({ kind, dueAt, revision }) => [kind, dueAt, revision])).toEqual([
      ['chunk', 1, 2],
      ['chunk', 1, 2],
    ])
  })

  it('gives due tasks, the longest due first', async () => {
    await put('b', 2)
    await put('a', 1)
    await put('future', use.clock.now + 1)
    expect(await take('one')).toEqual([
      {
        key: 'a',
        kind: 'tell',
        doc: { key: 'a' },
        dueAt: 1,
        attempts: 0,
        error: null,
        revision: 1,
        owner: 'one',
      },
      {
        key: 'b',
        kind: 'tell',
        doc: { key: 'b' },
        dueAt: 2,
        attempts: 0,
        error: null,
        revision: 1,
        owner: 'one',
      },
    ])
  })

  it('are held by whoever puts them as its own, those that are due, unless somebody has them', async () => {
    const hold = { leaseMs: 1_000, owner: 'one' }
    const { tasks } = use.store
    const inputOf = (key: string, dueAt: number) => ({ kind: 'tell', key, doc: { key }, dueAt })
    const later = use.clock.now + 1
    await put('running')
    await take('two')
    await put('old')
    const held = await tasks.putHeld(
      hold,
      inputOf('new', 1),
      inputOf('old', 1),
      inputOf('running', 1),
      inputOf('later', later),
    )
    expect(held.map(({ key, revision, owner }) => [key, revision, owner]).toSorted()).toEqual([
      ['new', 1, 'one'],
      ['old', 2, 'one'],
    ])
    expect(await take('three')).toEqual([])
    for (const task of held) expect(await tasks.done(task)).toBe(true)
    use.clock.now = later
    expect((await take('three')).map(({ key }) => key)).toEqual(['later'])
    use.clock.now += 1_000
    expect((await take('three')).map(({ key, revision }) => [key, revision]).toSorted()).toEqual([
      ['later', 1],
      ['running', 2],
    ])
  })

  it('that were put as one’s own and put again before they were done are done again', async () => {
    const [task] = await use.store.tasks.putHeld(
      { leaseMs: 1_000, owner: 'one' },
      { kind: 'tell', key: 'a', doc: 'old', dueAt: 1 },
    )
    if (task === undefined) throw new Error('it is not held')
    await put('a', 1, 'tell', 'new')
    expect(await use.store.tasks.done(task)).toBe(false)
    expect(await only('two')).toMatchObject({ doc: 'new', revision: 2 })
  })

  it('gives as many as it is asked for, the longest due first', async () => {
    await put('b', 2)
    await put('a', 1)
    await put('c', 3)
    expect((await take('one', 2)).map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('hands a task to nobody else until the lease ends', async () => {
    await put('a')
    await take('one')
    expect(await take('two')).toEqual([])
    use.clock.now += 1_000
    expect((await take('two')).map(({ owner }) => owner)).toEqual(['two'])
  })

  it('never hands a task to two, whoever takes at once', async () => {
    await use.store.tx(async (store) => {
      for (let index = 0; index < 100; index++) {
        await store.tasks.put({ kind: 'tell', key: `t${index}`, doc: null, dueAt: 1 })
      }
    })
    const taken = (await Promise.all(Array.from({ length: 40 }, (_, index) => take(`o${index}`, 5)))).flat()
    expect(new Set(taken.map(({ key }) => key)).size).toBe(taken.length)
    const rest = await take('last', 100)
    expect(taken.length + rest.length).toBe(100)
  })

  it('is over when it is done', async () => {
    await put('a')
    expect(await use.store.tasks.done(await only())).toBe(true)
    expect(await use.store.tasks.pending()).toEqual({})
  })

  it('runs again when it was put again while it ran', async () => {
    await put('a', 1, 'tell', 'old')
    const task = await only()
    await put('a', 1, 'tell', 'new')
    expect(await take('two')).toEqual([])
    expect(await use.store.tasks.done(task)).toBe(false)
    expect(await only('two')).toMatchObject({ doc: 'new', revision: 2, owner: 'two' })
  })

  it('put again, keeps its attempts and takes the earlier due time', async () => {
    await put('a')
    await use.store.tasks.postpone(await only(), 50_000, 'no answer')
    await put('a', 60_000)
    use.clock.now = 50_000
    expect(await only()).toMatchObject({ attempts: 1, error: 'no answer', dueAt: 50_000 })
  })

  it('comes back later when it is postponed', async () => {
    await put('a')
    await use.store.tasks.postpone(await only(), 11_000, 'no answer')
    expect(await take()).toEqual([])
    use.clock.now = 11_000
    expect(await only()).toMatchObject({ attempts: 1, error: 'no answer' })
  })

  it('put while it ran, is not put off with what failed', async () => {
    await put('a')
    const task = await only()
    await put('a', 2)
    await use.store.tasks.postpone(task, 90_000, 'no answer')
    expect(await only()).toMatchObject({ attempts: 1, dueAt: 1 })
  })

  it('is neither postponed nor put to be done again by somebody who lost it', async () => {
    await put('a')
    const lost = await only('one')
    use.clock.now += 1_000
    const held = await only('two')
    await use.store.tasks.postpone(lost, 2, 'late')
    await use.store.tasks.again(lost, 2)
    expect(await take('three')).toEqual([])
    await use.store.tasks.postpone(held, 3, 'no answer')
    expect(await only('three')).toMatchObject({ attempts: 1, dueAt: 3, error: 'no answer' })
  })

  it('done again, has no attempts behind it', async () => {
    await put('a')
    await use.store.tasks.postpone(await only(), 1, 'no answer')
    await use.store.tasks.again(await only(), 11_000)
    expect(await take()).toEqual([])
    use.clock.now = 11_000
    expect(await only()).toMatchObject({ attempts: 0, error: null })
  })

  it('is counted by kind', async () => {
    await put('a')
    await put('b', 99_999)
    await put('c', 1, 'chunk')
    expect(await use.store.tasks.pending()).toEqual({ tell: 2, chunk: 1 })
  })
})
