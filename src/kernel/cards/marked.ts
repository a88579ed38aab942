import { verbs } from '../../lib/view/button-labels.ts'
import { money } from '../../lib/view/format.ts'
import type { Action, Marks, Request, View } from '../../lib/view/view.ts'
import type { Change } from '../model/change.ts'

/** More than anybody reads at once. */
export const maxDecided = 25

/** What can be approved with one press below a list of it, with its sums. */
export const approveAllOf = (view: Pick<View, 'blocks'>, id: string): Action[] => {
  const marks = markedIn(view)
  return marks.length < 2 || marks.length > maxDecided
    ? []
    : [{ verb: 'approve_all', id, label: `${verbs.approve_all.label} ${marks.length} (${totalsOf(marks)})` }]
}

export const markedIn = ({ blocks }: Pick<View, 'blocks'>): NonNullable<Request['mark']>[] =>
  blocks.flatMap((block) =>
    block.kind === 'requests' ? block.requests.flatMap(({ mark }) => mark ?? []) : [],
  )

/** The sums of several, one for each currency. */
export const totalsOf = (changes: readonly Pick<Change, 'amount' | 'currency'>[]): string => {
  const sums = new Map<string, number>()
  for (const { amount, currency } of changes)
    if (amount !== null) sums.set(currency ?? '', (sums.get(currency ?? '') ?? 0) + amount)
  const unknown = changes.filter(({ amount }) => amount === null).length
  return [
    ...[...sums].map(([currency, sum]) => money(Math.round(sum * 100) / 100, { code: currency })),
    ...(unknown === 0 ? [] : [`${unknown} without a known sum`]),
  ].join(', ')
}

/** What is marked in a list of rows is meant as it stands there. */
export const marksOfRows = (rows: readonly Request[]): Marks | undefined => {
  const marked = rows.flatMap(({ mark, title, by, thing }) => (mark ? { mark, title, by, thing } : []))
  const marks = marked.map(({ mark, title, by, thing }) => {
    const isTwin = marked.some((other) => other.thing.id !== thing.id && other.title === title)
    return { id: mark.id, label: title, hint: `asked by ${by}${isTwin ? ` · ${thing.id}` : ''}` }
  })
  return marks.length < 2 ? undefined : marks
}
