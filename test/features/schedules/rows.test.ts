import { expect, it } from 'vitest'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { textOf } from '../../harness/app.ts'
import { changeOf, openHarness, refusalOf } from '../../pipeline/harness.ts'
import { addSchedule } from '../../storage/rows.ts'

const { say, click, press, store } = await openHarness({ tasks: false })

const viewOf = (reply: Reply): View => {
  if (!('view' in reply)) throw new Error(JSON.stringify(reply))
  return reply.view
}

it('a look-up that repeats is ended from the list, by whoever set it', async () => {
  const by = { person: 'fay', name: 'Fay', platform: 'terminal', account: 'fay', roles: ['finance'] }
  await addSchedule(store, { id: 'first', by, line: 'report refunds' })
  await addSchedule(store, { id: 'second', by, line: 'report budgets' })
  const ends = viewOf(await say('schedule find', 'fay')).actions?.filter(({ verb }) => verb === 'end')
  expect(ends?.map(({ label }) => label)).toEqual(['End report refunds', 'End report budgets'])
  const asked = changeOf(await press('end', ends?.[1]?.id ?? '', 'fay'))
  expect(asked.command).toBe('schedule delete')
  await click('confirm', asked, 'fay')
  const left = textOf(await say('schedule find', 'fay'))
  expect([left.includes('report refunds'), left.includes('report budgets')]).toEqual([true, false])
  expect(refusalOf(await press('end', 'second', 'fay')).code).toBe('not_found')
  expect((await press('end', 'first', 'kim')).kind).toBe('refused')
})
