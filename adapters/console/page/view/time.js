// @ts-check
import { el } from '../dom.js'

/** @typedef {string | { parts: (string | { at: number })[] }} Words */

const distances = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const units = /** @type {const} */ ([
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
])

/** A moment in words that stay true: see `refreshTimes`. @param {number} at */
export const timeOf = (at) =>
  el('time', { datetime: new Date(at).toISOString(), title: exact.format(at) }, relative(at))

/** The same with the exact time beside it. @param {number} at */
export const momentOf = (at) => el('span', { class: 'moment' }, `${exact.format(at)} (`, timeOf(at), ')')

/** Inside a sentence: the exact time, as its reader has it. @param {number} at */
export const clockOf = (at) =>
  el('time', { class: 'exact', datetime: new Date(at).toISOString() }, exact.format(at))

/**
 * A sentence: its text, and its instants in the reader's own zone.
 * @param {Words} words @param {(text: string) => string} [cut]
 */
export const nodesIn = (words, cut = (text) => text) =>
  typeof words === 'string'
    ? [cut(words)]
    : words.parts.map((part) => (typeof part === 'string' ? cut(part) : clockOf(part.at)))

/** The same where only text is taken. @param {Words} words */
export const textIn = (words) =>
  typeof words === 'string'
    ? words
    : words.parts.map((part) => (typeof part === 'string' ? part : exact.format(part.at))).join('')

/** @param {number} at */
const relative = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000)
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  if (unit === 'second') return seconds > 0 ? 'in a moment' : 'just now'
  return distances.format(Math.round(seconds / size), unit)
}

export const refreshTimes = () => {
  for (const time of document.querySelectorAll('time:not(.exact)'))
    if (time instanceof HTMLTimeElement) time.textContent = relative(Date.parse(time.dateTime))
}
