import { expect, it } from 'vitest'
import { jobs } from '../../../src/features/jobs/index.ts'
import { sampleChange } from '../../storage/sample.ts'
import { useStore } from '../../storage/store.ts'
import { partyOf, recordsFor } from '../two-workspaces.ts'

const use = useStore('sqlite')

it('jobs are what somebody sees of the changes behind them, with its own title', async () => {
  const preview = { title: 'Theirs', tone: 'warn' as const, blocks: [] }
  for (const change of [
    { id: 'here', requester: partyOf('al') },
    { id: 'there', requester: partyOf('tom'), preview },
  ])
    await use.store.changes.insert(sampleChange(change))
  const all = ['there', 'here', 'gone', null].map((changeId, n) => ({
    ...{ id: `j${n}`, state: 'running', total: n, updatedAt: n, changeId },
    ...{ since: 0, sinceDone: 0, upto: 1, reason: null },
  }))
  const figures = { done: 1, failed: 0, unknown: 0, left: 0, due: 0, sending: 0, noted: 0 }
  const bulk = {
    list: async (...asked: unknown[]) => {
      expect(asked).toEqual([['running', 'paused', 'waiting'], 5_001])
      return all
    },
    get: async (id: string) => all.find((one) => one.id === id) ?? null,
    ofChange: async (id: string) => all.find((one) => one.changeId === id) ?? null,
    figures: async () => figures,
  }
  const records = recordsFor(jobs, 'rob', { store: { ...use.store, bulk }, now: () => 0 })
  expect((await records.list()).items).toEqual([
    { id: 'j1', state: 'running', total: 1, updatedAt: 1, title: 'Refund pay_1' },
  ])
  for (const id of ['j1', 'here'])
    expect(await records.get(id), id).toMatchObject({ title: 'Refund pay_1', footer: 'Job j1' })
  for (const id of ['j0', 'there', 'j2', 'gone', 'j3', 'nowhere'])
    expect(await records.get(id), id).toBeUndefined()
})
