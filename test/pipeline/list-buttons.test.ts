import { expect, test } from 'vitest'
import type { Reply } from '../../src/kernel/messenger/inbound.ts'
import { readCsv } from '../../src/lib/codecs/csv.ts'
import type { Request, View } from '../../src/lib/view/view.ts'
import { openHarness } from './harness.ts'

const harness = await openHarness()
const viewIn = (reply: Reply): View => {
  if (reply.kind !== 'answer') throw new Error(reply.kind)
  return reply.view
}
const requestsIn = ({ blocks }: View): Request[] =>
  blocks.flatMap((block) => (block.kind === 'requests' ? block.requests : []))

test('what waits is a line each: the sentence, who asks since when, what is needed, and what the reader can press', async () => {
  const change = await harness.ask(`refund ${harness.payment()} 400`)
  const [own] = requestsIn(viewIn(await harness.say('approval list', 'sam')))
  const [other] = requestsIn(viewIn(await harness.say('approval list', 'fay')))
  expect(own?.actions.map(({ verb }) => verb)).not.toContain('approve')
  expect(other).toMatchObject({
    title: change.preview.title,
    by: 'Sam Support',
    thing: { kind: 'change', id: change.id },
  })
  expect(other?.needs.join(' ')).toMatch(/Needs 2 approvals from finance/)
  expect(other?.actions.filter(({ isMore }) => !isMore).map(({ verb }) => verb)).toEqual(['approve'])
  expect(other?.actions.filter(({ isMore }) => isMore).map(({ verb }) => verb)).toEqual(
    expect.arrayContaining(['reject', 'show_all']),
  )
  expect(own?.actions.filter(({ isMore }) => !isMore).map(({ verb }) => verb)).toEqual(['remind'])
  expect(own?.actions.find(({ verb }) => verb === 'cancel')?.label).toBe('Withdraw')
})

test('a press in the list is the vote on that card, and the list stays a list', async () => {
  const change = await harness.ask(`refund ${harness.payment()} 100`)
  const { blocks } = viewIn(await harness.say('approval list', 'fay'))
  const button = requestsIn({ title: '', tone: 'plain', blocks })
    .find(({ thing }) => thing.id === change.id)
    ?.actions.find(({ verb }) => verb === 'approve')
  expect(button?.id).toMatch(/\.list1$/)
  await harness.press('approve', button?.id ?? '', 'fay')
  expect((await harness.stored(change)).state).toBe('applied')
  expect(await harness.store.cards.of(change.id)).not.toContainEqual(
    expect.objectContaining({ place: 'adopted' }),
  )
})

test('a row is taken by its number, for what the list said of it', async () => {
  const change = await harness.ask(`refund ${harness.payment()} 95`)
  const rows = requestsIn(viewIn(await harness.say('approval list', 'fay')))
  const number = rows.findIndex(({ thing }) => thing.id === change.id) + 1
  const none = await harness.say('approve 77', 'fay')
  expect(none).toMatchObject({ kind: 'refused', refusal: { code: 'no_such_change' } })
  // Somebody else has been shown no list, so no row is theirs.
  await harness.say(`approve ${number}`, 'finn')
  expect((await harness.stored(change)).votes).toEqual([])
  await harness.say(`approve ${number}`, 'fay')
  expect((await harness.stored(change)).state).toBe('applied')
})

test('a row that has changed since it was shown counts for nothing, and the card is shown', async () => {
  const change = await harness.ask(`refund ${harness.payment()} 96`)
  const rows = requestsIn(viewIn(await harness.say('approval list', 'fay')))
  const number = rows.findIndex(({ thing }) => thing.id === change.id) + 1
  await harness.say(`approval change ${change.id} --amount 97`, 'sam')
  const late = await harness.say(`approve ${number}`, 'fay')
  expect(late).toMatchObject({ kind: 'refused', refusal: { code: 'changed_since' } })
  expect((await harness.stored(change)).votes).toEqual([])
  const rejected = requestsIn(viewIn(await harness.say('approval list', 'fay')))
  const again = rejected.findIndex(({ thing }) => thing.id === change.id) + 1
  await harness.say(`reject ${again} paid back in cash`, 'fay')
  expect(await harness.stored(change)).toMatchObject({
    state: 'rejected',
    ended: { reason: 'paid back in cash' },
  })
})

test('all that a list offers is approved with one press, which says the sums and what each still needs', async () => {
  const asked = [
    await harness.ask(`refund ${harness.payment()} 400`),
    await harness.ask(`refund ${harness.payment()} 400`),
  ]
  const view = viewIn(await harness.say('approval list', 'fay'))
  const all = view.actions?.find(({ verb }) => verb === 'approve_all')
  expect(all?.label).toMatch(/^Approve all \d+ \(.+\)$/)
  const told = viewIn(await harness.press('approve_all', all?.id ?? '', 'fay'))
  expect(JSON.stringify(told)).toMatch(/needs one more: F/)
  for (const one of asked) expect((await harness.stored(one)).votes).toHaveLength(1)
})

test('a list shows four columns at most, and all of them are in its file', async () => {
  const reply = await harness.say('audit find --command refund', 'fay')
  const file = viewIn(reply).actions?.find(({ verb }) => verb === 'file')
  const given = await harness.press('file', file?.id ?? '', 'fay')
  if (given.kind !== 'answer' || given.file === undefined) throw new Error(given.kind)
  const [labels, first] = [...readCsv(given.file.content)]
  expect(labels?.cells).toContain('Change')
  expect(first?.cells[1]).toMatch(/^\d{4}-\d\d-\d\dT/)
})
