import { expect, it } from 'vitest'
import { actorOf } from '../../../src/kernel/actors/authorization.ts'
import type { Press } from '../../../src/kernel/change/deciding/decide.ts'
import { followThread } from '../../../src/kernel/change/deciding/thread-reply.ts'
import { ok } from '../../../src/lib/result.ts'
import { fromOf } from '../../harness/app.ts'
import { openHarness } from '../harness.ts'

const { app, store, ask, click, payment } = await openHarness({ tasks: false })
const { core } = app
const pending = await ask(`refund ${payment()} 60`)
const done = await click('confirm', await ask(`refund ${payment()} 20`))
for (const { id, version } of [pending, done])
  await store.cards.add({
    changeId: id,
    platform: 'terminal',
    address: `card of ${id}`,
    place: 'mirror',
    version,
  })

const written = async (text: string, person = 'fay', to = `card of ${pending.id}`) => {
  const presses: Press[] = []
  const from = fromOf(person)
  const said = await followThread(
    core,
    actorOf(core.policy, from),
    { kind: 'reply', to, text },
    { from },
    async (press) => {
      presses.push(press)
      return ok({ kind: 'repeated' })
    },
  )
  if (!said.ok) throw new Error(said.refusal.message)
  if (presses[0] !== undefined) return presses[0]
  return said.value.kind === 'answer' ? said.value.view.title : said.value.kind
}
const noVote = 'What is written here is no vote'

it.each([
  'yes',
  ' YES! ',
  'LGTM :+1:',
  ':thumbsup:',
  ':white_check_mark:',
  '👍',
  '✅ ',
  'ok, approved',
  'one two three four five yes!',
  'ja',
])('“%s” below a card is no vote, and whoever wrote it is told so', async (text) => {
  expect(await written(text)).toBe(noVote)
  expect(await store.changes.get(pending.id)).toMatchObject({ votes: [], state: 'pending' })
})

it.each([
  'no',
  'not yes',
  'yes, but wait',
  "don't approve",
  'one two three four five six yes',
  'who is that?',
  'yesterday',
  '',
  '  ',
  '...',
])('“%s” below a card is talk among people', async (text) => {
  expect(await written(text)).toBe('repeated')
})

it('a yes is talk where the card is of nothing, of what has ended, or of what one may not see', async () => {
  expect(await written('yes', 'fay', 'card of nothing')).toBe('repeated')
  expect(await written('yes', 'fay', `card of ${done.id}`)).toBe('repeated')
  expect(await written('yes', 'kim')).toBe('repeated')
  expect(await written('yes', 'sam')).toBe(noVote)
})
