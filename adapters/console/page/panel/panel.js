// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'
import { createMarking } from '../view/marks.js'
import { nodesIn, timeOf } from '../view/time.js'
import { seenOf } from './seen.js'

const names = ['commands', 'waiting', 'audit', 'seen']
/** A chain that takes longer than this to walk is walked when somebody asks, not on every change. */
const quickMs = 300
const settleMs = 200
const pollMs = 5_000
const restingPolls = 4

/**
 * @param {{ as: () => string, exampleOf: (line: string, as?: string) => HTMLElement,
 *   go: (changeId: string) => void, review: (ids: string) => void, told: (waiting: any[]) => HTMLElement | null }} deps
 */
export const createPanel = ({ as, exampleOf, go, review, told }) => {
  const panel = byId('panel')
  const toggle = byId('panel-toggle')
  const isNarrow = matchMedia('(width < 64rem)')
  let isQuick = true
  let lastDrawn = ''
  let selected = 'commands'
  const marking = createMarking(review)

  const select = (/** @type {string} */ name) => {
    selected = name
    for (const one of names) {
      const tab = byId(`tab-${one}`)
      tab.setAttribute('aria-selected', String(one === name))
      tab.tabIndex = one === name ? 0 : -1
      byId(one).hidden = one !== name
    }
    if (name === 'audit') showAudit(true)
    if (name === 'waiting') showWaiting()
  }
  const setOpen = (/** @type {boolean} */ isOpen) => {
    panel.classList.toggle('open', isOpen)
    toggle.setAttribute('aria-expanded', String(isOpen))
    // Its parts, not the landmark itself: that stays where people look for it.
    for (const part of /** @type {Iterable<HTMLElement>} */ (byId('main').children))
      part.inert = isOpen && isNarrow.matches
    if (isOpen) byId(`tab-${selected}`).focus()
  }
  const close = () => {
    if (!panel.classList.contains('open')) return false
    setOpen(false)
    if (isNarrow.matches) toggle.focus()
    return true
  }

  for (const name of names) byId(`tab-${name}`).addEventListener('click', () => select(name))
  panel.querySelector('[role=tablist]')?.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event)
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const next = names[(names.indexOf(selected) + step + names.length) % names.length] ?? 'commands'
    select(next)
    byId(`tab-${next}`).focus()
  })
  toggle.addEventListener('click', () => setOpen(!panel.classList.contains('open')))
  byId('panel-close').addEventListener('click', close)
  isNarrow.addEventListener('change', () => setOpen(false))

  const showCommands = async () => {
    const nouns = await get('commands', { as: as() })
    byId('commands').replaceChildren(
      el('p', { class: 'lead' }, 'What you may run here. An example goes into the line when you pick it.'),
      ...nouns.map((/** @type {any} */ { noun, commands }) =>
        el(
          'details',
          { class: 'noun' },
          el('summary', {}, `${noun} `, commands.length > 1 && el('small', {}, String(commands.length))),
          el('ul', {}, ...commands.map((/** @type {any} */ command) => commandOf(command, exampleOf))),
        ),
      ),
    )
  }
  const showWaiting = async () => {
    const who = as()
    const waiting = await get('changes', { as: who })
    if (who !== as()) return
    const mine = waiting.filter((/** @type {any} */ { isForYou }) => isForYou)
    for (const id of ['waiting-count', 'waiting-dot']) {
      byId(id).hidden = mine.length === 0
      byId(id).replaceChildren(String(mine.length), el('span', { class: 'unseen' }, ' for you'))
    }
    const drawn = JSON.stringify([who, waiting])
    const ask = told(mine)
    if (drawn === lastDrawn) return
    lastDrawn = drawn
    const markable = mine.filter((/** @type {any} */ { isMarkable }) => isMarkable)
    marking.keep(markable.map((/** @type {any} */ { id }) => id))
    const others = waiting.filter((/** @type {any} */ { isForYou }) => !isForYou)
    byId('waiting').replaceChildren(
      ...(ask === null ? [] : [ask]),
      ...(waiting.length === 0 ? [nothing('Nothing waits for a decision.')] : []),
      ...listOf('Your turn', mine, go, markable.length > 1 ? marking : undefined),
      ...(markable.length > 1 ? [marking.button] : []),
      ...listOf('Waiting for others', others, go),
    )
  }
  const showAudit = async (/** @type {boolean} */ check) => {
    const { audit } = await get('audit', { as: as(), check: check ? 'yes' : 'no' })
    if (audit === null) {
      byId('audit').replaceChildren(
        nothing('Your roles may not read the audit log. Act as somebody who may.'),
      )
      return
    }
    const { verdict, entries } = audit
    if (verdict !== null) isQuick = verdict.ms < quickMs
    const words = verdict?.sentence ?? 'Not checked since the last entry.'
    const tone = verdict === null ? 'plain' : verdict.ok ? 'good' : 'bad'
    byId('audit').replaceChildren(
      el(
        'div',
        { class: 'verdict' },
        el('p', { class: `note ${tone}`, role: 'status' }, el('span', {}, words)),
        el('button', { type: 'button', click: () => showAudit(true) }, 'Check'),
      ),
      el('ol', { class: 'entries', 'aria-label': 'Latest entries' }, ...entries.map(entryOf)),
    )
  }
  const refresh = () => {
    showWaiting().catch(() => undefined)
    if (selected === 'audit') showAudit(isQuick).catch(() => undefined)
  }
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let due
  const soon = () => {
    clearTimeout(due)
    due = setTimeout(refresh, settleMs)
  }
  let sinceAsked = 0
  // The title of a page that nobody looks at still counts, only less often.
  setInterval(() => {
    sinceAsked += 1
    if (document.visibilityState !== 'visible' && sinceAsked < restingPolls) return
    sinceAsked = 0
    showWaiting().catch(() => undefined)
  }, pollMs)
  showSeen(null)

  return {
    /** Something happened in the house. */
    soon,
    close,
    persona: () => {
      showCommands().catch(() => undefined)
      showSeen(null)
      refresh()
    },
    /** @param {import('../conversation/messages.js').Message} message */
    see: async (message) => {
      select('seen')
      if (isNarrow.matches) setOpen(true)
      showSeen(await get('as-seen', { as: as(), message: message.id }))
    },
  }
}

