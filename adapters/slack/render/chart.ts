import type { Block } from '../../../src/lib/view/view.ts'
import { blockSizeOf, type ChartBlock, type ChartPoint, type SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { type MessageBudget, preformatted } from './message-budget.ts'
import { plainTextOfBlock } from './plain-text.ts'
import { ellipsize, visible } from './text.ts'

type Chart = Extract<Block, { kind: 'chart' }>

/** Slack draws the chart where it can; otherwise it is drawn in text. */
export const chartBlocks = (chart: Chart, budget: MessageBudget): SlackBlock[] => {
  if (chart.series.every(({ points }) => points.length === 0)) return []
  const drawn = budget.charts > 0 ? nativeOf(chart) : undefined
  const block: SlackBlock | undefined = drawn && {
    type: 'data_visualization',
    title: visible(ellipsize(chart.title, limits.chart.title)),
    chart: drawn,
  }
  return block === undefined || blockSizeOf(block) > budget.json
    ? preformatted(plainTextOfBlock(chart), budget)
    : [block]
}

/** `undefined` for what Slack would refuse: too much, nothing, or two things by one name. */
const nativeOf = ({ shape, series }: Chart): ChartBlock['chart'] | undefined => {
  const all = series.map(({ name, points }) => ({ name: labelOf(name), data: points.map(toPoint) }))
  const [first] = all
  if (first === undefined || all.length > limits.chart.series) return undefined
  if (!all.flatMap(({ data }) => data).every(({ value }) => Number.isFinite(value))) return undefined
  const categories = first.data.map(({ label }) => label)
  if (categories.length === 0 || categories.length > limits.chart.points) return undefined
  if (hasTwins(categories) || hasTwins(all.map(({ name }) => name))) return undefined
  if (!all.every(({ data }) => data.map(({ label }) => label).join('\n') === categories.join('\n')))
    return undefined
  const isPie = shape === 'pie' && all.length === 1 && categories.length <= limits.chart.segments
  if (isPie && first.data.every(({ value }) => value > 0)) return { type: 'pie', segments: first.data }
  return { type: shape === 'line' ? 'line' : 'bar', series: all, axis_config: { categories } }
}

const toPoint = ({ label, value }: ChartPoint): ChartPoint => ({ label: labelOf(label), value })
const labelOf = (label: string): string => visible(ellipsize(label.replace(/\s+/g, ' '), limits.chart.label))
const hasTwins = (names: string[]): boolean => new Set(names).size < names.length
