import { expect, test } from 'vitest'
import { readCsv } from '../../src/bulk/csv.ts'
import type { Reply } from '../../src/messenger/inbound.ts'
import type { Request, View } from '../../src/view/view.ts'
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
  expect(other?.actions.filter(({ isMore }) => !isMore).map(({ verb }) => verb)).toEqual([
    'approve',
    'ask',
    'reject',
  ])
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

test('a list shows four columns at most, and all of them are in its file', async () => {
  const reply = await harness.say('audit find --command refund', 'fay')
  const file = viewIn(reply).actions?.find(({ verb }) => verb === 'file')
  const given = await harness.press('file', file?.id ?? '', 'fay')
  if (given.kind !== 'answer' || given.file === undefined) throw new Error(given.kind)
  const [labels, first] = [...readCsv(given.file.content)]
  expect(labels?.cells).toContain('Change')
  expect(first?.cells[1]).toMatch(/^\d{4}-\d\d-\d\dT/)
})
