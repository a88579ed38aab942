import { ok, type Result } from '../model/result.ts'
import { thingView } from '../view/thing-view.ts'
import { text, type View } from '../view/view.ts'
import type { QueryAnswer } from './define.ts'

export const answer = (view: View, more: Omit<QueryAnswer, 'view'> = {}): Result<QueryAnswer> =>
  ok({ view, ...more })

/** The answer that shows one thing. */
export const answerThing = (view: View, more: Omit<QueryAnswer, 'view'> = {}): Result<QueryAnswer> =>
  answer(thingView(view), more)

/** The answer for a page past the end of a list of unknown length. */
export const pastTheEnd = (page: number): Result<QueryAnswer> =>
  answer(
    { title: `There is nothing on page ${page}`, tone: 'plain', blocks: [text('Look at an earlier page.')] },
    { pages: { previous: true, next: false } },
  )
