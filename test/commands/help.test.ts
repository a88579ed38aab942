import { expect, test } from 'vitest'
import { fromOf, openTestApp, textOf } from '../harness/app.ts'
import { blocksOf } from './bot.ts'

test('help starts with what this person uses most, then has everything by noun', async () => {
  const { say } = await openTestApp()
  const help = async (person: string) => {
    const reply = await say('help all', person)
    if (reply.kind !== 'answer') throw new Error(reply.kind)
    return reply.view
  }
  const nouns = (await help('p-finance')).blocks
  expect(nouns).toHaveLength(1)
  for (const line of [
    'subscriber stats',
    'transaction find cus_1001',
    'transaction find cus_1002',
    'list find',
  ])
    await say(line, 'p-finance')
  await say('refund pay_1001 20', 'p-finance')
  // What somebody else does, or what was refused, is not theirs.
  await say('campaign find', 'p-support')
  await say('freeze all', 'p-support')
  const view = await help('p-finance')
  const [most, all] = blocksOf(view, 'facts')
  expect(blocksOf(view, 'text').map(({ text }) => text)).toEqual(['You use most', 'All by noun'])
  expect(most?.facts[0]?.label).toBe('transaction find')
  expect(most?.facts.map(({ label }) => label).toSorted()).toEqual([
    'list find',
    'refund',
    'subscriber stats',
    'transaction find',
  ])
  expect([all]).toEqual(nouns)
  expect(all?.facts.find(({ label }) => label === 'transaction')?.value).toContain('transaction find')
})

test.each([
  [
    'p-support',
    [
      'Find a person',
      'Refund a payment',
      'Change a plan',
      'Send a campaign',
      'Write to somebody',
      'What waits',
    ],
  ],
  [
    'p-finance',
    [
      'What waits',
      'Find a person',
      'Refund a payment',
      'What was refunded',
      'What is left of the budgets',
      'Who did what',
    ],
  ],
])('help asks %s what they want to do, with six tasks of theirs to press', async (person, labels) => {
  const { say, handle } = await openTestApp()
  const reply = await say('help', person)
  if (reply.kind !== 'answer') throw new Error(reply.kind)
  const tasks = (reply.view.actions ?? []).filter(({ verb }) => verb === 'run_it')
  expect(reply.view.title).toBe('What do you want to do?')
  expect(tasks.map(({ label }) => label)).toEqual(labels)
  expect(textOf(reply)).toContain('Everything else: bellhop help all')
  const press = (label: string, from = person) =>
    handle({
      from: fromOf(from),
      forms: true,
      intent: { kind: 'press', verb: 'run_it', id: tasks.find((one) => one.label === label)?.id ?? '' },
    })
  expect(await press('What waits')).toMatchObject({ kind: 'answer', command: 'approval list' })
  expect(await press('Refund a payment')).toMatchObject({ kind: 'form', form: { command: 'refund' } })
  expect(await press('Find a person', 'p-finance2')).toMatchObject({ kind: 'refused' })
})
