import { printDuration } from '../../lib/codecs/duration.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { money } from '../../lib/view/format.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import { type Block, facts, list, note, table, type View } from '../../lib/view/view.ts'
import type { Replay, ReplayItem } from './report.ts'

const maxShown = 20

/** A replay as people read it. */
export const replayView = (found: Replay): View => ({
  title: `${plural(found.requests, 'request')} judged by the other file`,
  tone: found.looser > 0 ? 'warn' : 'plain',
  blocks: [
    table(
      ['Verdict', 'Requests#', 'Amounts'],
      [
        ['the same', formatNumber(found.same), sumsIn(found.sums.same)],
        ['stricter', formatNumber(found.stricter), sumsIn(found.sums.stricter)],
        ['looser', formatNumber(found.looser), sumsIn(found.sums.looser)],
        ['not replayable', formatNumber(found.not_replayable), sumsIn(found.sums.not_replayable)],
      ],
    ),
    ...(found.mixed === 0
      ? []
      : [
          note(
            'warn',
            `${plural(found.mixed, 'request')} would be stricter in one thing and looser in another, and ${found.mixed === 1 ? 'is' : 'are'} counted as both${amountsOf(found)}.`,
          ),
        ]),
    ...kindsIn(found.items),
    ...(found.asked.length === 0
      ? []
      : [
          table(
            ['Asked to decide', 'Before#', 'After#'],
            found.asked
              .slice(0, maxShown)
              .map(({ name, before, after }) => [name, formatNumber(before), formatNumber(after)]),
          ),
        ]),
    facts({
      'Wait before': waitWords(found.wait.before_ms),
      'Wait after': waitWords(found.wait.after_ms),
      'Wait not known': found.wait.not_known === 0 ? undefined : plural(found.wait.not_known, 'request'),
    }),
    ...itemsOf(found.items),
  ],
  footer: `Since ${found.since.slice(0, 10)}. The waits are the middle ones, by the votes that were given.`,
})

const maxTold = 3

/** The same in a few sentences. */
export const replayWords = ({
  requests,
  same,
  stricter,
  looser,
  not_replayable,
  items,
}: Replay): string[] => {
  if (requests === 0) return ['Nothing was asked for that it could be compared with.']
  const told = items.filter(({ verdict }) => verdict !== 'same' && verdict !== 'not_replayable')
  return [
    same === requests
      ? `It decides ${plural(requests, 'request')} as they were decided.`
      : `Of ${plural(requests, 'request')} it decides ${formatNumber(same)} as they were, ${formatNumber(stricter)} stricter, ${formatNumber(looser)} looser; ${formatNumber(not_replayable)} cannot be judged again.`,
    ...told
      .slice(0, maxTold)
      .map(
        ({ id, parts }) => `${id} would be decided otherwise: ${parts.map(({ words }) => words).join('; ')}.`,
      ),
    ...(told.length > maxTold ? [`${formatNumber(told.length - maxTold)} more as well.`] : []),
  ]
}

const sumsIn = (sums: Record<string, number>): string =>
  Object.entries(sums)
    .map(([currency, sum]) => money(sum, { code: currency === 'none' ? null : currency }))
    .join(', ')

const amountsOf = ({ sums }: Replay): string =>
  Object.keys(sums.mixed).length === 0 ? '' : ` (${sumsIn(sums.mixed)})`

const waitWords = (ms: number | null): string | undefined =>
  ms === null ? undefined : printDuration(Math.max(1_000, Math.round(ms / 1_000) * 1_000))

/** How often each kind of difference was found. */
const kindsIn = (items: readonly ReplayItem[]): Block[] => {
  const counts = new Map<string, number>()
  for (const { parts, reason } of items) {
    for (const { direction, kind } of parts) count(counts, `${direction}: ${kind}`)
    if (reason !== undefined) count(counts, `not replayable: ${reason}`)
  }
  if (counts.size === 0) return []
  return [
    table(
      ['What differs', 'Requests#'],
      [...counts].map(([kind, n]) => [kind, formatNumber(n)]),
    ),
  ]
}

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const itemsOf = (items: readonly ReplayItem[]): Block[] => {
  const told = items.filter(({ verdict }) => verdict !== 'same' && verdict !== 'not_replayable')
  if (told.length === 0) return []
  const lines = told
    .slice(0, maxShown)
    .map(
      ({ id, verdict, line, requester, parts }) =>
        `${verdict}: ${line} (${requester}, ${id}): ${parts.map(({ words }) => words).join('; ')}.`,
    )
  return [
    list(
      told.length > maxShown
        ? [...lines, `And ${formatNumber(told.length - maxShown)} more; --json has all of them.`]
        : lines,
    ),
  ]
}
