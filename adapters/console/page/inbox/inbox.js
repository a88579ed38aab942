// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'
import { openMenu } from '../view/menu.js'
import { nodesIn, timeOf } from '../view/time.js'
import { cardOf } from '../view/view.js'

/**
 * @typedef {import('../view/view.js').Action} Action
 * @typedef {import('../view/time.js').Words} Words
 * @typedef {{ title: string, by: string, asked: { at: number } | null, why?: string, needs: Words[], facts: { label: string, value: Words }[],
 *   warnings: Words[], thing: { id: string }, actions: Action[], mark?: { id: string, amount: number | null, currency: string | null } }} Row
 * @typedef {{ mine: Row[], others: Row[], counts: { mine: string, others: string } }} Waiting
 * @typedef {{ as: () => string, press: (action: { verb: string, id: string }) => void, isHere: () => boolean, go: (id: string) => void }} Deps
 */

/** What somebody decided on here stays in sight. */
const maxSettled = 20

/** What waits, a line each; details open in their place. @param {Deps} deps */
export const createInbox = (deps) => {
  const lists = { mine: byId('inbox-list'), others: byId('inbox-others') }
  const approve = /** @type {HTMLButtonElement} */ (byId('inbox-approve'))
  const all = /** @type {HTMLInputElement} */ (byId('inbox-all'))
  /** @type {Set<string>} */
  const marked = new Set()
  /** @type {Set<string>} */
  const opened = new Set()
  /** What was pressed here, the newest last. @type {Set<string>} */
  const handled = new Set()
  /** @type {Row[]} */
  let mine = []
  /** @type {Row[]} */
  let settled = []
  let current = ''
  let lastDrawn = ''

  const press = (/** @type {Row} */ row, /** @type {{ verb: string, id: string }} */ action) => {
    if (action.verb === 'show_all') return toggle(row)
    handled.delete(row.thing.id)
    handled.add(row.thing.id)
    for (const id of [...handled].slice(0, -maxSettled)) handled.delete(id)
    deps.press(action)
  }
  const markedRows = () => mine.filter(({ thing }) => marked.has(thing.id))
  const showMarked = () => {
    const rows = markedRows()
    const markable = mine.filter(({ mark }) => mark)
    approve.hidden = rows.length === 0
    approve.textContent =
      rows.length === markable.length || rows.length === 0
        ? `Approve ${rows.length} (${totalsOf(rows)})`
        : `Approve ${rows.length} selected (${totalsOf(rows)})`
    byId('inbox-select').hidden = markable.length < 2
    all.checked = markable.length > 0 && rows.length === markable.length
    all.indeterminate = rows.length > 0 && rows.length < markable.length
  }
  const mark = (/** @type {Row} */ row, /** @type {boolean} */ isMarked) => {
    if (isMarked) marked.add(row.thing.id)
    else marked.delete(row.thing.id)
    showMarked()
  }
  approve.addEventListener('click', () => {
    const rows = markedRows()
    for (const { thing } of rows) handled.add(thing.id)
    marked.clear()
    deps.press({ verb: 'approve', id: rows.flatMap(({ mark: one }) => one?.id ?? []).join(',') })
  })
  all.addEventListener('change', () => {
    marked.clear()
    if (all.checked) for (const row of mine) if (row.mark) marked.add(row.thing.id)
    /** @type {HTMLInputElement} */ for (const box of lists.mine.querySelectorAll('input[type=checkbox]'))
      box.checked = all.checked
    showMarked()
  })

  const toggle = async (/** @type {Row} */ row) => {
    const { id } = row.thing
    const item = document.querySelector(`.inbox-row[data-id="${CSS.escape(id)}"]`)
    if (item === null) return
    if (opened.delete(id)) {
      item.querySelector('.inbox-card')?.remove()
      item.querySelector('.inbox-title')?.setAttribute('aria-expanded', 'false')
      return
    }
    opened.add(id)
    await fillCard(item, row)
  }
  /** @param {Element} item @param {Row} row */
  const fillCard = async (item, row) => {
    const view = await get('card', { as: deps.as(), id: row.thing.id }).catch(() => null)
    if (view === null || item.querySelector('.inbox-card') !== null || !opened.has(row.thing.id)) return
    const card = cardOf(view, (action) => press(row, action))
    item.append(
      el(
        'div',
        { class: 'inbox-card' },
        card,
        el(
          'button',
          { type: 'button', class: 'quiet', click: () => deps.go(row.thing.id) },
          'In the conversation',
        ),
      ),
    )
    item.querySelector('.inbox-title')?.setAttribute('aria-expanded', 'true')
  }

  const setCurrent = (/** @type {string} */ id, isFocused = true) => {
    current = id
    for (const item of document.querySelectorAll('.inbox-row'))
      item.classList.toggle('current', item instanceof HTMLElement && item.dataset.id === id)
    const at = mine.findIndex(({ thing }) => thing.id === id)
    byId('inbox-place').textContent = `${at + 1} of ${mine.length + settled.length}`
    const title = document.querySelector(`.inbox-row[data-id="${CSS.escape(id)}"] .inbox-title`)
    if (isFocused && title instanceof HTMLElement) title.focus()
  }
  const step = (/** @type {number} */ by) => {
    const rows = [...document.querySelectorAll('#inbox-list .inbox-row')].flatMap((one) =>
      one instanceof HTMLElement ? (one.dataset.id ?? []) : [],
    )
    if (rows.length === 0) return
    const isInside = document.activeElement?.closest('.inbox-row') !== null
    const at = rows.indexOf(current)
    const next = isInside || at === -1 ? at + by : at
    setCurrent(rows[(next + rows.length) % rows.length] ?? '')
    byId('inbox-place').textContent = `${rows.indexOf(current) + 1} of ${rows.length}`
  }
  byId('inbox-next').addEventListener('click', () => phoneStep(1))
  byId('inbox-previous').addEventListener('click', () => phoneStep(-1))
  const phoneStep = (/** @type {number} */ by) => {
    const rows = [...mine, ...settled].map(({ thing }) => thing.id)
    const at = Math.max(0, rows.indexOf(current))
    setCurrent(rows[(at + by + rows.length) % rows.length] ?? '', false)
    byId('inbox-place').textContent = `${rows.indexOf(current) + 1} of ${rows.length}`
  }

  /** @param {Row} row @param {boolean} isMine */
  const rowOf = (row, isMine) => {
    const { title, by, asked, why, needs, facts, warnings, thing, actions } = row
    const more = actions.filter(({ isMore }) => isMore)
    const item = el(
      'li',
      {
        class: `inbox-row${isMine ? '' : ' of-others'}${thing.id === current ? ' current' : ''}`,
        'data-id': thing.id,
      },
      isMine && row.mark
        ? el('input', {
            type: 'checkbox',
            'aria-label': `Select ${title}`,
            checked: marked.has(thing.id),
            change: (/** @type {Event} */ { target }) =>
              mark(row, /** @type {HTMLInputElement} */ (target).checked),
          })
        : el('span', { class: 'no-box' }),
      el(
        'div',
        { class: 'inbox-words' },
        el(
          'button',
          {
            type: 'button',
            class: 'inbox-title',
            'aria-expanded': 'false',
            'data-row': thing.id,
            click: () => toggle(row),
            focus: () => setCurrent(thing.id, false),
          },
          title,
        ),
        el(
          'p',
          { class: 'inbox-small' },
          by,
          ...(asked === null ? [] : [', ', timeOf(asked.at)]),
          ...(why === undefined ? [] : [` · ${why}`]),
          ...needs.flatMap((one) => [' · ', ...nodesIn(one)]),
          ...facts.flatMap(({ label, value }) => [` · ${label}: `, ...nodesIn(value)]),
          ...warnings.flatMap((words) => [' · ', el('span', { class: 'inbox-risk' }, ...nodesIn(words))]),
        ),
      ),
      el(
        'div',
        { class: 'inbox-actions' },
        ...actions
          .filter(({ isMore }) => !isMore)
          .map((action) =>
            el(
              'button',
              {
                type: 'button',
                class: action.look ?? '',
                'data-verb': action.verb,
                click: () => press(row, action),
              },
              action.label,
            ),
          ),
        more.length > 0 && moreOf(title, more, (action) => press(row, action)),
      ),
    )
    if (opened.has(thing.id)) fillCard(item, row)
    return item
  }

  return {
    /** @param {Waiting} waiting */
    show: async (waiting) => {
      const ids = new Set([...waiting.mine, ...waiting.others].map(({ thing }) => thing.id))
      const gone = [...handled].filter((id) => !ids.has(id))
      const views = await Promise.all(
        gone.map((id) =>
          get('card', { as: deps.as(), id }).catch(() => {
            handled.delete(id)
            return null
          }),
        ),
      )
      settled = views.flatMap((view, at) => (view === null ? [] : [settledRow(gone[at] ?? '', view)]))
      const drawn = JSON.stringify([deps.as(), waiting, settled])
      if (drawn === lastDrawn) return
      lastDrawn = drawn
      mine = waiting.mine
      for (const id of [...marked])
        if (!mine.some((row) => row.thing.id === id && row.mark)) marked.delete(id)
      const held = heldPlace()
      if (![...mine, ...settled].some(({ thing }) => thing.id === current)) current = mine[0]?.thing.id ?? ''
      byId('inbox-title').textContent =
        mine.length === 0 ? 'Nothing waits for you' : `Waiting for you (${waiting.counts.mine})`
      byId('inbox-empty').hidden = mine.length + settled.length + waiting.others.length > 0
      byId('inbox-walk').hidden = mine.length + settled.length < 2
      lists.mine.replaceChildren(...[...mine, ...settled].map((row) => rowOf(row, true)))
      byId('inbox-more').hidden = waiting.counts.mine === String(mine.length)
      byId('inbox-more').textContent =
        `The newest ${mine.length} of ${waiting.counts.mine}: approval list has them all.`
      byId('inbox-others-title').hidden = waiting.others.length === 0
      byId('inbox-others-title').textContent = `Waiting for others (${waiting.counts.others})`
      lists.others.replaceChildren(...waiting.others.map((row) => rowOf(row, false)))
      showMarked()
      if (current !== '') setCurrent(current, false)
      held()
    },
    focus: () => byId('inbox-title').focus({ preventScroll: true }),
    /** What came of a press, in a line. @param {string} words @param {() => void} open */
    tell: (words, open) => {
      byId('inbox-told').replaceChildren(
        el('span', {}, words),
        el('button', { type: 'button', class: 'quiet', click: open }, 'Show'),
      )
    },
    forget: () => {
      for (const one of [marked, opened, handled]) one.clear()
      settled = []
      current = ''
      lastDrawn = ''
      byId('inbox-told').replaceChildren()
    },
    /** Whether the key was ours. @param {KeyboardEvent} event */
    key: (event) => {
      if (!deps.isHere()) return false
      if (event.key === 'j' || event.key === 'k') {
        step(event.key === 'j' ? 1 : -1)
        return true
      }
      // What decides needs a row that somebody is in.
      const at = document.activeElement?.closest('.inbox-row')
      const id = at instanceof HTMLElement ? at.dataset.id : undefined
      const row = mine.find(({ thing }) => thing.id === id)
      if (row === undefined || at === null || at === undefined) return false
      if (event.key === 'x') {
        at.querySelector('input')?.click()
        return true
      }
      const verb = { a: ['approve', 'confirm'], r: ['reject'] }[event.key]
      const action = row.actions.find((one) => verb?.includes(one.verb))
      if (action === undefined) return verb !== undefined
      press(row, action)
      return true
    },
  }
}

