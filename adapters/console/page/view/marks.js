// @ts-check
import { el } from '../dom.js'

/** @typedef {{ id: string, label: string, hint: string }[]} Marks */

/**
 * The button that lists what was marked, before anything is decided. It says how many there are.
 * @param {(ids: string) => void} review
 */
const createMarking = (review) => {
  /** @type {Set<string>} */
  const marked = new Set()
  const button = el(
    'button',
    { type: 'button', 'data-verb': 'review', disabled: true, click: () => review([...marked].join(',')) },
    'Decide marked',
  )
  const show = () => {
    button.toggleAttribute('disabled', marked.size === 0)
    button.textContent = marked.size === 0 ? 'Decide marked' : `Decide ${marked.size} marked`
  }
  return {
    button,
    /** @param {string} id @param {string} label */
    boxOf: (id, label) =>
      el('input', {
        type: 'checkbox',
        'aria-label': `Mark ${label}`,
        checked: marked.has(id),
        change: (/** @type {Event} */ { target }) => {
          if (/** @type {HTMLInputElement} */ (target).checked) marked.add(id)
          else marked.delete(id)
          show()
        },
      }),
    /** What is gone is no longer marked. @param {string[]} ids */
    keep: (ids) => {
      for (const id of marked) if (!ids.includes(id)) marked.delete(id)
      show()
    },
  }
}

/** @param {Marks} marks @param {(ids: string) => void} review */
export const marksOf = (marks, review) => {
  if (marks.length === 0) return false
  const { button, boxOf } = createMarking(review)
  return el(
    'fieldset',
    { class: 'marks' },
    el('legend', {}, 'Decide on several together'),
    ...marks.map(({ id, label, hint }) =>
      el('label', {}, boxOf(id, `${label}, ${hint}`), el('span', {}, label, ' ', el('small', {}, hint))),
    ),
    button,
  )
}
