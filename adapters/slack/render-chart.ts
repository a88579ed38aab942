import type { Block } from '../../src/view/view.ts'
import type { ChartBlock, Point, SlackBlock } from './blocks.ts'
import { lettersOfBlock } from './letters.ts'
import { limits } from './limits.ts'
import { clip, visible } from './plain.ts'
import { preformatted, type Room } from './render-room.ts'

type Chart = Extract<Block, { kind: 'chart' }>

/** Slack draws the chart where it can; otherwise it is drawn in letters. */
export const chartBlocks = (chart: Chart, room: Room): SlackBlock[] => {
  if (chart.series.every(({ points }) => points.length === 0)) return []
  const drawn = room.charts > 0 ? nativeOf(chart) : undefined
  if (drawn === undefined || JSON.stringify(drawn).length > room.json) {
    return preformatted(lettersOfBlock(chart), room)
  }
  return [{ type: 'data_visualization', title: visible(clip(chart.title, limits.chart.title)), chart: drawn }]
}

/** `undefined` for what Slack would refuse: too much, nothing, or two things by one name. */
const nativeOf = ({ shape, series }: Chart): ChartBlock['chart'] | undefined => {
  const all = series.map(({ name, points }) => ({ name: labelOf(name), data: points.map(toPoint) }))
  const [first] = all
  if (first === undefined || all.length > limits.chart.series) return undefined
  if (!all.every(({ data }) => data.every(({ value }) => Number.isFinite(value)))) return undefined
  const categories = first.data.map(({ label }) => label)
  if (categories.length === 0 || categories.length > limits.chart.points) return undefined
  if (hasTwins(categories) || hasTwins(all.map(({ name }) => name))) return undefined
  if (!all.every(({ data }) => data.map(({ label }) => label).join('\n') === categories.join('\n')))
    return undefined
  const isPie = shape === 'pie' && all.length === 1 && categories.length <= limits.chart.segments
  if (isPie && first.data.every(({ value }) => value > 0)) return { type: 'pie', segments: first.data }
  return { type: shape === 'line' ? 'line' : 'bar', series: all, axis_config: { categories } }
}

const toPoint = ({ label, value }: Point): Point => ({ label: labelOf(label), value })
const labelOf = (label: string): string => visible(clip(label.replace(/\s+/g, ' '), limits.chart.label))
const hasTwins = (names: string[]): boolean => new Set(names).size < names.length
