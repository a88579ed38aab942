import { expect, it, test } from 'vitest'
import { z } from 'zod'
import { asked, given, questionsOf } from '../../../src/features/questions/questions.ts'
import { refuseNonDecider } from '../../../src/kernel/actors/authorization.ts'
import { cardOf } from '../../../src/kernel/cards/card.ts'
import { cardFor, requestFor } from '../../../src/kernel/cards/pressable.ts'
import { step } from '../../../src/kernel/law/law.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { changeSchema } from '../../../src/kernel/model/change.ts'
import { shownIn } from '../../../src/kernel/model/shown.ts'
import { createChanges } from '../../../src/kernel/store/changes.ts'
import { json } from '../../../src/lib/sql/sql.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { changeIn, party } from '../../approvals/sample.ts'
import { openTestDatabase } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'

const said = (id: string, text = 'so?') => ({ by: party(id), at: 1_200, text })
const having = (...questions: object[]): Partial<Change> => ({ notes: { questions } })
const event = {
  ...{ by: party('bob'), mayVote: true, shown: shownIn(changeIn('pending')), text: 'why?', at: 2_000 },
}
const own = { ...event, by: party('ann') }

test.each<[string, Partial<Change>, ReturnType<typeof asked>, next?: string]>([
  ['This is your own request: there is nobody to ask.', {}, asked(own)],
  ['This is your own request: there is nobody to ask.', { changedBy: [party('bob')] }, asked(event)],
  ['Only finance can decide about this.', {}, asked({ ...event, mayVote: false })],
  ['The request changed since you saw it.', { edition: 2 }, asked(event)],
  ['Say what you want to know.', {}, asked({ ...event, text: ' ' })],
  [
    '20 questions were asked about this already.',
    having(...Array.from({ length: 20 }, () => said('bob'))),
    asked(event),
    'Talk to whoever asked for it, or decide.',
  ],
  ['This change has been done.', { state: 'applied' }, asked(event)],
  ['Only Ann can answer questions about this.', having(said('cat')), given(event)],
  ['The request changed since you saw it.', { ...having(said('cat')), edition: 2 }, given(own)],
  ['No question is open.', {}, given(own)],
  ['No question is open.', having({ ...said('bob'), answer: said('ann') }), given(own)],
  ['Say what you want to answer.', having(said('bob')), given({ ...own, text: '' })],
  ['This change has been done.', { ...having(said('bob')), state: 'applied' }, given(own)],
])('%s', (words, { state = 'pending', ...over }, given, next) => {
  const result = step(changeIn(state, over), given)
  expect(result.ok ? 'nothing' : result.refusal.message).toBe(words)
  if (next !== undefined) expect(result.ok || result.refusal.next).toBe(next)
})

test('nineteen questions may become twenty, and none of them moves anything but the version', () => {
  const before = changeIn('pending', having(...Array.from({ length: 19 }, () => said('bob'))))
  const result = step(before, asked(event))
  if (!result.ok) throw new Error(result.refusal.message)
  const { notes, version, updatedAt, steps, ...rest } = result.value
  expect(questionsOf({ notes })).toHaveLength(20)
  expect(rest).toMatchObject({
    state: 'pending',
    digest: before.digest,
    votes: before.votes,
  })
  expect([version, updatedAt]).toEqual([before.version + 1, 2_000])
})

test('one answer is for all that is open: what was answered before stays, and each of the others is told once', () => {
  const before = changeIn(
    'pending',
    having(said('bob'), said('cat'), said('cat'), { ...said('dan'), answer: said('ann', 'before') }),
  )
  const answer = given({ ...own, text: 'so' })
  const result = step(before, answer)
  if (!result.ok) throw new Error(result.refusal.message)
  expect(questionsOf(result.value).map((one) => one.answer?.text)).toEqual(['so', 'so', 'so', 'before'])
  expect(answer.news(before).map(({ to, why }) => `${to.person}: ${why}`)).toEqual([
    'bob: Ann answers',
    'cat: Ann answers',
  ])
  expect(
    asked(event)
      .news(before)
      .map(({ to, why }) => `${to.person}: ${why}`),
  ).toEqual(['ann: Bob asks'])
})

test('an agent answers for its owner, and whoever is at the terminal, while nobody else may decide there', () => {
  const bob = { person: 'bob', name: 'Bob', platform: 'slack', account: 'U-bob', known: true, roles: [] }
  for (const by of [
    { ...bob, agent: 'hers' },
    { ...bob, operator: 'root' },
  ]) {
    expect(refuseNonDecider(by, 'answer')).toBeUndefined()
    expect(refuseNonDecider(by, 'ask')?.code).toBe('may_not_approve')
  }
})

const changeDoc = z.object({ doc: json })
const viewer = (id: string) => ({ party: party(id), mayVote: id === 'bob' })

it('stands on the card and in lists with its buttons, each for whom it is', () => {
  const quiet = changeIn('pending')
  const open = changeIn(
    'pending',
    having({ ...said('cat', 'First?'), answer: said('ann', 'Yes.') }, said('bob', 'For whom?')),
  )
  const verbs = (change: Change, id: string) =>
    cardFor(change, viewer(id), 2_000)
      .actions.filter(({ isMore }) => !isMore)
      .map(({ verb }) => verb)
  expect([verbs(quiet, 'bob'), verbs(quiet, 'ann')]).toEqual([
    ['approve', 'ask', 'reject'],
    ['remind', 'change', 'cancel'],
  ])
  expect([verbs(open, 'bob'), verbs(open, 'ann'), verbs(open, 'eve')]).toEqual([
    ['approve', 'ask', 'reject'],
    ['answer', 'remind', 'change', 'cancel'],
    [],
  ])
  const card = textOfView(cardOf(open, 2_000).view)
  for (const words of ['First?', 'Yes.', 'For whom?', 'Not answered yet. It can be decided all the same.'])
    expect(card).toContain(words)
  expect(requestFor(open, viewer('bob'), 2_000, 'l').needs).toContain('Bob asks: “For whom?”')
  expect(requestFor(quiet, viewer('bob'), 2_000, 'l').needs.join()).not.toContain('asks')
  const over = { ...open, state: 'applied' as const }
  expect(textOfView(cardOf(over, 2_000).view)).not.toContain('For whom?')
  expect(textOfView(cardOf(over, 2_000).view, { details: true })).toContain('For whom?')
})

it('is read where the version before has it, and written where that one reads it', async () => {
  const { notes: _, ...before } = changeIn('pending')
  const old = [{ ...said('bob'), answer: said('ann') }]
  expect(questionsOf(changeSchema.parse({ ...before, questions: old }))).toEqual(old)
  const { db, close } = await openTestDatabase('sqlite')
  whenDone(close)
  const changes = createChanges(db)
  await changes.insert(changeIn('pending', having(...old)))
  const [row] = await db.all(changeDoc, 'SELECT doc FROM changes')
  expect(row?.doc).toMatchObject({ questions: old, notes: { questions: old } })
  // The version before knows no notes: what it writes has only its own field.
  const { notes: __, ...theirs } = Object(row?.doc) as Record<string, unknown>
  await db.run('UPDATE changes SET doc = $1', [
    JSON.stringify({ ...theirs, questions: [...old, said('cat')] }),
  ])
  expect(questionsOf((await changes.get('c1')) ?? {})).toHaveLength(2)
})
