// @ts-check
import { byId } from '../dom.js'

/** @typedef {'inbox' | 'conversation' | 'people' | 'scheduled' | 'reports' | 'audit'} PageName */
/** @type {PageName[]} */
const pageNames = ['inbox', 'conversation', 'people', 'scheduled', 'reports', 'audit']

/** The pages between which the rail leads. @param {(name: PageName) => void} opened */
export const createPages = (opened) => {
  /** @type {PageName} */
  let current = 'conversation'
  /** Somebody has chosen where to be. */
  let isChosen = false

  const show = (/** @type {PageName} */ name) => {
    current = name
    for (const one of pageNames) {
      byId(`page-${one}`).hidden = one !== name
      if (one === name) byId(`to-${one}`).setAttribute('aria-current', 'page')
      else byId(`to-${one}`).removeAttribute('aria-current')
    }
    opened(name)
  }
  for (const name of pageNames)
    byId(`to-${name}`).addEventListener('click', () => {
      isChosen = true
      show(name)
    })
  return {
    current: () => current,
    show,
    /** Whoever is somewhere by their own choice stays there. @param {PageName} name */
    suggest: (name) => {
      if (!isChosen) show(name)
    },
    chosen: () => {
      isChosen = true
    },
    /** Somebody else is here now. */
    forget: () => {
      isChosen = false
    },
  }
}
