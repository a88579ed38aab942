import { expect, it } from 'vitest'
import { completeRefused, completeRequest, refusedTask } from '../../src/kernel/cards/request-end.ts'
import type { Messenger, RequestEnd } from '../../src/kernel/messenger/messenger.ts'
import { states } from '../../src/kernel/model/change.ts'
import { createFakeMessenger } from './fake-messenger.ts'
import { changeIn, outcome } from './sample.ts'

/** A messenger through which a program waits, and what it was told. */
const open = () => {
  const told: [string, RequestEnd][] = []
  const slack: Messenger = {
    ...createFakeMessenger('slack'),
    complete: async (handle, end) => void told.push([handle, end]),
  }
  return { told, core: { messengers: new Map([['slack', slack]]), now: () => 2_000 } }
}

const origin = { platform: 'slack', channel: null, handle: 'h1', direct: true } as const

it('whoever waits for a change is told its end, and nothing while it goes on', async () => {
  const { told, core } = open()
  for (const state of states)
    await completeRequest(core, changeIn(state, { origin, outcome: outcome('All done') }))
  const ends = ['applied', 'not_applied', 'failed', 'rejected', 'cancelled', 'expired', 'voided']
  expect(told.map(([handle, { id, state }]) => [handle, id, state])).toEqual(
    states.filter((state) => ends.includes(state)).map((state) => ['h1', 'c1', state]),
  )
  for (const [, { message }] of told) expect(message).not.toBe('')
})

it('nobody is told of a change for which nobody waits, or in a messenger that has no such thing', async () => {
  const { told, core } = open()
  await completeRequest(core, changeIn('applied', { outcome: outcome('All done') }))
  await completeRequest({ ...core, messengers: new Map() }, changeIn('applied', { origin }))
  expect(told).toEqual([])
})

it('a request of which no change came is told why', async () => {
  const { told, core } = open()
  const { doc, key, dueAt } = refusedTask({ platform: 'slack', handle: 'h1', message: 'No such payment.' }, 5)
  expect([key, dueAt]).toEqual(['complete:slack:h1', 5])
  await completeRefused(core, doc)
  expect(told).toEqual([['h1', { id: null, state: 'refused', message: 'No such payment.' }]])
})
