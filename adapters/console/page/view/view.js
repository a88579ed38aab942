// @ts-check

import { el } from '../dom.js'
import { chartOf, figuresOf } from './chart.js'
import { marksOf } from './marks.js'
import { menusOf } from './menu.js'
import { clockOf, momentOf, nodesIn, timeOf } from './time.js'

/**
 * @typedef {{ verb: string, id: string, label: string, look?: 'primary' | 'danger', isMore?: true, mends?: true }} Action
 * @typedef {import('./time.js').Words} Words
 * @typedef {{ kind: string } & Record<string, any>} Block
 * @typedef {{ name: string, isGroup: boolean }} Mention
 * @typedef {{ title: string, tone: string, change?: { id: string, requester: string }, mentions?: Mention[], blocks: Block[], details?: Block[], footer?: Words, actions: Action[],
 *   menu?: import('./menu.js').Menu, marks?: import('./marks.js').Marks }} View
 */

/** What a page can hold without getting slow; the rest is counted, not dropped silently. */
const maxRows = 200
const maxItems = 200
const maxCharacters = 20_000
/** More than these are counted: a card is not a list of everybody. */
const maxMentions = 10
const maxInName = 60
const maxInLabel = 8
/** More columns than these stand side by side only where there is much room. */
const maxAcross = 5
/** Pixels that a table needs in order to be read across. */
const minAcross = 420

/**
 * @param {View} view
 * @param {(action: Action) => void} press
 * @param {'h2' | 'h3'} heading
 */
export const cardOf = (view, press, heading = 'h3') => {
  const rows = new Set(
    view.blocks.flatMap((block) => (block.kind === 'table' ? (block.things ?? []) : [])).map(keyOf),
  )
  const items = (view.menu?.items ?? []).filter(({ thing }) => rows.has(keyOf(thing)))
  /** A button for a thing that has a row stands in that row; the first one, which mends something, stands below as well. */
  const besideRow = new Map(
    view.actions
      .toReversed()
      .filter(({ verb }) => verb === 'act')
      .flatMap((action) => {
        const item = items.find(({ at }) => action.id.startsWith(`${view.menu?.id}.${at}.`))
        return item === undefined ? [] : [/** @type {const} */ ([keyOf(item.thing), action])]
      }),
  )
  const menuOf = menusOf(
    view.menu,
    (id) => press({ verb: 'act', id, label: '' }),
    (thing) => {
      const action = besideRow.get(keyOf(thing))
      return action === undefined
        ? null
        : buttonOf({ ...action, label: action.label.replace(/^(\S+).*$/s, '$1') }, press, action.label)
    },
  )
  const isInRow = (/** @type {Action} */ action) =>
    !action.mends && [...besideRow.values()].some((one) => one.id === action.id)
  // What mends something stands below what is wrong.
  const others = view.blocks.findIndex(({ kind, tone }) => kind !== 'note' || tone !== 'warn')
  const wrong = others === -1 ? view.blocks.length : others
  const mending = wrong === 0 ? [] : view.actions.filter(({ mends }) => mends)
  return el(
    'div',
    { class: `card ${view.tone}` },
    el(heading, {}, cut(view.title)),
    turnOf(view.mentions ?? []),
    ...nodesOf(view.blocks.slice(0, wrong), view, menuOf, press),
    actionsOf(mending, press),
    ...nodesOf(view.blocks.slice(wrong), view, menuOf, press),
    // Rows of what waits have a button for all of them; which of them are marked is chosen in the inbox.
    !view.blocks.some(({ kind }) => kind === 'requests') &&
      marksOf(view.marks ?? [], (id) => press({ verb: 'review', id, label: '' })),
    view.footer && el('p', { class: 'footer' }, ...wordsOf(view.footer)),
    actionsOf(
      view.actions.filter((action) => !action.isMore && !isInRow(action) && !mending.includes(action)),
      press,
    ),
    detailsOf(view, menuOf, press),
  )
}

/** @param {Block[]} blocks @param {View} view @param {import('./menu.js').MenuOf} menuOf @param {(action: Action) => void} press */
const nodesOf = (blocks, view, menuOf, press) =>
  blocks.map((block, at) =>
    isLeadIn(block, blocks[at + 1])
      ? el('p', { class: 'text lead-in' }, block.text)
      : block.kind === 'requests'
        ? requestsOf(/** @type {any} */ (block), menuOf, press)
        : toNode(block, menuOf, () => tableLabel({ ...view, blocks }, at)),
  )

