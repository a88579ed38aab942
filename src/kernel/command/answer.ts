import { z } from 'zod'
import { ok, type Result } from '../../lib/result.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { thingView } from '../../lib/view/thing-view.ts'
import { type Block, text, type View } from '../../lib/view/view.ts'
import type { QueryAnswer } from './define.ts'

export const answer = (view: View, more: Omit<QueryAnswer, 'view'> = {}): Result<QueryAnswer> =>
  ok({ view: { ...view, blocks: view.blocks.filter(isTelling) }, ...more })

/** A chart compares: of one figure alone it says nothing. */
const isTelling = (block: Block): boolean =>
  block.kind !== 'chart' || block.series.some(({ points }) => points.length > 1)

/** The answer that shows one thing. */
export const answerThing = (view: View, more: Omit<QueryAnswer, 'view'> = {}): Result<QueryAnswer> =>
  answer(thingView(view), more)

/** The answer for a page past the end of a list of unknown length. */
export const pastTheEnd = (page: number): Result<QueryAnswer> =>
  answer(
    { title: `There is nothing on page ${page}`, tone: 'plain', blocks: [text('Look at an earlier page.')] },
    { pages: { previous: true, next: false } },
  )

/** As many rows as every messenger shows whole. */
const perPage = 20

/** For lists that their service gives whole. */
export const pageParam = z
  .int('the page is a whole number')
  .min(1, 'pages start at 1')
  .optional()
  .describe('Which page to show')

/** One page of a list that came whole, and the words that count all of it: "21 to 40 of 1,000 payments". */
export const onePage = <T>(all: readonly T[], page = 1, one = 'row', total = all.length) => {
  const first = (page - 1) * perPage
  const shown = all.slice(first, first + perPage)
  const range = `${formatNumber(first + 1)} to ${formatNumber(first + shown.length)} of `
  return {
    shown,
    words: `${shown.length < total ? range : ''}${plural(total, one)}`,
    pages: { previous: page > 1, next: first + perPage < all.length },
  }
}
