// @ts-check
import { get } from '../api.js'
import { byId, el } from '../dom.js'
import { nodesIn, timeOf } from '../view/time.js'
import { seenOf } from './seen.js'

/** A chain that takes longer than this to walk is walked when somebody asks, not on every change. */
const quickMs = 300
const settleMs = 200
const pollMs = 5_000
const restingPolls = 4

/**
 * What the page follows besides the conversation: what waits and what is frozen, the audit log, and a message as others see it.
 * @param {{ as: () => string, page: () => string, press: (action: { verb: string, id: string }) => void, told: (waiting: any) => void }} deps
 */
export const createPanel = ({ as, page, press, told }) => {
  const panel = byId('panel')
  let isQuick = true

  const setOpen = (/** @type {boolean} */ isOpen) => {
    panel.hidden = !isOpen
    document.body.classList.toggle('with-panel', isOpen)
  }
  const close = () => {
    if (panel.hidden) return false
    setOpen(false)
    return true
  }
  byId('panel-close').addEventListener('click', close)

  const showWaiting = async () => {
    const who = as()
    const waiting = await get('waiting', { as: who })
    if (who !== as()) return
    const count = byId('waiting-count')
    count.hidden = waiting.counts.mine === '0'
    count.replaceChildren(waiting.counts.mine, el('span', { class: 'unseen' }, ' for you'))
    showFreezes(waiting.freezes, press)
    await told(waiting)
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
    if (page() === 'audit') showAudit(isQuick).catch(() => undefined)
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

  return {
    /** Something happened in the house. */
    soon,
    close,
    refresh,
    showAudit: () => showAudit(true).catch(() => undefined),
    /** @param {import('../conversation/messages.js').Message} message */
    see: async (message) => {
      const seen = await get('as-seen', { as: as(), message: message.id })
      byId('seen').replaceChildren(...Object.entries(seen).map(([title, one]) => seenOf(title, one)))
      setOpen(true)
      byId('panel-close').focus()
    },
  }
}

let lastFrozen = '[]'
/** What is frozen stands above everything else; a press is not lost to drawing the same anew. @param {any[]} freezes @param {(action: { verb: string, id: string }) => void} press */
const showFreezes = (freezes, press) => {
  const drawn = JSON.stringify(freezes)
  if (drawn === lastFrozen) return
  lastFrozen = drawn
  const bar = byId('frozen')
  bar.hidden = freezes.length === 0
  bar.replaceChildren(
    ...freezes.map(({ words, action }) =>
      el(
        'p',
        {},
        el('span', {}, ...nodesIn(words)),
        el('button', { type: 'button', click: () => press(action) }, 'Unfreeze'),
      ),
    ),
  )
}

/** A sentence; its number and its digest stand behind it. @param {any} entry */
const entryOf = ({ seq, at, name, deed, platform, command, changeId, id }) =>
  el(
    'li',
    {},
    el(
      'details',
      {},
      el('summary', {}, el('b', {}, name), ` ${deed}, `, timeOf(at)),
      el(
        'small',
        {},
        `${seq ?? 'new'}, ${command}, from ${platform}`,
        changeId === null ? '' : `, change ${changeId}`,
        ', ',
        el('code', {}, id.slice(-10)),
      ),
    ),
  )

/** @param {string} words */
const nothing = (words) =>
  el(
    'div',
    { class: 'nothing' },
    el('img', { src: '/console/bell.svg', alt: '', width: 40, height: 40 }),
    el('p', {}, words),
  )
