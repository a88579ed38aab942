import { expect, it, vi } from 'vitest'
import { cardOf } from '../../src/kernel/cards/card.ts'
import type { Verb } from '../../src/lib/view/view.ts'
import { createFakeMessenger } from '../approvals/fake-messenger.ts'
import { fromOf } from '../harness/app.ts'
import { eachEngine } from '../harness/database.ts'
import { buttonOf, changeOf, openUnseenHarness as openHarness } from './harness.ts'

/** A change with its card, and one more copy of it that was posted in the moment of a kill. */
const withOrphan = async (engine: 'sqlite' | 'postgres') => {
  const harness = await openHarness({ engine, started: false })
  const slack = createFakeMessenger('slack')
  harness.app.join(slack)
  await harness.app.start()
  const place = { channel: 'C0ROOM', handle: null, direct: false }
  const asked = await harness.handle({
    from: fromOf('U0SAM', 'slack'),
    place,
    intent: { kind: 'line', line: `refund ${harness.payment()} 60` },
  })
  const change = changeOf(asked)
  await expect.poll(() => harness.store.tasks.pending()).not.toHaveProperty('cards')
  expect(await harness.store.cards.of(change.id)).not.toHaveLength(0)
  const orphan = await slack.post({ ...place, onlyFor: null }, cardOf(change, Date.now()).view)
  const press = (verb: Verb, account: string, pressedOn = orphan) =>
    harness.handle({
      from: fromOf(account, 'slack'),
      intent: { kind: 'press', verb, id: buttonOf(change) },
      pressedOn,
    })
  return { harness, change, press, last: () => slack.messages.get(orphan)?.versions.at(-1) }
}

eachEngine('a card whose address was never stored', (engine) => {
  it('is adopted by the press that decides, and shows the end like the others', async () => {
    const { harness, change, press, last } = await withOrphan(engine)
    expect(await press('approve', 'U0FINN')).toMatchObject({ change: { state: 'applied' } })
    await expect
      .poll(() =>
        last()
          ?.actions?.filter(({ isMore }) => !isMore)
          .map(({ verb }) => verb),
      )
      .toEqual(['receipt'])
    const copies = await harness.store.cards.of(change.id)
    expect(copies.filter(({ place }) => place === 'adopted')).toHaveLength(1)
  })

  it('alone needs a task of its own: the other copies follow from the step that the press was', async () => {
    const { harness, change, press } = await withOrphan(engine)
    const [known] = await harness.store.cards.of(change.id)
    const put = vi.spyOn(harness.store.tasks, 'put')
    expect(await press('approve', 'U0FINN', known?.address)).toMatchObject({ change: { state: 'applied' } })
    expect(put).not.toHaveBeenCalled()
    expect(await press('approve', 'U0FINN')).toMatchObject({ kind: 'refused' })
    expect(put).toHaveBeenCalledWith(expect.objectContaining({ key: `cards:${change.id}` }))
  })

  it('is brought up to date by a press that comes too late, and adopted once', async () => {
    const { harness, change, press, last } = await withOrphan(engine)
    await harness.click('cancel', change)
    expect(
      last()
        ?.actions?.filter(({ isMore }) => !isMore)
        .map(({ verb }) => verb),
    ).toContain('approve')
    expect(await press('approve', 'U0FINN')).toMatchObject({ kind: 'refused' })
    expect(await press('approve', 'U0FINN')).toMatchObject({ kind: 'refused' })
    await expect
      .poll(() =>
        last()
          ?.actions?.filter(({ isMore }) => !isMore)
          .map(({ verb }) => verb),
      )
      .toEqual(['again', 'receipt'])
    const copies = await harness.store.cards.of(change.id)
    expect(copies.filter(({ place }) => place === 'adopted')).toHaveLength(1)
  })
})

it.each<[Verb, isAdopted: boolean]>([
  ...(['approve', 'change', 'retime', 'again', 'receipt', 'tell', 'look_up', 'show_all', 'why'] as const).map(
    (verb): [Verb, boolean] => [verb, true],
  ),
  ['details', false],
  ['mine', false],
])('such a card is adopted by a press of %s: %s', async (verb, isAdopted) => {
  const { harness, change, press } = await withOrphan('sqlite')
  await press(verb, 'U0SAM')
  const copies = await harness.store.cards.of(change.id)
  expect(copies.some(({ place }) => place === 'adopted')).toBe(isAdopted)
})