/** What waits, a line each with its buttons. @param {{ requests: any[] }} block @param {import('./menu.js').MenuOf} menuOf @param {(action: Action) => void} press */
const requestsOf = ({ requests }, menuOf, press) =>
  el(
    'ul',
    { class: 'requests' },
    ...requests.map(({ title, by, asked, needs, facts, warnings, thing, actions }) =>
      el(
        'li',
        {},
        el('p', { class: 'request' }, el('b', {}, cut(title)), menuOf(thing)),
        el(
          'p',
          { class: 'asked' },
          `${cut(by)} asks, `,
          timeOf(asked.at),
          ...needs.flatMap((/** @type {Words} */ one) => [' · ', ...wordsOf(one)]),
        ),
        facts.length > 0 &&
          el(
            'p',
            { class: 'asked' },
            ...facts.flatMap((/** @type {any} */ { label, value }, /** @type {number} */ at) => [
              `${at === 0 ? '' : ' · '}${label}: `,
              ...wordsOf(value),
            ]),
          ),
        ...warnings.map((/** @type {Words} */ words) =>
          el('p', { class: 'note warn' }, el('span', {}, ...wordsOf(words))),
        ),
        actionsOf(
          actions.filter((/** @type {Action} */ { isMore }) => !isMore),
          press,
        ),
      ),
    ),
  )

/** @param {Action[]} actions @param {(action: Action) => void} press */
const actionsOf = (actions, press) =>
  actions.length > 0 && el('div', { class: 'actions' }, ...actions.map((action) => buttonOf(action, press)))

/** Everything else opens in its place. @param {View} view @param {import('./menu.js').MenuOf} menuOf @param {(action: Action) => void} press */
const detailsOf = (view, menuOf, press) => {
  const { details = [] } = view
  const more = view.actions.filter(({ isMore, verb }) => isMore && verb !== 'show_all' && verb !== 'details')
  if (details.length === 0 && more.length === 0) return false
  return el(
    'details',
    { class: 'more-of-it' },
    el('summary', {}, 'Details'),
    el('div', {}, ...nodesOf(details, view, menuOf, press), actionsOf(more, press)),
  )
}

/** A few words above what they name look like its heading. @param {Block} block @param {Block | undefined} next */
const isLeadIn = ({ kind, text }, next) =>
  kind === 'text' &&
  typeof text === 'string' &&
  next !== undefined &&
  next.kind !== 'text' &&
  /^[^\n.:!?]{1,60}$/.test(text)

/** @param {Mention[]} mentions */
const turnOf = (mentions) => {
  if (mentions.length === 0) return null
  const names = [...new Set(mentions.map(({ name, isGroup }) => (isGroup ? `everybody in ${name}` : name)))]
  const left = names.length - maxMentions
  return el(
    'p',
    { class: 'turn' },
    'Your turn: ',
    // The spaces keep the names apart where they are copied or read aloud.
    ...names
      .slice(0, maxMentions)
      .flatMap((name) => [el('span', { class: 'mention' }, cut(name, maxInName)), ' ']),
    left > 0 && `and ${left === 1 ? '1 other' : `${left.toLocaleString('en-US')} others`}`,
  )
}

/** A table of several says which one it is, and what is in it. @param {View} view @param {number} at */
const tableLabel = ({ title, blocks }, at) => {
  const tables = blocks.filter(({ kind }) => kind === 'table')
  const block = blocks[at]
  const which = tables.length > 1 && block ? `, table ${tables.indexOf(block) + 1} of ${tables.length}` : ''
  const columns = (block?.columns ?? []).slice(0, maxInLabel).map((/** @type {any} */ { label }) => label)
  return cut(`${title}${which}: ${columns.join(', ')}`, maxInName * 3)
}

/** @param {{ kind: string, id: string } | null} thing */
const keyOf = (thing) => `${thing?.kind} ${thing?.id}`

/** @param {Action} action @param {(action: Action) => void} press @param {string} [whole] what it says in full */
const buttonOf = (action, press, whole) => {
  const look = action.look ?? (action.verb === 'run_it' || (action.mends && !whole) ? 'primary' : '')
  return el(
    'button',
    {
      type: 'button',
      class: look,
      'data-verb': action.verb,
      'aria-label': whole ?? null,
      click: () => press(action),
    },
    action.label,
  )
}

