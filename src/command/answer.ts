import { ok, type Result } from '../result.ts'
import { text, type View } from '../view/view.ts'
import type { Answer } from './define.ts'

export const answer = (view: View, more: Omit<Answer, 'view'> = {}): Result<Answer> => ok({ view, ...more })

/** Of a list whose length nobody knows: there is a way back. */
export const pastTheEnd = (page: number): Result<Answer> =>
  answer(
    { title: `Nothing is on page ${page}`, tone: 'plain', blocks: [text('Look at an earlier page.')] },
    { pages: { previous: true, next: false } },
  )
