import { expect, it } from 'vitest'
import { no } from '../../../src/lib/result.ts'
import { refusal, refusalView } from '../../../src/lib/view/refusals.ts'
import { fromOf, textOf } from '../../harness/app.ts'
import { openHarness, refusalOf } from '../harness.ts'

it('a word that points back leads a person to their last answer, and an agent of theirs nowhere', async () => {
  const { say, handle } = await openHarness({ tasks: false })
  await say('list create Thek')
  await say('list get newsletter')
  expect(textOf(await say('list get them'))).toMatch(/^“Newsletter”, from your last question\n/)
  await say('list get newsletter')
  const reply = await handle({
    from: { ...fromOf('sam'), through: 'Assistant' },
    intent: { kind: 'line', line: 'list get them' },
  })
  expect(refusalOf(reply)).toMatchObject({
    code: 'bad_value',
    message: 'id: "them" is the name of nothing.',
    next: expect.stringMatching(/^The nearest: \w+ \(Thek\)\.$/),
  })
})

it.each([
  ['--at "tomorrow 9:00"', 'bad_value', 'This only looks something up, so it takes no --at.'],
  ['--also finn', 'bad_value', 'This only looks something up, so it takes no --at.'],
  ['--emergency "it burns"', 'no_emergency', 'Only a change that is asked for anew can be an emergency.'],
])('a call of an endpoint that only looks something up takes no %s', async (flag, code, message) => {
  const { say, sandbox, store } = await openHarness({ tasks: false })
  sandbox.wire.length = 0
  const reply = await say(`api call billing GET /multiplans ${flag}`, 'fay')
  expect(refusalOf(reply)).toMatchObject({ code, message })
  expect([sandbox.wire, await store.changes.list({ limit: 9 })]).toEqual([[], []])
})

it('what waits is made no emergency by changing it', async () => {
  const { ask, say, payment, stored } = await openHarness({ tasks: false })
  const change = await ask(`refund ${payment()} 60`)
  const reply = await say(`approval change ${change.id} --amount 50 --emergency "it burns"`)
  expect(refusalOf(reply)).toMatchObject({ code: 'no_emergency' })
  expect(await stored(change)).toMatchObject({ amount: 60, version: change.version })
})

it('a form of a command that there is not is refused by the beginning of its name, and read as nothing else', async () => {
  const { handle } = await openHarness({ tasks: false })
  const command = `who is ada@example.com ${'x'.repeat(40)}`
  const reply = await handle({ from: fromOf('sam'), intent: { kind: 'form', command, values: {} } })
  expect(refusalOf(reply)).toMatchObject({
    code: 'unknown_command',
    message: `There is no command "who is ada@example.com ${'x'.repeat(17)}".`,
  })
})

it('a line whose file cannot be had is refused for that, and its words mean nothing else', async () => {
  const { handle } = await openHarness({ tasks: false })
  const missing = refusal('bad_file', 'people.csv could not be fetched.')
  const reply = await handle({
    from: fromOf('sam'),
    forms: true,
    attached: { file: async () => no(missing) },
    intent: { kind: 'line', line: 'campaign send who is ada@example.com' },
  })
  expect(reply).toEqual({ kind: 'refused', refusal: missing, view: refusalView(missing) })
})
