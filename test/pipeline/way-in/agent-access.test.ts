import { expect, it } from 'vitest'
import type { Change } from '../../../src/kernel/model/change.ts'
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

it('what waits is the newest fifty of what the agent itself has asked for, and nothing that has ended', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  const requester = { ...sampleChange().requester, person: 'sam', agent: 'helper' }
  const put = (id: string, over: Partial<Change>) =>
    store.changes.insert(sampleChange({ id, requester, ...over }))
  await put('ended', { state: 'applied', updatedAt: 99 })
  await put('others', { requester: { ...requester, agent: 'frugal' }, updatedAt: 98 })
  for (let at = 0; at <= 50; at++)
    await put(`c${at}`, { updatedAt: at, state: at % 2 ? 'unknown' : 'pending' })
  const waiting = await app.bot.agents.waiting(agentOf('helper'))
  expect(waiting.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => `c${50 - at}`))
})

it('an agent is told of its own request, and neither of one of its owner nor of one that there is not', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  const { agents } = app.bot
  const owner = { ...sampleChange().requester, person: 'sam', platform: 'terminal', account: 'sam' }
  const agent = { ...owner, platform: 'mcp', account: 'helper', agent: 'helper' }
  const own = sampleChange({ id: 'own', requester: agent })
  const theirs = sampleChange({ id: 'theirs', requester: owner })
  for (const change of [own, theirs]) await store.changes.insert(change)
  const from = agentOf('helper')
  expect(await agents.change(from, 'own')).toMatchObject({ id: 'own' })
  expect([await agents.change(from, 'theirs'), await agents.change(from, 'none')]).toEqual([
    undefined,
    undefined,
  ])
  expect([agents.owns(from, own), agents.owns(from, theirs)]).toEqual([true, false])
  expect(agents.owns(agentOf('frugal'), own)).toBe(false)
})

it('the first answer to a request is kept for the agent that was given it, and for no other', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  const { agents } = app.bot
  await agents.keepAnswer(agentOf('helper'), 'c1', { state: 'pending' })
  expect(await agents.firstAnswer(agentOf('helper'), 'c1')).toEqual({ ok: true, value: { state: 'pending' } })
  expect(await agents.firstAnswer(agentOf('frugal'), 'c1')).toEqual({ ok: true, value: undefined })
  expect(await agents.firstAnswer(agentOf('helper'), 'c2')).toEqual({ ok: true, value: undefined })
  expect(await store.answers.recent('sam', 0, 9)).toEqual([])
})

it('what an agent looked at is in the log by what it called, with the whole line', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  for (const line of ['requests', 'change_get c1']) await app.bot.agents.recordRead(agentOf('helper'), line)
  const entries = await store.audit.find({ who: 'sam', limit: 9 })
  expect(entries).toMatchObject([
    { kind: 'ran', command: 'change_get', doc: { line: 'change_get c1', agent: 'helper' } },
    { kind: 'ran', command: 'requests', doc: { line: 'requests', agent: 'helper' } },
  ])
})

it('an agent reads what it may run, and why no agent is served', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  const { agents } = app.bot
  const from = agentOf('helper')
  expect(agents.all.map(({ id }) => id)).toEqual(['helper', 'clerk', 'frugal'])
  const { agent, lookUps, changes } = agents.policyFor(from)
  expect(agent).toBe('Helper')
  expect(lookUps).toContain('subscriber get')
  expect(lookUps).not.toContain('campaign get')
  expect(changes.map(({ command }) => command)).toContain('refund')
  expect(changes.map(({ command }) => command)).not.toContain('freeze')
  expect(await agents.refuseFrozen(from)).toBeUndefined()
  await store.freezes.set({ area: 'agents', by: 'fay', name: 'Fay', reason: 'a leak', at: 0 })
  expect(await agents.refuseFrozen(from)).toMatchObject({ code: 'frozen' })
})

it('a program that waits for a refused request is told so at once, and once', async () => {
  const { app, store } = await openHarness({ tasks: false, policy: agentPolicy })
  let woken = 0
  app.core.wake = () => void woken++
  for (const message of ['no such payment', 'no such payment either'])
    await app.bot.agents.oweRefusal('slack', 'step-1', message)
  expect(woken).toBe(2)
  expect(await store.tasks.pending()).toMatchObject({ complete_refused: 1 })
})
