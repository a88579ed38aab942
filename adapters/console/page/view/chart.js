// @ts-check
import { el, svg } from '../dom.js'

/**
 * @typedef {{ label: string, value: number }} Point
 * @typedef {{ name: string, points: Point[] }} Series
 * @typedef {{ title: string, shape: 'bar' | 'line' | 'pie', series: Series[] }} Chart
 */

const width = 640
const maxPoints = 60
const colours = 5
/** Beyond this the sum or the distance of two figures would be infinite. */
const maxDrawn = 1e300

/** The drawing alone; whoever shows it puts the figures beside it. @param {Chart} chart */
export const chartOf = ({ title, shape, series }) => {
  const shown = series.map(({ name, points }) => ({ name, points: points.slice(0, maxPoints).map(toPoint) }))
  const figures = series.flatMap(({ points }) =>
    points.map(({ label, value }) => `${label} ${number(value)}`),
  )
  const drawn = { bar, line, pie }[shape](shown)
  return svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${drawn.height}`,
      role: 'img',
      'aria-label': `${title}: ${figures.slice(0, 12).join(', ')}`,
    },
    ...drawn.nodes,
  )
}

/** What can be drawn; figures are written as they are. @param {Point} point */
const toPoint = ({ label, value }) => ({
  label,
  value: Number.isFinite(value) ? Math.max(-maxDrawn, Math.min(maxDrawn, value)) : 0,
})

/** @param {number} value */
const number = (value) =>
  Number.isFinite(value) ? value.toLocaleString('en-US', { maximumFractionDigits: 2 }) : '–'

/** @param {Series[]} series */
const bar = (series) => {
  const rows = series.flatMap(({ name, points }, at) =>
    points.map((point) => ({
      ...point,
      label: series.length > 1 ? `${point.label}, ${name}` : point.label,
      at,
    })),
  )
  const most = Math.max(1, ...rows.map(({ value }) => Math.abs(value)))
  const left = 168
  const room = width - left - 76
  const nodes = rows.flatMap(({ label, value, at }, row) => {
    const y = row * 30
    const length = Math.max(2, (Math.abs(value) / most) * room)
    return [
      svg('text', { x: left - 12, y: y + 19, 'text-anchor': 'end', class: 'faint' }, clip(label, 24)),
      svg('rect', { x: left, y: y + 5, width: length, height: 20, rx: 4, class: `area ${colour(at)}` }),
      svg('text', { x: left + length + 8, y: y + 19 }, number(value)),
    ]
  })
  return { nodes, height: Math.max(30, rows.length * 30) }
}

/** @param {Series[]} series */
const line = (series) => {
  const values = series.flatMap(({ points }) => points.map(({ value }) => value))
  const top = Math.max(1, ...values)
  const bottom = Math.min(0, ...values)
  const [left, right, height] = [56, 36, 220]
  const x = (/** @type {number} */ at, /** @type {number} */ count) =>
    left + (count < 2 ? 0.5 : at / (count - 1)) * (width - left - right)
  const y = (/** @type {number} */ value) => 14 + (1 - (value - bottom) / (top - bottom)) * (height - 44)
  const grid = [bottom, (top + bottom) / 2, top].flatMap((value) => [
    svg('line', { x1: left, x2: width - right, y1: y(value), y2: y(value), class: 'grid' }),
    svg('text', { x: left - 10, y: y(value) + 4, 'text-anchor': 'end', class: 'faint' }, number(value)),
  ])
  const labels = series[0]?.points ?? []
  const every = Math.ceil(labels.length / 7)
  const along = labels.flatMap(({ label }, at) =>
    at % every === 0
      ? [
          svg(
            'text',
            { x: x(at, labels.length), y: height - 6, 'text-anchor': 'middle', class: 'faint' },
            clip(label, 12),
          ),
        ]
      : [],
  )
  const lines = series.map(({ points }, at) =>
    svg('polyline', {
      points: points.map(({ value }, index) => `${x(index, points.length)},${y(value)}`).join(' '),
      class: `stroke ${colour(at)}`,
    }),
  )
  return { nodes: [...grid, ...along, ...lines], height }
}

/** A ring with the sum in it, and its parts named beside it. @param {Series[]} series */
const pie = (series) => {
  const points = (series[0]?.points ?? []).filter(({ value }) => value > 0)
  const sum = points.reduce((total, { value }) => total + value, 0)
  const radius = 72
  const around = 2 * Math.PI * radius
  let before = 0
  const height = Math.max(200, points.length * 24 + 24)
  const nodes = points.flatMap(({ label, value }, at) => {
    const share = value / sum
    const arc = svg('circle', {
      cx: 110,
      cy: height / 2,
      r: radius,
      class: `stroke ring ${colour(at)}`,
      'stroke-dasharray': `${Math.max(0, share * around - 2)} ${around}`,
      'stroke-dashoffset': -before * around,
      transform: `rotate(-90 110 ${height / 2})`,
    })
    before += share
    const y = height / 2 - (points.length * 24) / 2 + at * 24
    return [
      arc,
      svg('rect', { x: 240, y: y + 4, width: 12, height: 12, rx: 3, class: `area ${colour(at)}` }),
      svg(
        'text',
        { x: 262, y: y + 15 },
        `${clip(label, 30)}: ${number(value)} (${Math.round(share * 100)}%)`,
      ),
    ]
  })
  const total = svg(
    'text',
    { x: 110, y: height / 2 + 8, 'text-anchor': 'middle', class: 'total' },
    number(sum),
  )
  return { nodes: sum > 0 ? [...nodes, total] : nodes, height }
}

/** @param {number} at */
const colour = (at) => `series-${(at % colours) + 1}`

/** @param {string} words @param {number} most */
const clip = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words)

/** The same figures as a table, for whoever cannot see the drawing. @param {Chart} chart */
export const figuresOf = ({ title, series }) =>
  el(
    'table',
    {},
    el('caption', { class: 'unseen' }, title),
    el(
      'thead',
      {},
      el('tr', {}, ...['Series', 'What', 'Figure'].map((word) => el('th', { scope: 'col' }, word))),
    ),
    el(
      'tbody',
      {},
      ...series.flatMap(({ name, points }) =>
        points
          .slice(0, maxPoints)
          .map(({ label, value }) =>
            el(
              'tr',
              {},
              el('td', {}, name),
              el('td', {}, label),
              el('td', { class: 'right' }, number(value)),
            ),
          ),
      ),
    ),
  )
