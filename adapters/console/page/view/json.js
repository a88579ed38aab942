// @ts-check
import { el } from '../dom.js'

const token = /"(?:\\[\s\S]|[^"\\])*\\?(?:"|$)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g

/** JSON with its parts told apart by colour; still nothing but text. @param {unknown} value */
export const jsonOf = (value) => {
  const text = JSON.stringify(value, null, 2)
  const pre = el('pre', { class: 'code json', tabindex: 0 })
  let at = 0
  for (const match of text.matchAll(token)) {
    const [shown] = match
    pre.append(text.slice(at, match.index))
    at = match.index + shown.length
    const kind = !shown.startsWith('"') ? 'plain' : text[at] === ':' ? 'key' : 'string'
    pre.append(el('span', { class: kind }, shown))
  }
  pre.append(text.slice(at))
  return pre
}
