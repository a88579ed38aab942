// @ts-check

/**
 * Data reaches the page as text only: children that are strings become text nodes, never markup.
 * @typedef {Node | string | null | undefined | false} Child
 * @param {string} tag
 * @param {Record<string, unknown>} [props] attributes; functions are listeners, `false` and `null` are left out
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export const el = (tag, props = {}, ...children) => fill(document.createElement(tag), props, children)

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [props]
 * @param {...Child} children
 */
export const svg = (tag, props = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children)

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 */
export const byId = (id) => /** @type {T} */ (document.getElementById(id))

/**
 * @template {Element} T
 * @param {T} node
 * @param {Record<string, unknown>} props
 * @param {Child[]} children
 */
const fill = (node, props, children) => {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') node.addEventListener(name, /** @type {EventListener} */ (value))
    else if (value === true) node.setAttribute(name, '')
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value))
  }
  node.append(.../** @type {(Node | string)[]} */ (children.filter((child) => child || child === '')))
  return node
}
