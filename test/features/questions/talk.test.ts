import { expect, it } from 'vitest'
import { questionsOf } from '../../../src/features/questions/questions.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { buttonOf, type Harness, openHarness, refusalOf } from '../../pipeline/harness.ts'

const open = () => openHarness({ tasks: false })
const kindsOf = async (harness: Harness, id: string) =>
  (await harness.store.audit.find({ changeId: id, limit: 50 })).map(({ kind }) => kind).toReversed()

it('stands on the card with who asked, stops nobody, and is answered by whoever asked for the change', async () => {
  const harness = await open()
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  const asked = await harness.say(`approval ask ${change.id} --question "Did it come back?"`, 'fay')
  expect(textOf(asked)).toContain('Did it come back?')
  expect(textOf(asked)).toContain('Not answered yet. It can be decided all the same.')
  expect((await harness.refusedClick('approve', change, 'sam')).code).toBe('own_request')
  expect(refusalOf(await harness.say(`approval answer ${change.id} --answer yes`, 'finn')).code).toBe(
    'not_requester',
  )
  const answered = await harness.say(`approval answer ${change.id} --answer "On Monday"`)
  expect(textOf(answered)).toContain('On Monday')
  expect(textOf(answered)).not.toContain('Not answered yet')
  expect(await harness.click('approve', change, 'finn')).toMatchObject({ state: 'applied' })
  expect(await kindsOf(harness, change.id)).toEqual(
    expect.arrayContaining(['question', 'answer', 'approved']),
  )
})

it('is for those who decide, and a form asks for its words', async () => {
  const harness = await open()
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  expect(refusalOf(await harness.say(`approval ask ${change.id} --question why`)).code).toBe('own_request')
  expect(refusalOf(await harness.say(`approval ask ${change.id} --question why`, 'kim')).code).toBe(
    'may_not_approve',
  )
  expect(await harness.press('ask', buttonOf(change), 'fay')).toMatchObject({ kind: 'reason', verb: 'ask' })
  expect(refusalOf(await harness.press('answer', buttonOf(change), 'sam', 'so')).code).toBe('not_allowed_now')
})

it('shows the newest two on the card, and all of them in the details', async () => {
  const harness = await open()
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  for (const n of [1, 2, 3]) await harness.say(`approval ask ${change.id} --question "Question ${n}?"`, 'fay')
  const reply = await harness.say(`approval get ${change.id}`, 'fay')
  if (reply.kind !== 'answer') throw new Error('no card')
  const quotes = (blocks: typeof reply.view.blocks) =>
    blocks.flatMap((block) => (block.kind === 'quote' ? block.text : []))
  expect(quotes(reply.view.blocks)).toEqual(['Question 2?', 'Question 3?'])
  expect(quotes(reply.view.details ?? [])).toEqual(['Question 1?', 'Question 2?', 'Question 3?'])
})

it('is answered by what its requester writes below the card, whatever it says, and by nobody else', async () => {
  const harness = await open()
  const change = await harness.ask(`refund ${harness.payment()} 60`)
  const { id, version } = change
  await harness.store.cards.add({
    changeId: id,
    platform: 'terminal',
    address: 'card',
    place: 'mirror',
    version,
  })
  const write = (text: string, person: string) =>
    harness.handle({ from: fromOf(person), intent: { kind: 'reply', to: 'card', text } })
  const talk = async () =>
    questionsOf(await harness.stored(change)).map(({ text, answer }) =>
      `${text} ${answer?.text ?? ''}`.trim(),
    )
  await write('The last one.', 'sam')
  expect(await talk()).toEqual([])
  await harness.say(`approval ask ${id} --question "Which invoice?"`, 'fay')
  await write('yes', 'fay')
  await write(' ', 'sam')
  expect(await talk()).toEqual(['Which invoice?'])
  await write(' the last one, yes ', 'sam')
  await write('thanks', 'sam')
  await harness.say(`approval ask ${id} --question "When?"`, 'finn')
  await write('x'.repeat(2_001), 'sam')
  expect(await talk()).toEqual(['Which invoice? the last one, yes', `When? ${'x'.repeat(2_000)}`])
})

it('may be answered by whoever changed the request since, below the card too', async () => {
  const harness = await open()
  const change = await harness.ask(`refund ${harness.payment()} 600`)
  await harness.say(`approval change ${change.id} --amount 90`, 'fay')
  await harness.say(`approval ask ${change.id} --question "Why 90?"`, 'finn')
  const { id, version } = await harness.stored(change)
  await harness.store.cards.add({
    changeId: id,
    platform: 'terminal',
    address: 'card',
    place: 'mirror',
    version,
  })
  const to = { kind: 'reply' as const, to: 'card', text: 'The rest was paid.' }
  await harness.handle({ from: fromOf('fay'), intent: to })
  expect(questionsOf(await harness.stored(change))).toMatchObject([
    { answer: { text: 'The rest was paid.' } },
  ])
})
