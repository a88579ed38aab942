// @ts-check
import { el } from '../dom.js'

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
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

/** @param {number} at */
const relative = (at) => {
  const seconds = Math.round((at - Date.now()) / 1000)
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  if (unit === 'second') return seconds > 0 ? 'in a moment' : 'just now'
  return words.format(Math.round(seconds / size), unit)
}

export const refreshTimes = () => {
  for (const time of document.querySelectorAll('time')) time.textContent = relative(Date.parse(time.dateTime))
}
