import { expect, it } from 'vitest'
import { agentOf, agentPolicy } from '../../mcp/harness.ts'
import { sampleChange } from '../../storage/sample.ts'
import { openHarness } from '../harness.ts'

it('an agent finds what it has asked for behind any number of pages of its owner’s requests', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  const { requester } = sampleChange()
  const owner = { ...requester, person: 'sam' }
  const put = (id: string, updatedAt: number, by: typeof requester) =>
    store.changes.insert(sampleChange({ id, updatedAt, requester: by }))
  await put('oldest', 1, { ...owner, agent: 'helper' })
  for (let at = 0; at < 100; at++) await put(`own${at}`, 10 + at, owner)
  await put('newest', 200, { ...owner, agent: 'helper' })
  const { agents } = app.bot
  const from = agentOf('helper')
  expect((await agents.waiting(from)).map(({ id }) => id)).toEqual(['newest', 'oldest'])
  const { changes, more } = await agents.changes(from, { limit: 1, before: { updatedAt: 200, id: 'newest' } })
  expect(changes.map(({ id }) => id)).toEqual(['oldest'])
  expect(more).toEqual({ updatedAt: 1, id: 'oldest' })
})
