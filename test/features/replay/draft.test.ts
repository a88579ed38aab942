import { expect, test } from 'vitest'
import { replayDraft } from '../../../src/features/replay/draft.ts'
import { actorOf } from '../../../src/kernel/actors/authorization.ts'
import { no } from '../../../src/lib/result.ts'
import { refusal } from '../../../src/lib/view/refusals.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { fromOf, openTestApp } from '../../harness/app.ts'
import { file, fillWithGenerated } from '../../harness/past-requests.ts'
import { buttonOf, changeOf } from '../../pipeline/harness.ts'

const opened = await openTestApp({ policy: file, reads: () => file })
const { app } = opened
const dayMs = 86_400_000
const compare = (text: string, person = 'fay') =>
  app.bot
    .compareDraft(fromOf(person), { text, sinceMs: 90 * dayMs })
    .then((one) => (one.ok ? textOfView(one.value) : one.refusal))

test('a draft is compared with the file in force, and with what was asked under it', async () => {
  await fillWithGenerated(opened, 200)
  expect(await compare(file)).toContain('It says the same as the policy in force.')
  const stricter = await compare(file.replace('amount: { upTo: 50 }', 'amount: { upTo: 5 }'))
  expect(stricter).toContain('Amount.upTo of the rule "small refund" is 5; it was 50.')
  expect(stricter).toMatch(/stricter +[1-9]/)
})

test('a draft with mistakes is refused with where they are', async () => {
  expect(await compare(`${file}nonsense: 1\n`)).toMatchObject({
    code: 'bad_policy',
    message: expect.stringContaining('draft:19:1: unknown key "nonsense".'),
  })
})

test('whoever may not see the policy and the log compares nothing', async () => {
  expect(await compare(file, 'sam')).toMatchObject({
    code: 'may_not_run',
    next: expect.stringContaining('ask one of: Fay, Finn, Ona'),
  })
  // Whom the file does not list is told of nobody.
  expect(await compare(file, 'stranger')).toMatchObject({
    code: 'may_not_run',
    next: 'Ask whoever keeps the policy.',
  })
})

test.each(['policy show', 'audit find'])(
  'and neither does who may see only one of them: %s',
  async (seen) => {
    const half = file
      .replace('people:\n', 'people:\n  - { id: pat, name: Pat, roles: [half] }\n')
      .replace('roles:\n', `roles:\n  half: { run: ["${seen}"] }\n`)
    const { app: other } = await openTestApp({ policy: half, reads: () => half })
    expect(await other.bot.compareDraft(fromOf('pat'), { text: half, sinceMs: dayMs })).toMatchObject({
      refusal: { code: 'may_not_run', message: expect.not.stringContaining(seen) },
    })
  },
)

test('a draft is held against the file that was taken in last, not the one of the start', async () => {
  let text = file
  const { app: changed, say, press } = await openTestApp({ policy: file, reads: () => text })
  text = file.replace('limit: 200', 'limit: 300')
  await press('approve', buttonOf(changeOf(await say('policy reload', 'fay'))), 'finn')
  const draft = text.replace('limit: 300', 'limit: 400')
  const told = await changed.bot.compareDraft(fromOf('fay'), { text: draft, sinceMs: dayMs })
  expect(told.ok && textOfView(told.value)).toContain(
    'Limit of the budget "refunds a day" is 400; it was 300.',
  )
})

test('a draft that takes too long is refused, and nothing is said of it', async () => {
  const tooSlow = no(refusal('too_slow', 'This takes longer.'))
  const core = { ...app.core, workerThread: async () => tooSlow }
  const fay = actorOf(app.core.policy, fromOf('fay'))
  expect(await replayDraft(core, fay, { text: file, sinceMs: dayMs })).toEqual(tooSlow)
})

test('while the largest draft is read, somebody freezes and is answered first', async () => {
  const many = Array.from({ length: 18_000 }, (_, at) => `k${at}: 1`).join('\n')
  const order: string[] = []
  const compared = compare(`${file}${many}`).then((refused) => {
    order.push('compared')
    return refused
  })
  expect(await opened.say('freeze billing --reason "wrong prices"', 'finn')).toMatchObject({ kind: 'change' })
  order.push('frozen')
  // On a machine that is busy with other things the thread may run out of its time instead.
  expect(await compared).toMatchObject({ code: expect.stringMatching(/^(bad_policy|too_slow)$/) })
  expect(order).toEqual(['frozen', 'compared'])
})