/** Drawing the same anew takes nobody's place away. */
const heldPlace = () => {
  const at = document.activeElement
  if (!(at instanceof HTMLElement)) return () => undefined
  const id =
    at.closest('.inbox-row') instanceof HTMLElement ? at.closest('.inbox-row')?.getAttribute('data-id') : null
  const { verb } = at.dataset
  const isBox = at instanceof HTMLInputElement
  if (!id) return () => undefined
  return () => {
    const row = document.querySelector(`.inbox-row[data-id="${CSS.escape(id)}"]`)
    const same = verb
      ? row?.querySelector(`[data-verb="${verb}"]`)
      : isBox
        ? row?.querySelector('input')
        : null
    const next = same ?? row?.querySelector('.inbox-title') ?? byId('inbox-title')
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
  }
}

/** What became of it, in the same place. @param {string} id @param {any} view @returns {Row} */
const settledRow = (id, view) => {
  const turn = view.blocks.find((/** @type {any} */ { kind }) => kind === 'turn')
  return {
    title: view.title,
    by: turn?.by ?? '',
    asked: null,
    needs: turn?.lines ?? [],
    facts: [],
    warnings: [],
    thing: { id },
    actions: view.actions.map((/** @type {Action} */ action) => ({ ...action, isMore: true })),
  }
}

