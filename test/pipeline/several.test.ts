import { expect, it } from 'vitest'
import { textOf } from '../harness/app.ts'
import { changeOf, openHarness, refusalOf } from './harness.ts'

const open = () => openHarness({ tasks: false })

it('several are approved at once after each was listed with its sum and the total; each vote is for its own digest', async () => {
  const harness = await open()
  const [first, second, third] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`),
    await harness.ask(`refund ${harness.payment()} 65`),
  ]
  const read = await harness.say(`approval approve ${first.id} ${second.id} ${third.id}`, 'fay')
  if (read.kind !== 'answer') throw new Error(JSON.stringify(read))
  for (const { preview } of [first, second, third]) expect(textOf(read)).toContain(preview.title)
  expect(textOf(read)).toContain('In all: ')
  expect(harness.effects('refundPayment')).toEqual([])
  const [button] = read.view.actions?.filter(({ verb }) => verb === 'approve_all') ?? []

  // One of them changes after it was read: that vote is refused, and the others count.
  await harness.say(`approval change ${second.id} --amount 75`)
  const done = await harness.press('approve_all', button?.id ?? '', 'fay')
  expect(textOf(done)).toContain('Approved 2 of 3')
  expect(textOf(done)).toContain(`Not counted. ${second.id}: The request changed since you saw it.`)
  expect(await harness.stored(first)).toMatchObject({ state: 'applied' })
  expect(await harness.stored(second)).toMatchObject({ state: 'pending', votes: [] })
  expect(refusalOf(await harness.press('approve_all', button?.id ?? '', 'finn')).code).toBe('answer_gone')
})

it('several are rejected with one reason, each by itself', async () => {
  const harness = await open()
  const [first, own] = [
    await harness.ask(`refund ${harness.payment()} 60`),
    await harness.ask(`refund ${harness.payment()} 70`, 'fay'),
  ]
  const done = await harness.say(`approval reject ${first.id},${own.id} --reason "not now"`, 'fay')
  expect(textOf(done)).toContain('Rejected 1 of 2')
  expect(textOf(done)).toContain('This is your own request.')
  expect(await harness.stored(first)).toMatchObject({ state: 'rejected' })
})

it('the list has sections, and what is approved for later is among what is scheduled', async () => {
  const harness = await open()
  const later = await harness.ask(`refund ${harness.payment()} 120 --at "in 20m"`)
  await harness.click('approve', later, 'finn')
  await harness.ask(`refund ${harness.payment()} 60`)
  const list = textOf(await harness.say('approval list', 'fay'))
  expect(list.indexOf('Your turn: 1')).toBeGreaterThan(-1)
  expect(list.indexOf('Approved and scheduled: 1')).toBeGreaterThan(list.indexOf('Your turn: 1'))
  expect(textOf(await harness.say('approval list'))).toContain('Waiting for others: 1')
  expect(textOf(await harness.say('schedule find', 'fay'))).toContain(later.id)
  const mine = await harness.press('mine', 'mine', 'sam')
  expect(textOf(mine)).toContain('What you asked for')
  expect(textOf(mine)).toContain(later.id)
  expect(changeOf(await harness.say(`approval cancel ${later.id}`)).state).toBe('cancelled')
})
