import type { types } from '@slack/bolt'
import { choiceOptions, type MenuGroup, menuGroups } from '../../../src/lib/view/menu-options.ts'
import type { Menu, View } from '../../../src/lib/view/view.ts'
import { blockSizeOf, type SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { optionOf } from '../forms/input-element.ts'
import { plainText } from './text.ts'

/** A short menu stands in the message; a longer one is asked for when somebody opens it. */
const maxInMessage = { options: 25, size: 2_500 }

export const menuBlocks = ({ menu }: Pick<View, 'menu'>): SlackBlock[] => {
  if (menu === undefined) return []
  const offered = optionsOf(menu)
  const select = {
    action_id: `${menuPrefix}${menu.id}`,
    placeholder: plainText(menu.asks ?? 'Do something with this', limits.select.placeholder),
  }
  const whole: SlackBlock = {
    type: 'actions',
    elements: [{ type: 'static_select', ...select, ...offered }],
  }
  const options =
    'options' in offered
      ? offered.options.length
      : offered.option_groups.reduce((sum, group) => sum + group.options.length, 0)
  const isShort =
    menu.isOpen !== true &&
    options > 0 &&
    options <= maxInMessage.options &&
    countOf(menu) === options &&
    blockSizeOf(whole) <= maxInMessage.size
  return [
    isShort
      ? whole
      : { type: 'actions', elements: [{ type: 'external_select', ...select, min_query_length: 0 }] },
  ]
}

/** The stored answer whose menu a select opens. */
export const menuIdOf = (actionId: string): string | undefined =>
  actionId.startsWith(menuPrefix) ? actionId.slice(menuPrefix.length) : undefined

/** What a select shows for what was typed: of a choice the things, else what can be done with each. */
export const optionsOf = (
  menu: Menu,
  typed = '',
): { options: types.PlainTextOption[] } | { option_groups: OptionGroup[] } => {
  const choices = choiceOptions(menu)
  if (choices === undefined) return { option_groups: optionGroups(menuGroups(menu), typed) }
  const wanted = typed.trim().toLowerCase()
  return {
    options: choices
      .filter(
        ({ label, value }, at) =>
          value.length <= limits.select.value &&
          ((menu.items[at]?.at ?? 0) < 0 ||
            [label, menu.items[at]?.thing.id ?? ''].some((text) => text.toLowerCase().includes(wanted))),
      )
      .slice(0, limits.select.options)
      .map(({ value, label }) => optionOf(value, label)),
  }
}

/** As many as Slack takes in all, of the things and actions that contain what was typed. */
export const optionGroups = (groups: readonly MenuGroup[], typed = ''): OptionGroup[] => {
  const wanted = typed.trim().toLowerCase()
  const has = (text: string) => text.toLowerCase().includes(wanted)
  let room: number = limits.select.options
  return groups.flatMap(({ label, id, options }) => {
    const fitting = (has(label) || has(id) ? options : options.filter((option) => has(option.label)))
      .filter(({ value }) => value.length <= limits.select.value)
      .slice(0, room)
    room -= fitting.length
    return fitting.length === 0
      ? []
      : [
          {
            label: plainText(label, limits.select.text),
            options: fitting.map((option) => optionOf(option.value, option.label)),
          },
        ]
  })
}

type OptionGroup = { label: types.PlainTextElement; options: types.PlainTextOption[] }

const menuPrefix = 'bh-menu:'
const countOf = ({ items }: Menu): number => items.reduce((sum, { actions }) => sum + actions.length, 0)
