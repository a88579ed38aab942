import type { Thing } from './thing.ts'
import type { Menu } from './view.ts'
import { visibleLine } from './visible.ts'

/** One line of a menu. `value` is what a press of it carries. */
export type MenuOption = { value: string; label: string; hint: string }
export type MenuGroup = { label: string; options: MenuOption[] }

type Item = Menu['items'][number]

/** Every action of every thing, under the name of the thing. */
export const menuGroups = (menu: Menu): MenuGroup[] =>
  menu.items.map((item) => ({ label: thingLabel(item.thing), options: actionsOf(menu, item) }))

/**
 * At most so many lines: the actions where there is one thing, else the things, else ranges of them; whoever chooses a
 * thing or a range is asked further.
 */
export const menuLines = (menu: Menu, most: number): { title: string; options: MenuOption[] } => {
  const { id, items } = menu
  const [only] = items
  if (only !== undefined && items.length === 1) {
    return {
      title: `Do something with ${thingLabel(only.thing)}`,
      options: actionsOf(menu, only).slice(0, most),
    }
  }
  if (items.length <= most) {
    return {
      title: 'Choose what to work on',
      options: items.map(({ at, thing, actions }) => ({
        value: `${id}.${at}`,
        label: thingLabel(thing),
        hint: actions.slice(0, 4).join(', '),
      })),
    }
  }
  const size = Math.max(most, Math.ceil(items.length / most))
  const ranges = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
  return { title: 'Choose what to work on', options: ranges.flatMap((range) => rangeOption(id, range)) }
}

/** "Ada Lindqvist (ada@example.com)", or the id alone. */
export const thingLabel = ({ id, name }: Thing): string =>
  visibleLine(name === undefined || name === id ? id : `${name} (${id})`)

const actionsOf = ({ id, summaries }: Menu, { at, actions }: Item): MenuOption[] =>
  actions.map((name) => ({ value: `${id}.${at}.${name}`, label: name, hint: summaries[name] ?? '' }))

const rangeOption = (id: string, range: Item[]): MenuOption[] => {
  const [first, last] = [range[0], range.at(-1)]
  if (first === undefined || last === undefined) return []
  return [
    {
      value: `${id}.${first.at}-${last.at}`,
      label: `${first.at + 1} to ${last.at + 1}`,
      hint: `${thingLabel(first.thing)} to ${thingLabel(last.thing)}`,
    },
  ]
}
