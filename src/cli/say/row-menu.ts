import { verbs } from '../../lib/view/button-labels.ts'
import { choiceOptions, itemLabel, menuGroups } from '../../lib/view/menu-options.ts'
import type { Action, Menu, View } from '../../lib/view/view.ts'

type Press = Pick<Action, 'verb' | 'id'>

/** What a number at the prompt means: a row of the last answer and what to do with it, or one of its buttons. */
export type RowMenu = {
  /** Forgets what was chosen before and offers what a new answer is about; what the answer itself does not say of that is returned as lines. */
  offer(view: Pick<View, 'menu' | 'actions'> | undefined): string[]
  /** `press` is what was chosen; `words` are to be shown, and a further number is expected. */
  choose(typed: string): { press: Press } | { words: string } | undefined
}

/** `isLine`: what is a command of its own, and no answer to a question. */
export const createRowMenu = (isLine: (typed: string) => boolean): RowMenu => {
  let menu: Menu | undefined
  let row: number | undefined
  let buttons = new Map<number, Action>()
  return {
    offer: (view) => {
      menu = view?.menu
      row = undefined
      buttons = numbered(view)
      const hints = menu?.isOpen
        ? ['Type a name, an address, a number or an id, or choose by its number.']
        : []
      return [
        ...hints,
        ...[...buttons].flatMap(([number, { verb, label = verbs[verb].label }]) =>
          verb === 'choose' ? [] : [`${String(number).padStart(3)}  ${label}`],
        ),
      ]
    },
    choose: (typed) => {
      const answered = menu?.isOpen && !isLine(typed) ? open(menu, typed) : undefined
      if (!/^\d{1,6}$/.test(typed.trim())) return answered
      const number = Number(typed) - 1
      const button = row === undefined ? buttons.get(number + 1) : undefined
      if (button !== undefined) return { press: { verb: button.verb, id: button.id } }
      if (menu === undefined) return undefined
      const at = row ?? menu.items.findIndex((one) => one.at === number)
      const item = menu.items[at]
      const chosenAtOnce = choiceOptions(menu)?.[at]
      if (chosenAtOnce !== undefined) return { press: { verb: 'act', id: chosenAtOnce.value } }
      const options = menuGroups(menu)[at]?.options ?? []
      if (row !== undefined && item !== undefined) {
        const chosen = options[number]
        row = undefined
        return chosen === undefined
          ? { words: `There are ${options.length} to choose from. Type the number of the row again.` }
          : { press: { verb: 'act', id: chosen.value } }
      }
      if (answered !== undefined) return answered
      if (item === undefined) return { words: 'There is nothing to do with a row of this number.' }
      row = at
      const lines = options.map(
        ({ label, hint }, index) => `${String(index + 1).padStart(3)}  ${label}: ${hint}`,
      )
      return { words: [`${itemLabel(item)}: type the number of what to do.`, ...lines].join('\n') }
    },
  }
}

const open = ({ id }: Menu, typed: string): { press: Press } => ({
  press: { verb: 'act', id: `${id}.=${typed.trim()}` },
})

/** What goes on with what was said: by the number in its label, or by the next one after the rows. */
const numbered = (view: Pick<View, 'menu' | 'actions'> | undefined): Map<number, Action> => {
  let next = Math.max(0, ...(view?.menu?.items ?? []).map(({ at }) => at + 1)) + 1
  const going = (view?.actions ?? []).filter(({ verb }) => verbs[verb].goesOn)
  return new Map(
    going.flatMap((action): [number, Action][] => {
      const own = /^(\d+)\. /.exec(action.label ?? '')?.[1]
      if (action.verb === 'run_it' && action.label === undefined) return []
      return [[own === undefined ? next++ : Number(own), action]]
    }),
  )
}
