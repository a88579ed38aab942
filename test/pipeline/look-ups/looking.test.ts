import { expect, it } from 'vitest'
import { homeView } from '../../../adapters/slack/home/home-view.ts'
import { deedWords, entryKindWords } from '../../../src/kernel/model/audit-entry.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { buttonOf, openHarness } from '../harness.ts'
import { policy } from '../policy.ts'

it.each(['show_all', 'why'] as const)('whoever opens a change by %s did nothing to it', async (verb) => {
  const harness = await openHarness({ policy, tasks: false })
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  const done = async () => (await harness.store.audit.find({ changesOnly: true, limit: 20 })).length
  const before = await done()
  expect((await harness.press(verb, buttonOf(change), 'fay')).kind).toBe('answer')
  const [entry] = await harness.store.audit.find({ changeId: change.id, limit: 1 })
  expect(entry).toMatchObject({ kind: 'opened', who: 'fay', command: 'refund', changeId: change.id })
  expect(await done()).toBe(before)
  const counted = []
  for await (const one of harness.store.audit.stream({ changesOnly: true })) counted.push(one.kind)
  expect(counted).not.toContain('opened')
  // Not beside what was done, and where look-ups are listed too, as looking.
  const home = JSON.stringify(await homeView(harness.app.bot.readsOf(fromOf('fay'))))
  expect(home).not.toMatch(/Fay (ran|opened|looked at) refund/)
  expect(textOf(await harness.say('audit find', 'fay'))).not.toContain('looked at')
  const all = textOf(await harness.say('audit find --all', 'fay'))
  expect(all).toContain('looked at: Refund 60')
  expect(all).not.toContain('ran: Refund 60')
})

it('what an older version wrote of somebody who looked at a change is told as looking', () => {
  expect(entryKindWords({ kind: 'ran', changeId: 'c1' })).toBe('looked at')
  expect(entryKindWords({ kind: 'ran', changeId: null })).toBe('ran')
  expect(entryKindWords({ kind: 'applied', changeId: 'c1' })).toBe('applied')
  expect(deedWords({ kind: 'opened', changeId: 'c1', name: 'Fay' })).toBe('looked at, by Fay')
})
