import { itemLabel, menuGroups } from '../../view/menu-options.ts'
import type { Menu } from '../../view/view.ts'

/** What a number at the prompt means: a row of the last answer, and then what to do with it. */
export type RowMenu = {
  /** Forgets what was chosen before and offers what a new answer is about. */
  offer(menu: Menu | undefined): void
  /** `press` is what was chosen; `words` are to be shown, and a further number is expected. */
  choose(typed: string): { press: string } | { words: string } | undefined
}

export const createRowMenu = (): RowMenu => {
  let menu: Menu | undefined
  let row: number | undefined
  return {
    offer: (next) => {
      menu = next
      row = undefined
    },
    choose: (typed) => {
      if (menu === undefined || !/^\d{1,6}$/.test(typed.trim())) return undefined
      const number = Number(typed) - 1
      const at = row ?? menu.items.findIndex((one) => one.at === number)
      const item = menu.items[at]
      const options = menuGroups(menu)[at]?.options ?? []
      if (row !== undefined && item !== undefined) {
        const chosen = options[number]
        row = undefined
        return chosen === undefined
          ? { words: `There are ${options.length} to choose from. Type the number of the row again.` }
          : { press: chosen.value }
      }
      if (item === undefined) return { words: 'There is nothing to do with a row of this number.' }
      row = at
      const lines = options.map(
        ({ label, hint }, index) => `${String(index + 1).padStart(3)}  ${label}: ${hint}`,
      )
      return { words: [`${itemLabel(item)}: type the number of what to do.`, ...lines].join('\n') }
    },
  }
}