/** @param {Block} block @param {import('./menu.js').MenuOf} menuOf @param {() => string} label @returns {Node} */
const toNode = (block, menuOf, label) => {
  switch (block.kind) {
    case 'turn':
      return turnNode(/** @type {any} */ (block))
    case 'quote':
      return el('blockquote', {}, el('p', {}, cut(block.text)), el('cite', {}, cut(block.by)))
    case 'text':
      return el('p', { class: 'text' }, ...wordsOf(block.text))
    case 'note':
      return el('p', { class: `note ${block.tone}` }, el('span', {}, ...wordsOf(block.text)))
    case 'facts':
      return listed(block.facts, block.isLead ? 'facts lead' : 'facts', (fact) => {
        const pair = [
          el('dt', {}, cut(fact.label)),
          el('dd', {}, ...(fact.time ? [momentOf(fact.time.at)] : wordsOf(fact.value)), menuOf(fact.thing)),
        ]
        return block.isLead ? [el('div', {}, ...pair)] : pair
      })
    case 'diff':
      return listed(block.changes, 'diff', (change) => [differenceOf(change)])
    case 'table':
      return tableOf(block, menuOf, label())
    case 'list':
      return withRest(
        el(
          'ul',
          { class: 'list' },
          ...block.items
            .slice(0, maxItems)
            .map((/** @type {Words} */ item) => el('li', {}, ...wordsOf(item))),
        ),
        block.items.length - maxItems,
        'items',
      )
    case 'address':
      return el(
        'p',
        {},
        el('a', { class: 'address', href: block.url, target: '_blank', rel: 'noopener' }, cut(block.label)),
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

/** @param {{ lines: Words[], by: string, time?: { words: string, moment: { at: number } } }} block */
const turnNode = ({ lines, by, time }) =>
  el(
    'div',
    { class: 'whose-turn' },
    ...lines.map((line) => el('p', {}, ...wordsOf(line))),
    el('p', { class: 'asked' }, cut(by), time && ` · ${time.words} `, time && timeOf(time.moment.at)),
  )

/**
 * @param {any[]} rows @param {string} name
 * @param {(row: any) => Node[]} nodesOf
 */
const listed = (rows, name, nodesOf) =>
  withRest(
    el('dl', { class: name }, ...rows.slice(0, maxItems).flatMap(nodesOf)),
    rows.length - maxItems,
    'lines',
  )

/** @param {{ label: string, before: Words | null, after: Words | null }} change */
const differenceOf = ({ label, before, after }) =>
  el(
    'div',
    {},
    el('dt', {}, cut(label)),
    el(
      'dd',
      {},
      before !== null && el('del', {}, ...sideOf(before)),
      before !== null && el('span', { class: 'arrow', 'aria-label': 'becomes', role: 'img' }, '→'),
      after === null ? el('span', {}, 'removed') : el('ins', {}, ...sideOf(after)),
    ),
  )

/** @param {Words} words */
const sideOf = (words) => (words === '' ? ['empty'] : wordsOf(words))

/** @param {any} block @param {import('./menu.js').MenuOf} menuOf @param {string} label */
const tableOf = ({ columns, rows, things = [] }, menuOf, label) => {
  const hasMenus = things.some((/** @type {any} */ thing) => menuOf(thing) !== null)
  const align = (/** @type {number} */ at) => (columns[at]?.align === 'right' ? 'right' : null)
  const head = (/** @type {any} */ column, /** @type {number} */ at) =>
    el('th', { role: 'columnheader', scope: 'col', class: align(at) }, cut(column.label))
  const row = (/** @type {string[]} */ cells, /** @type {number} */ line) =>
    el(
      'tr',
      { role: 'row' },
      ...columns.map((/** @type {any} */ column, /** @type {number} */ at) =>
        el(
          'td',
          { role: 'cell', class: align(at), 'data-label': column.label, 'data-empty': cells[at] ? null : '' },
          cellOf(column, cells[at], line),
        ),
      ),
      hasMenus && el('td', { role: 'cell', class: 'row-actions' }, menuOf(things[line])),
    )
  // Where the rows are drawn one below the other, browsers would no longer say that it is a table.
  return withRest(
    tableBox(
      label,
      el(
        'table',
        { role: 'table', class: columns.length > maxAcross ? 'many' : '' },
        el(
          'thead',
          { role: 'rowgroup' },
          el(
            'tr',
            { role: 'row' },
            ...columns.map(head),
            hasMenus &&
              el('th', { role: 'columnheader', scope: 'col' }, el('span', { class: 'unseen' }, 'Actions')),
          ),
        ),
        el('tbody', { role: 'rowgroup' }, ...rows.slice(0, maxRows).map(row)),
      ),
    ),
    rows.length - maxRows,
    'rows',
  )
}

/** What is wider than its place is drawn row by row. @param {string} label @param {HTMLElement} table */
const tableBox = (label, table) => {
  table.setAttribute('aria-label', label)
  const place = el('div', { class: 'table-place' }, table)
  new ResizeObserver(() => {
    place.classList.remove('stacked')
    place.classList.toggle(
      'stacked',
      table.scrollWidth > place.clientWidth + 1 || place.clientWidth < minAcross,
    )
  }).observe(place)
  return place
}

/** @param {any} column @param {string | undefined} words @param {number} line */
const cellOf = ({ times, isDate }, words, line) =>
  times?.[line] ? (isDate ? clockOf : timeOf)(times[line].at) : cut(words ?? '')

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
      tableBox(cut(`Figures: ${chart.title}`, maxInName * 3), figuresOf(chart)),
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

/** A sentence, its times in the reader's own zone. @param {Words} words */
const wordsOf = (words) => nodesIn(words, cut)

/** @param {string} words @param {number} [longest] */
const cut = (words, longest = maxCharacters) => {
  const left = words.length - longest
  return left <= 0 ? words : `${words.slice(0, longest)}… (${left.toLocaleString('en-US')} more characters)`
}
