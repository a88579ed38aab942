// @ts-check
import { chartOf, figuresOf } from './chart.js'
import { el } from './dom.js'
import { menusOf } from './menu.js'

/**
 * @typedef {{ verb: string, id: string, label: string }} Action
 * @typedef {{ kind: string } & Record<string, any>} Block
 * @typedef {{ name: string, isGroup: boolean }} Mention
 * @typedef {{ title: string, tone: string, mentions?: Mention[], blocks: Block[], footer?: string, actions: Action[],
 *   menu?: import('./menu.js').Menu }} View
 */

/** What a page can hold without getting slow; the rest is counted, not dropped silently. */
const mostRows = 200
const mostItems = 200
const mostCharacters = 20_000

const primary = new Set(['approve', 'confirm'])
const dangerous = new Set(['reject', 'stop'])

/**
 * @param {View} view
 * @param {(action: Action) => void} press
 */
export const cardOf = (view, press) => {
  const menuOf = menusOf(view.menu, (id) => press({ verb: 'act', id, label: '' }))
  return el(
    'div',
    { class: `card ${view.tone}` },
    el('h3', {}, cut(view.title)),
    view.mentions &&
      view.mentions.length > 0 &&
      el(
        'p',
        { class: 'turn' },
        'Your turn: ',
        // The spaces keep the names apart where they are copied or read aloud.
        ...view.mentions.flatMap(({ name, isGroup }) => [
          el('span', { class: 'mention' }, cut(isGroup ? `everybody in ${name}` : name)),
          ' ',
        ]),
      ),
    ...view.blocks.map((block) => toNode(block, menuOf, view.title)),
    view.footer && el('p', { class: 'footer' }, cut(view.footer)),
    view.actions.length > 0 &&
      el('div', { class: 'actions' }, ...view.actions.map((action) => buttonOf(action, press))),
  )
}

/** @param {Action} action @param {(action: Action) => void} press */
const buttonOf = (action, press) => {
  const look = primary.has(action.verb) ? 'primary' : dangerous.has(action.verb) ? 'danger' : ''
  return el(
    'button',
    { type: 'button', class: look, 'data-verb': action.verb, click: () => press(action) },
    action.label,
  )
}

/** @param {Block} block @param {import('./menu.js').MenuOf} menuOf @param {string} title @returns {Node} */
const toNode = (block, menuOf, title) => {
  switch (block.kind) {
    case 'text':
      return el('p', { class: 'text' }, cut(block.text))
    case 'note':
      return el('p', { class: `note ${block.tone}` }, el('span', {}, cut(block.text)))
    case 'facts':
      return listed(block.facts, 'facts', (fact) => [
        el('dt', {}, cut(fact.label)),
        el('dd', {}, cut(fact.value), menuOf(fact.thing)),
      ])
    case 'diff':
      return listed(block.changes, 'diff', (change) => [differenceOf(change)])
    case 'table':
      return tableOf(block, menuOf, title)
    case 'list':
      return withRest(
        el(
          'ul',
          { class: 'list' },
          ...block.items.slice(0, mostItems).map((/** @type {string} */ item) => el('li', {}, cut(item))),
        ),
        block.items.length - mostItems,
        'items',
      )
    case 'code':
      return el('pre', { class: 'code', tabindex: 0 }, cut(block.text))
    case 'chart':
      return figureOf(/** @type {any} */ (block))
    case 'progress':
      return progressOf(block)
    default:
      return el('p', { class: 'text' }, `Something this page cannot draw: ${block.kind}`)
  }
}

/**
 * @param {any[]} rows @param {string} name
 * @param {(row: any) => Node[]} nodesOf
 */
const listed = (rows, name, nodesOf) =>
  withRest(
    el('dl', { class: name }, ...rows.slice(0, mostItems).flatMap(nodesOf)),
    rows.length - mostItems,
    'lines',
  )

/** @param {{ label: string, before: string | null, after: string | null }} change */
const differenceOf = ({ label, before, after }) =>
  el(
    'div',
    {},
    el('dt', {}, cut(label)),
    el(
      'dd',
      {},
      before !== null && el('del', {}, cut(before) || 'empty'),
      before !== null && el('span', { class: 'arrow', 'aria-label': 'becomes', role: 'img' }, '→'),
      after === null ? el('span', {}, 'removed') : el('ins', {}, cut(after) || 'empty'),
    ),
  )

/** @param {any} block @param {import('./menu.js').MenuOf} menuOf @param {string} title */
const tableOf = ({ columns, rows, things = [] }, menuOf, title) => {
  const hasMenus = things.some((/** @type {any} */ thing) => menuOf(thing) !== null)
  const align = (/** @type {number} */ at) => (columns[at]?.align === 'right' ? 'right' : null)
  return withRest(
    el(
      'div',
      { class: 'table-box', role: 'region', 'aria-label': `Table: ${title}`, tabindex: 0 },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...columns.map((/** @type {any} */ column, /** @type {number} */ at) =>
              el('th', { scope: 'col', class: align(at) }, cut(column.label)),
            ),
            hasMenus && el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Actions')),
          ),
        ),
        el(
          'tbody',
          {},
          ...rows
            .slice(0, mostRows)
            .map((/** @type {string[]} */ row, /** @type {number} */ line) =>
              el(
                'tr',
                {},
                ...columns.map((/** @type {any} */ _, /** @type {number} */ at) =>
                  el('td', { class: align(at) }, cut(row[at] ?? '')),
                ),
                hasMenus && el('td', { class: 'row-actions' }, menuOf(things[line])),
              ),
            ),
        ),
      ),
    ),
    rows.length - mostRows,
    'rows',
  )
}

/** @param {import('./chart.js').Chart} chart */
const figureOf = (chart) =>
  el(
    'figure',
    { class: 'chart' },
    el('figcaption', {}, cut(chart.title)),
    chartOf(chart),
    el(
      'details',
      {},
      el('summary', {}, 'Figures'),
      el(
        'div',
        { class: 'table-box', role: 'region', 'aria-label': 'Figures', tabindex: 0 },
        figuresOf(chart),
      ),
    ),
  )

/** @param {any} block */
const progressOf = ({ label, done, total }) => {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0
  const figures = `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}, ${Math.floor(share * 100)}%`
  return el(
    'div',
    { class: 'progress' },
    el('b', {}, cut(label)),
    el('progress', { max: 1, value: share, 'aria-label': label }),
    el('span', {}, figures),
  )
}

/** @param {Node} node @param {number} left @param {string} what */
const withRest = (node, left, what) =>
  left <= 0
    ? node
    : el('div', {}, node, el('p', { class: 'more' }, `and ${left.toLocaleString('en-US')} more ${what}`))

/** @param {string} words */
const cut = (words) => {
  const left = words.length - mostCharacters
  return left <= 0
    ? words
    : `${words.slice(0, mostCharacters)}… (${left.toLocaleString('en-US')} more characters)`
}
