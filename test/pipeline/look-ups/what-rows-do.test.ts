import { expect, it } from 'vitest'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { TableBlock, Verb, View } from '../../../src/lib/view/view.ts'
import { textOf } from '../../harness/app.ts'
import { buttonOf, openHarness, refusalOf } from '../harness.ts'

const harness = await openHarness({ tasks: false })
const { say, ask, click, press, payment, store } = harness

const viewOf = (reply: Reply): View => {
  if (!('view' in reply)) throw new Error(JSON.stringify(reply))
  return reply.view
}
const tableIn = (reply: Reply): TableBlock => {
  const found = viewOf(reply).blocks.find((block) => block.kind === 'table')
  if (found === undefined) throw new Error('no table')
  return found
}
const verbsOfRows = (reply: Reply): Verb[][] =>
  viewOf(reply).blocks.flatMap((block) =>
    block.kind === 'requests' ? block.requests.map(({ actions }) => actions.map(({ verb }) => verb)) : [],
  )

it('what is approved for later has Change the time and Cancel in the list, for whoever may', async () => {
  const change = await ask(`refund ${payment()} 60 --at "in 2h"`)
  await click('approve', change, 'fay')
  const verbs = async (person: string) => verbsOfRows(await say('approval list', person))
  expect(await verbs('sam')).toEqual([expect.arrayContaining(['retime', 'cancel'])])
  expect(await verbs('kim')).toEqual([])
  await click('cancel', await harness.stored(change), 'sam')
})

it('the rows of the log differ from each other, and each opens its entry', async () => {
  for (const _ of [1, 2]) await say('subscriber get ada@example.com', 'fay')
  await click('reject', await ask(`refund ${payment()} 70`), 'fay', 'not now')
  const reply = await say('audit find --all', 'fay')
  const { rows, columns, things } = tableIn(reply)
  const lead = rows.map((row) => row.filter((_, at) => !columns[at]?.isMore).join(' | '))
  expect(columns.filter(({ isMore }) => !isMore)).toHaveLength(4)
  expect(new Set(lead).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(5)
  expect(things?.every((one) => one !== null)).toBe(true)
  for (const one of things ?? []) {
    const opened = textOf(await say(`audit find --entry ${one?.id}`, 'fay'))
    expect(opened).toContain('What was recorded')
    if (/^\d{1,9}$/.test(one?.id ?? '')) expect(opened).toContain(`Entry    ${one?.id}`)
  }
  expect(refusalOf(await say('audit find --entry 99999999', 'fay')).message).toBe(
    'There is no entry 99999999 that you may see.',
  )
})

it('nobody opens an entry whose row they would not see', async () => {
  await say('subscriber get ada@example.com', 'fay')
  await harness.app.drain()
  const [newest] = await store.audit.find({ limit: 50, before: Number.MAX_SAFE_INTEGER })
  const open = (person: string) => say(`audit find --entry ${newest?.seq}`, person)
  expect((await open('kim')).kind).toBe('refused')
  expect((await open('fay')).kind).toBe('answer')
})

it('the details have no button that is for the other side', async () => {
  const change = await ask(`refund ${payment()} 80`)
  const verbs = async (person: string) =>
    viewOf(await press('show_all', buttonOf(change), person)).actions?.map(({ verb }) => verb)
  expect(await verbs('sam')).toEqual(['change', 'cancel', 'remind', 'why'])
  expect(await verbs('finn')).toEqual(['change', 'suggest', 'remind', 'why'])
})
