import type { APIActionRowComponent, APIStringSelectComponent } from 'discord.js'
import { menuLines } from '../../../src/lib/view/menu-options.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { componentType } from '../protocol/codes.ts'
import { menuId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import { clipText, toOneLine } from './escape.ts'

const { select } = discordLimits

/** What can be done with the things of a view, in one select. */
export const menuRows = ({ menu }: Pick<View, 'menu'>): APIActionRowComponent<APIStringSelectComponent>[] => {
  if (menu === undefined) return []
  const { title, options } = menuLines(menu, select.options)
  const fitting = options.filter(({ value }) => value.length <= select.optionValue)
  if (fitting.length === 0) return []
  return [
    {
      type: componentType.row,
      components: [
        {
          type: componentType.select,
          custom_id: menuId(menu.id),
          placeholder: clipText(toOneLine(title), select.placeholder),
          options: fitting.map(({ value, label, hint }) => ({
            value,
            label: clipText(toOneLine(label) || value, select.optionLabel),
            ...(hint === '' ? {} : { description: clipText(toOneLine(hint), select.description) }),
          })),
        },
      ],
    },
  ]
}
