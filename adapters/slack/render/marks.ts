import type { types } from '@slack/bolt'
import { readButton } from '../../../src/kernel/model/shown.ts'
import { verbs } from '../../../src/lib/view/button-labels.ts'
import type { Action, View } from '../../../src/lib/view/view.ts'
import type { SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { slackButton } from './buttons.ts'
import { plainText } from './text.ts'

/**
 * Checkboxes for what can be decided on together, the button that approves what was marked where each row stands whole above, and
 * the one that lists it before anything is decided.
 */
export const marksBlocks = ({ marks = [] }: Pick<View, 'marks'>): SlackBlock[] => {
  const fitting = marks.filter(({ id }) => id.length <= limits.select.value)
  if (fitting.length === 0) return []
  const boxes = Array.from({ length: Math.ceil(fitting.length / limits.checkboxes) }, (_, at) =>
    fitting.slice(at * limits.checkboxes, (at + 1) * limits.checkboxes),
  )
  return [
    ...boxes.map(
      (some, at): types.ActionsBlock => ({
        type: 'actions',
        block_id: `${marksPrefix}${at}`,
        elements: [
          {
            type: 'checkboxes',
            action_id: marksPrefix,
            options: some.map(({ id, label, hint }) => ({
              text: plainText(label, limits.select.text),
              description: plainText(hint, limits.select.text),
              value: id,
            })),
          },
        ],
      }),
    ),
    {
      type: 'actions',
      elements: [
        ...(fitting.every(({ id }) => readButton(id).names)
          ? [slackButton(approveId, `${verbs.approve.label} marked`, verbs.approve.look)]
          : []),
        slackButton(reviewId, verbs.review.label),
      ],
    },
  ]
}

const marksPrefix = 'bh-marks'
const marked = 'marked'
const reviewId = `bh:review:${marked}`
const approveId = `bh:approve:${marked}`

/** What stands in the boxes beside the button that was pressed; a box alone says nothing yet. */
export const withMarked = (press: Action, { state, view }: Marked): Action => {
  if (press.verb !== 'review' && press.id !== marked) return press
  const values = Object.values(state?.values ?? view?.state?.values ?? {}) as Record<string, unknown>[]
  const chosen = values.flatMap((one) => {
    const boxes = one[marksPrefix] as { selected_options?: { value?: unknown }[] } | undefined
    return (boxes?.selected_options ?? []).map(({ value }) => String(value))
  })
  return { verb: chosen.length === 0 ? 'review' : press.verb, id: chosen.join(',') }
}

type Values = { values?: Record<string, unknown> } | undefined
/** A message has its boxes beside itself, a tab within. */
type Marked = { state?: Values; view?: { state?: Values } | undefined }
