import { formatNumber } from './format-number.ts'
import type { Block } from './view.ts'
import { visibleLine } from './visible.ts'

type Chart = Extract<Block, { kind: 'chart' }>
type Point = { label: string; value: number }
type ChartStyle = { width: number; font: string; ink: string; soft: string; paper: string }

const lightChart: ChartStyle = {
  width: 720,
  font: 'DejaVu Sans',
  ink: '#1f2328',
  soft: '#d5d9de',
  paper: '#ffffff',
}

/** Colours that people with colour blindness can tell apart. */
const palette = ['#3b6fd4', '#e08a1e', '#2e9e5b', '#b5478b', '#7a5cd0', '#5f6b76', '#c23b3b', '#2a9aa8']
const maxPoints = 24
const barHeight = 26
const top = 56

/** The chart as an SVG document. */
export const chartSvg = (chart: Chart, style: ChartStyle = lightChart): { svg: string; height: number } => {
  const series = chart.series.map(({ name, points }) => ({
    name,
    points: points.slice(0, maxPoints).map(toPoint),
  }))
  const shown = series.reduce((sum, { points }) => sum + points.length, 0)
  const all = chart.series.reduce((sum, { points }) => sum + points.length, 0)
  const body =
    shown === 0
      ? { marks: label(24, top + 20, 'Nothing to draw', style), height: top + 44 }
      : shapes[chart.shape](series, style)
  const height = body.height + (all > shown ? 28 : 12)
  const rest = all > shown ? label(24, height - 12, `${all - shown} more points left out`, style, 12) : ''
  const title = label(24, 34, clipped(chart.title, 60), style, 20)
  return {
    height,
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${style.width}" height="${height}" viewBox="0 0 ${style.width} ${height}" role="img"><title>${xml(clipped(chart.title, 200))}</title><rect width="${style.width}" height="${height}" fill="${style.paper}"/>${title}${body.marks}${rest}</svg>`,
  }
}

type Drawn = { marks: string; height: number }
type Draw = (series: { name: string; points: Point[] }[], style: ChartStyle) => Drawn

const bars: Draw = (series, style) => {
  const rows = series.flatMap(({ name, points }, at) =>
    points.map((point) => ({ ...point, colour: colourOf(series.length > 1 ? at : 0), name })),
  )
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), 1e-9)
  const left = 200
  const room = style.width - left - 100
  const marks = rows.map(({ label: words, value, colour }, at) => {
    const y = top + at * (barHeight + 8)
    const width = Math.max(1, (Math.abs(value) / most) * room)
    return [
      label(left - 10, y + 18, clipped(words, 24), style, 13, 'end'),
      `<rect x="${left}" y="${y}" width="${fixed(width)}" height="${barHeight}" rx="4" fill="${colour}"/>`,
      label(left + width + 8, y + 18, figure(value), style, 13),
    ].join('')
  })
  return withLegend(marks.join(''), top + rows.length * (barHeight + 8), series, style)
}

const lines: Draw = (series, style) => {
  const [left, right, bottom] = [70, style.width - 30, top + 240]
  const values = series.flatMap(({ points }) => points.map(({ value }) => value))
  const most = Math.max(...values, 0)
  const least = Math.min(...values, 0)
  const span = most - least || 1
  const y = (value: number) => bottom - ((value - least) / span) * (bottom - top)
  const longest = series.reduce(
    (best, one) => (one.points.length > best.length ? one.points : best),
    [] as Point[],
  )
  const x = (at: number) => left + (longest.length < 2 ? 0 : (at / (longest.length - 1)) * (right - left))
  const grid = [least, least + span / 2, most].map(
    (value) =>
      `<line x1="${left}" x2="${right}" y1="${fixed(y(value))}" y2="${fixed(y(value))}" stroke="${style.soft}"/>${label(left - 8, y(value) + 4, figure(value), style, 12, 'end')}`,
  )
  const drawn = series.map(({ points }, at) => {
    const path = points.map(({ value }, index) => `${fixed(x(index))},${fixed(y(value))}`).join(' ')
    const dots = points.map(
      ({ value }, index) =>
        `<circle cx="${fixed(x(index))}" cy="${fixed(y(value))}" r="3.5" fill="${colourOf(at)}"/>`,
    )
    return `<polyline points="${path}" fill="none" stroke="${colourOf(at)}" stroke-width="2.5"/>${dots.join('')}`
  })
  const every = Math.ceil(longest.length / 8)
  const ticks = longest.map(({ label: words }, at) =>
    at % every === 0 ? label(x(at), bottom + 20, clipped(words, 11), style, 12, 'middle') : '',
  )
  return withLegend([...grid, ...drawn, ...ticks].join(''), bottom + 34, series, style)
}

