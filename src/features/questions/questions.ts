import { z } from 'zod'
import {
  changedSince,
  isActor,
  isOfActor,
  isOlder,
  mayNot,
  type NoteEvent,
  notPending,
} from '../../kernel/law/law.ts'
import type { Said } from '../../kernel/law/notes.ts'
import { type Change, partySchema } from '../../kernel/model/change.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'

const said = z.object({ by: partySchema, at: z.number(), text: z.string() })
/** What those who decide wanted to know, in order; without an answer it is open. */
const questionsSchema = z.array(said.extend({ answer: said.optional() }))
export type Questions = z.infer<typeof questionsSchema>

export const questionsOf = ({ notes }: Pick<Change, 'notes'>): Questions =>
  (notes?.questions ?? []) as Questions

export const openIn = (change: Change): Questions =>
  questionsOf(change).filter(({ answer }) => answer === undefined)

const maxQuestions = 20

/** What somebody who decides wants to know first. It stops nobody from deciding. */
export const asked = (event: Said): NoteEvent =>
  noteOf('question', event, {
    noted: (change) => {
      if (change.state !== 'pending') return no(notPending(change))
      if (isOfActor(change, event))
        return no(refusal('own_request', 'This is your own request: there is nobody to ask.'))
      if (!event.mayVote) return no(mayNot(change))
      if (isOlder(change, event)) return no(changedSince)
      const { by, at, text } = event
      const questions = questionsOf(change)
      if (text.trim() === '') return no(refusal('needs_reason', 'Say what you want to know.'))
      if (questions.length >= maxQuestions)
        return no(
          refusal('not_allowed_now', `${maxQuestions} questions were asked about this already.`, {
            next: 'Talk to whoever asked for it, or decide.',
          }),
        )
      return ok([...questions, { by, at, text }])
    },
    news: ({ requester }) => [{ to: requester, why: `${event.by.name} asks` }],
  })

/** One answer is for every question that is open; each of those who asked is told once. */
export const given = (event: Said): NoteEvent =>
  noteOf('answer', event, {
    noted: (change) => {
      const { by, at, text } = event
      if (change.state !== 'pending') return no(notPending(change))
      if (!isActor(change, by))
        return no(refusal('not_requester', `Only ${change.requester.name} can answer questions about this.`))
      if (isOlder(change, event)) return no(changedSince)
      if (openIn(change).length === 0) return no(refusal('not_allowed_now', 'No question is open.'))
      if (text.trim() === '') return no(refusal('needs_reason', 'Say what you want to answer.'))
      return ok(questionsOf(change).map((one) => ({ ...one, answer: one.answer ?? { by, at, text } })))
    },
    news: (before) =>
      [...new Map(openIn(before).map(({ by }) => [by.person, by])).values()].map((to) => ({
        to,
        why: `${event.by.name} answers`,
      })),
  })

const noteOf = (
  as: string,
  { by, shown, text, at }: Said,
  rest: { noted: (change: Change) => Result<Questions>; news: NoteEvent['news'] },
): NoteEvent => ({ kind: 'note', of: 'questions', as, by, shown, text, at, ...rest })
