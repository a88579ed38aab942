import { describe, expect, it } from 'vitest'
import { reports } from '../../../src/features/reports/index.ts'
import { sampleChange, sampleEntry } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'
import { partyOf, recordsFor } from '../two-workspaces.ts'

describe('figures', () => {
  const use = useStore('sqlite')
  const insert = async (...changes: [id: string, person: string][]) => {
    for (const [id, person] of changes)
      await use.store.changes.insert(sampleChange({ id, requester: partyOf(person) }))
  }
  const countedFor = (id: string, store: object = {}) =>
    recordsFor(reports, id, { store: { ...use.store, ...store } }).changes(0)

  it('are what the log says of the changes of their workspaces, and all of it to who is of all', async () => {
    await insert(['here', 'al'], ['there', 'tom'])
    for (const changeId of ['here', 'there', 'pruned'])
      await use.store.audit.append(sampleEntry({ changeId }))
    const counted = async (id: string) =>
      (await countedFor(id)).map((change) => (change.isSeen ? change.id : 'not shown')).sort()
    expect(await counted('bea')).toEqual(['here', 'pruned', 'there'])
    expect(await counted('rob')).toEqual(['here'])
    expect(await counted('tom')).toEqual(['there'])
    expect(await counted('cy')).toEqual(['not shown'])
  })

  it('are read two hundred changes at a time', async () => {
    const ids = Array.from({ length: 400 }, (_, n) => `k${n}`)
    await use.store.tx(async (store) => {
      for (const changeId of ids) await store.audit.append(sampleEntry({ changeId }))
    })
    await insert(['k399', 'al'])
    const asked: number[] = []
    const list = (filter: Parameters<typeof use.store.changes.list>[0]) => {
      asked.push(filter.ids?.length ?? 0)
      return use.store.changes.list(filter)
    }
    expect(await countedFor('rob', { changes: { ...use.store.changes, list } })).toMatchObject([
      { id: 'k399' },
    ])
    expect(asked).toEqual([200, 200])
  })
})
