// @ts-check

import { el } from '../dom.js'
import { chartOf } from '../view/chart.js'
import { jsonOf } from '../view/json.js'
import { clockOf, timeOf } from '../view/time.js'

/**
 * How a message looks elsewhere, as its adapter has drawn it.
 * @typedef {string | { box: string, look: string, parts: Drawing[], colour?: number } | { chart: import('../view/chart.js').Chart } | { time: number, isAge: boolean }} Drawing
 */

const tags = /** @type {Record<string, string>} */ ({
  line: 'span',
  bold: 'b',
  struck: 's',
  code: 'code',
  pre: 'pre',
  table: 'table',
  row: 'tr',
  cell: 'td',
  head: 'th',
})

/** @param {string} title @param {{ json: unknown, drawing: Drawing }} seen */
export const seenOf = (title, { json, drawing }) => {
  const heading = `As ${title} sees it`
  const pre = jsonOf(json)
  pre.setAttribute('aria-label', `${heading}, as JSON`)
  pre.setAttribute('role', 'group')
  const copy = el(
    'button',
    { type: 'button', 'aria-label': `Copy: ${heading}`, click: () => copyOf(pre, copy) },
    'Copy',
  )
  return el(
    'section',
    { class: 'seen', 'aria-label': heading },
    el('div', { class: 'seen-head' }, el('h2', {}, heading)),
    el(
      'div',
      { class: `drawn as-${title.toLowerCase()}` },
      el('img', { src: '/console/bell.svg', alt: '', width: 36, height: 36 }),
      el('div', { class: 'drawn-by' }, el('b', {}, 'Bellhop'), ' ', el('small', {}, 'APP')),
      nodeOf(drawing),
    ),
    el('div', { class: 'seen-head' }, el('h3', {}, 'The JSON that is sent'), copy),
    pre,
  )
}

/** @param {Drawing} drawing @returns {Node} */
const nodeOf = (drawing) => {
  if (typeof drawing === 'string') return document.createTextNode(drawing)
  if ('chart' in drawing) return chartOf(drawing.chart)
  if ('time' in drawing) return drawing.isAge ? timeOf(drawing.time) : clockOf(drawing.time)
  const { box, look, parts, colour } = drawing
  const looks = look.split(' ').map((word) => `is-${word}`)
  const node = el(tags[box] ?? 'div', { class: [`d-${box}`, ...looks].join(' ') }, ...parts.map(nodeOf))
  // By script, which the page's own policy allows where a style attribute in markup is not.
  if (colour !== undefined) node.style.borderLeftColor = `#${colour.toString(16).padStart(6, '0')}`
  return box === 'table'
    ? el('div', { class: 'd-scroll', role: 'group', 'aria-label': 'Table', tabindex: 0 }, node)
    : node
}

/** Without the right to the clipboard the text is at least selected. @param {HTMLElement} pre @param {HTMLElement} button */
const copyOf = async (pre, button) => {
  try {
    await navigator.clipboard.writeText(pre.textContent ?? '')
    button.textContent = 'Copied'
  } catch {
    getSelection()?.selectAllChildren(pre)
    button.textContent = 'Selected'
  }
}
