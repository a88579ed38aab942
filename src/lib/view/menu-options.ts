import type { Menu } from './view.ts'
import { visibleLine } from './visible.ts'

/** One line of a menu. `value` is what a press of it carries. */
export type MenuOption = { value: string; label: string; hint: string }
/** `id` is what the thing goes by elsewhere: people may type it though they do not read it. */
export type MenuGroup = { label: string; id: string; options: MenuOption[] }

type Item = Menu['items'][number]

/** Of a choice, what can be chosen; what was found for what somebody typed is in no answer, and is carried itself. */
export const choiceOptions = ({ id, items, asks }: Menu): MenuOption[] | undefined =>
  asks === undefined
    ? undefined
    : items.map((item) => ({
        value: item.at < 0 ? `${id}.=${item.thing.id}` : `${id}.${item.at}.${item.actions[0] ?? ''}`,
        label: itemLabel(item),
        hint: '',
      }))

/** Every action of every thing, under the name of the thing. */
export const menuGroups = (menu: Menu): MenuGroup[] =>
  menu.items.map((item) => ({
    label: itemLabel(item),
    id: item.thing.id,
    options: actionsOf(menu, item),
  }))

/**
 * At most so many lines: the actions where there is one thing, else the things, else ranges of them; whoever chooses a
 * thing or a range is asked further.
 */
export const menuLines = (menu: Menu, most: number): { title: string; options: MenuOption[] } => {
  const { id, items, asks } = menu
  const [only] = items
  const choices = choiceOptions(menu)
  const title = asks ?? 'Choose what to work on'
  if (choices !== undefined && choices.length <= most) return { title, options: choices }
  if (only !== undefined && items.length === 1) {
    return {
      title: `Do something with ${itemLabel(only)}`,
      options: actionsOf(menu, only).slice(0, most),
    }
  }
  if (items.length <= most) {
    return {
      title,
      options: items.map((item) => ({
        value: `${id}.${item.at}`,
        label: itemLabel(item),
        hint: item.actions.slice(0, 4).join(', '),
      })),
    }
  }
  const size = Math.max(most, Math.ceil(items.length / most))
  const ranges = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
  return { title, options: ranges.flatMap((range) => rangeOption(id, range)) }
}

/** "Ada Lindqvist (ada@example.com)"; what has no label of its own, as in an answer of before, goes by its name and its id. */
export const itemLabel = ({ label, thing: { id, name } }: Item): string =>
  visibleLine(label ?? (name === undefined ? id : `${name} (${id})`))

const actionsOf = ({ id, summaries }: Menu, { at, actions }: Item): MenuOption[] =>
  actions.map((name) => ({ value: `${id}.${at}.${name}`, label: name, hint: summaries[name] ?? '' }))

const rangeOption = (id: string, range: Item[]): MenuOption[] => {
  const [first, last] = [range[0], range.at(-1)]
  if (first === undefined || last === undefined) return []
  return [
    {
      value: `${id}.${first.at}-${last.at}`,
      label: `${first.at + 1} to ${last.at + 1}`,
      hint: `${itemLabel(first)} to ${itemLabel(last)}`,
    },
  ]
}