const pie: Draw = (series, style) => {
  const points = series.flatMap((one) => one.points).filter(({ value }) => value > 0)
  const total = points.reduce((sum, { value }) => sum + value, 0)
  if (total === 0) return { marks: label(24, top + 20, 'Nothing to draw', style), height: top + 44 }
  const [cx, cy, r] = [150, top + 120, 110]
  const middle = `<circle cx="${cx}" cy="${cy}" r="60" fill="${style.paper}"/>${label(cx, cy + 8, figure(total), style, 24, 'middle')}`
  let from = 0
  const marks = points.map(({ label: words, value }, at) => {
    const share = value / total
    const slice = sliceOf(cx, cy, r, from, from + share)
    from += share
    const y = top + 14 + at * 24
    return `<path d="${slice}" fill="${colourOf(at)}" stroke="${style.paper}" stroke-width="2"/>${at === points.length - 1 ? middle : ''}<rect x="310" y="${y - 11}" width="14" height="14" rx="3" fill="${colourOf(at)}"/>${label(332, y + 1, `${clipped(words, 30)}: ${figure(value)} (${Math.round(share * 100)}%)`, style, 13)}`
  })
  return { marks: marks.join(''), height: Math.max(cy + r + 12, top + 14 + points.length * 24) }
}

const shapes: Record<Chart['shape'], Draw> = { bar: bars, line: lines, pie }

const withLegend = (marks: string, height: number, series: { name: string }[], style: ChartStyle): Drawn => {
  if (series.length < 2) return { marks, height }
  const keys = series.slice(0, palette.length).map(({ name }, at) => {
    const y = height + 16 + at * 22
    return `<rect x="24" y="${y - 11}" width="14" height="14" rx="3" fill="${colourOf(at)}"/>${label(46, y + 1, clipped(name, 60), style, 13)}`
  })
  return { marks: marks + keys.join(''), height: height + 12 + keys.length * 22 }
}

const sliceOf = (cx: number, cy: number, r: number, from: number, to: number): string => {
  if (to - from > 0.9999) {
    return `M ${cx - r} ${cy} A ${r} ${r} 0 1 1 ${cx + r} ${cy} A ${r} ${r} 0 1 1 ${cx - r} ${cy} Z`
  }
  const at = (share: number) => {
    const angle = share * 2 * Math.PI - Math.PI / 2
    return `${fixed(cx + r * Math.cos(angle))} ${fixed(cy + r * Math.sin(angle))}`
  }
  return `M ${cx} ${cy} L ${at(from)} A ${r} ${r} 0 ${to - from > 0.5 ? 1 : 0} 1 ${at(to)} Z`
}

const label = (
  x: number,
  y: number,
  words: string,
  { font, ink }: ChartStyle,
  size = 14,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string =>
  `<text x="${fixed(x)}" y="${fixed(y)}" font-family="${xml(font)}" font-size="${size}" text-anchor="${anchor}" fill="${ink}">${xml(words)}</text>`

/** Beyond this the sum or the distance of two figures would be infinite. */
const maxDrawn = 1e300
const toPoint = ({ label: words, value }: Point): Point => ({
  label: words,
  value: Number.isFinite(value) ? Math.max(-maxDrawn, Math.min(maxDrawn, value)) : 0,
})
const colourOf = (at: number): string => palette[at % palette.length] as string
const figure = (value: number): string => formatNumber(value, { most: 2 })
const fixed = (value: number): string => String(Math.round(value * 100) / 100)

const clipped = (words: string, most: number): string => {
  const chars = [...visibleLine(words)]
  return chars.length > most ? `${chars.slice(0, most - 1).join('')}…` : chars.join('')
}

/** XML allows no control characters and no U+FFFE or U+FFFF. */
const xml = (words: string): string =>
  words.replace(/[\p{Cc}\ufffe\uffff]/gu, '').replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
