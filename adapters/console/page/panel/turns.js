// @ts-check
import { el } from '../dom.js'

/** Browsers know of notifications only where the address is secure; a console on a local network is not. */
const canNotify = () => 'Notification' in window && isSecureContext

/**
 * What waits for this person, told where they look while they do something else: in the title of the page and, if they
 * allow it, by the browser.
 * @param {{ name: () => string, go: (changeId: string) => void }} deps
 */
export const createTurns = ({ name, go }) => {
  /** What they know of already; nothing is told of what waited before the page was opened. @type {Set<string> | undefined} */
  let known
  const entitle = (/** @type {string} */ count) => {
    document.title = `${count === '0' ? '' : `(${count}) `}${name()} · Bellhop`
  }
  const notify = (/** @type {{ id: string, title: string, by: string }} */ { id, title, by }) => {
    const notice = new Notification(`Your turn: ${title}`, { body: `${by} asks.`, tag: id })
    notice.onclick = () => {
      window.focus()
      notice.close()
      go(id)
    }
  }
  return {
    /** Somebody else is here now. */
    forget: () => {
      known = undefined
      entitle('0')
    },
    /** What to ask this person, if they were not asked yet. @param {{ id: string, title: string, by: string }[]} mine @param {string} count @returns {HTMLElement | null} */
    show: (mine, count) => {
      entitle(count)
      const fresh = known === undefined ? [] : mine.filter(({ id }) => !known?.has(id))
      known = new Set([...(known ?? []), ...mine.map(({ id }) => id)])
      if (!canNotify()) return null
      if (Notification.permission === 'granted' && !document.hasFocus()) fresh.forEach(notify)
      return Notification.permission === 'default' ? askFirst() : null
    },
  }
}

/** A browser asks only after a press. */
const askFirst = () => {
  const box = el(
    'p',
    { class: 'ask-first' },
    el('span', {}, 'Be told here when it is your turn, also while you look at another page.'),
    el(
      'button',
      {
        type: 'button',
        click: async () => {
          await Notification.requestPermission()
          box.remove()
        },
      },
      'Tell me',
    ),
  )
  return box
}