/** @param {any} command @param {(line: string) => HTMLElement} exampleOf */
const commandOf = ({ name, summary, kind, examples }, exampleOf) =>
  el(
    'li',
    {},
    el('h2', {}, name, kind !== 'look-up' && el('span', { class: `tag ${kind}` }, kind)),
    el('p', {}, summary),
    ...examples.map((/** @type {string} */ line) => exampleOf(line)),
  )

/** @typedef {ReturnType<typeof createMarking>} Marking */

/** @param {string} title @param {any[]} changes @param {(id: string) => void} go @param {Marking} [marking] */
const listOf = (title, changes, go, marking) =>
  changes.length === 0
    ? []
    : [
        el('h2', { class: 'waiting-head' }, title, ' ', el('small', {}, String(changes.length))),
        el('ul', { class: 'waiting-list' }, ...changes.map((one) => waitingOf(one, go, marking))),
      ]

/** @param {any} change @param {(id: string) => void} go @param {Marking} [marking] */
const waitingOf = ({ id, title, status, by, at, expiresAt, isMarkable }, go, marking) =>
  el(
    'li',
    {},
    el('h3', {}, isMarkable && marking?.boxOf(id, title), title),
    el('p', {}, ...nodesIn(status)),
    el('p', {}, `${by}, `, timeOf(at), ...(expiresAt === null ? [] : [', expires ', timeOf(expiresAt)])),
    el('button', { type: 'button', click: () => go(id) }, 'Go to the card'),
  )

/** @param {any} entry */
const entryOf = ({ seq, at, kind, name, command, changeId, id }) =>
  el(
    'li',
    {},
    el('p', {}, el('b', {}, name), ` ${kind} `, el('code', {}, command)),
    el(
      'small',
      {},
      `${seq}, `,
      timeOf(at),
      changeId === null ? '' : `, change ${changeId}`,
      ', ',
      el('code', {}, id.slice(-10)),
    ),
  )

/** @param {Record<string, any> | null} seen */
const showSeen = (seen) => {
  byId('seen').replaceChildren(
    ...(seen === null
      ? [
          nothing(
            'Press “As others see it” on a message to see it as other messengers show it, and the JSON that they are sent.',
          ),
        ]
      : Object.entries(seen).map(([title, one]) => seenOf(title, one))),
  )
}

/** @param {string} words */
const nothing = (words) =>
  el(
    'div',
    { class: 'nothing' },
    el('img', { src: '/console/bell.svg', alt: '', width: 40, height: 40 }),
    el('p', {}, words),
  )