/** @param {string} title @param {Action[]} actions @param {(action: Action) => void} press */
const moreOf = (title, actions, press) => {
  const button = el(
    'button',
    {
      type: 'button',
      class: 'row-menu',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      'aria-label': `More for ${title}`,
      click: () =>
        openMenu(
          button,
          actions.map(({ label }) => ({ name: label, summary: '' })),
          (at) => {
            const action = actions[at]
            if (action !== undefined) press(action)
          },
        ),
    },
    '⋯',
  )
  return button
}

/** "10 EUR, 15 USD" @param {Row[]} rows */
const totalsOf = (rows) => {
  /** @type {Map<string, number>} */
  const sums = new Map()
  let unknown = 0
  for (const { mark } of rows) {
    if (mark === undefined) continue
    if (mark.amount === null) unknown += 1
    else sums.set(mark.currency ?? '', (sums.get(mark.currency ?? '') ?? 0) + mark.amount)
  }
  const words = [...sums].map(([code, sum]) => {
    const rounded = Math.round(sum * 100) / 100
    const least = Number.isInteger(rounded) ? 0 : 2
    return `${rounded.toLocaleString('en-US', { minimumFractionDigits: least })} ${code}`.trim()
  })
  return [...words, ...(unknown === 0 ? [] : [`${unknown} without a known sum`])].join(', ')
}
