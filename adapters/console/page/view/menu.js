// @ts-check
import { el } from '../dom.js'

/**
 * @typedef {{ kind: string, id: string, name?: string }} Thing
 * @typedef {{ id: string, asks?: string, items: { at: number, thing: Thing, label?: string, actions: string[] }[], summaries: Record<string, string> }} Menu
 * @typedef {(thing: Thing | null | undefined) => HTMLElement | null} MenuOf
 */

/** The button that opens what can be done with a thing, behind the one for what people do most. @param {Menu | undefined} menu @param {(id: string) => void} choose @param {(thing: Thing) => HTMLElement | null} [beside] @returns {MenuOf} */
export const menusOf = (menu, choose, beside) => {
  const items = new Map((menu?.items ?? []).map((item) => [keyOf(item.thing), item]))
  return (thing) => {
    const item = thing ? items.get(keyOf(thing)) : undefined
    if (menu === undefined || item === undefined) return null
    // Of a choice nothing else can be done with a row than to choose it.
    if (menu.asks !== undefined)
      return el(
        'button',
        {
          type: 'button',
          class: 'row-choose',
          'aria-label': `Choose ${item.label ?? item.thing.name ?? item.thing.id}`,
          click: () => choose(`${menu.id}.${item.at}.${item.actions[0] ?? ''}`),
        },
        'Choose',
      )
    const button = el(
      'button',
      {
        type: 'button',
        class: 'row-menu',
        'aria-haspopup': 'menu',
        'aria-expanded': 'false',
        'aria-label': `Actions for ${item.label ?? item.thing.name ?? item.thing.id}`,
        click: () =>
          openMenu(
            button,
            item.actions.map((name) => ({ name, summary: menu.summaries[name] ?? '' })),
            (at) => choose(`${menu.id}.${item.at}.${item.actions[at] ?? ''}`),
          ),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          button.click()
        },
      },
      '⋯',
    )
    const first = beside?.(item.thing)
    return first ? el('span', { class: 'row-buttons' }, first, button) : button
  }
}

/** @param {Thing} thing */
const keyOf = ({ kind, id }) => `${kind} ${id}`

/** @type {(() => void) | undefined} */
let closeOpen

/** A list below a button, by keyboard and mouse. @param {HTMLElement} button @param {{ name: string, summary: string }[]} lines @param {(at: number) => void} choose */
export const openMenu = (button, lines, choose) => {
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  closeOpen?.()
  if (isOpen) return
  const items = lines.map(({ name, summary }, at) =>
    el(
      'button',
      {
        type: 'button',
        role: 'menuitem',
        tabindex: -1,
        click: () => {
          close()
          choose(at)
        },
      },
      el('b', {}, name),
      summary !== '' && el('span', {}, summary),
    ),
  )
  const list = el(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': button.getAttribute('aria-label'), keydown: move },
    ...items,
  )
  const close = () => {
    list.remove()
    button.setAttribute('aria-expanded', 'false')
    document.removeEventListener('pointerdown', outside)
    closeOpen = undefined
    button.focus({ preventScroll: true })
  }
  const outside = (/** @type {Event} */ event) => {
    if (!(event.target instanceof Node) || list.contains(event.target) || button.contains(event.target))
      return
    close()
  }
  /** @param {KeyboardEvent} event */
  function move(event) {
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    const next = {
      ArrowDown: (at + 1) % items.length,
      ArrowUp: (at - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }[event.key]
    if (event.key === 'Escape' || event.key === 'Tab') {
      close()
      if (event.key === 'Tab') return
    } else if (next === undefined) return
    else items[next]?.focus()
    event.preventDefault()
    event.stopPropagation()
  }
  button.setAttribute('aria-expanded', 'true')
  // Beside its button, so that whoever goes through the parts of the page finds it in the right one.
  ;(button.closest('main, aside, dialog') ?? document.body).append(list)
  place(list, button)
  document.addEventListener('pointerdown', outside)
  closeOpen = close
  items[0]?.focus({ preventScroll: true })
}

/** Below the button, or above it where there is no room. @param {HTMLElement} list @param {HTMLElement} button */
const place = (list, button) => {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const margin = 8
  const left = Math.min(at.right - width, innerWidth - width - margin)
  const below = at.bottom + 4
  const top = below + height > innerHeight - margin ? Math.max(margin, at.top - height - 4) : below
  list.style.left = `${Math.max(margin, left)}px`
  list.style.top = `${top}px`
}
