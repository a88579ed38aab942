import type { APIActionRowComponent, APIStringSelectComponent } from 'discord.js'
import type { View } from '../../../src/lib/view/view.ts'
import { componentType } from '../protocol/codes.ts'
import { marksId } from '../protocol/custom-id.ts'
import { discordLimits } from '../protocol/limits.ts'
import { clipText, toOneLine } from './escape.ts'

const { select } = discordLimits

/** What can be decided on together, in one select of several; what was chosen is listed before anything is decided. */
export const marksRows = ({
  marks = [],
}: Pick<View, 'marks'>): APIActionRowComponent<APIStringSelectComponent>[] => {
  const fitting = marks.filter(({ id }) => id.length <= select.optionValue).slice(0, select.options)
  if (fitting.length === 0) return []
  return [
    {
      type: componentType.row,
      components: [
        {
          type: componentType.select,
          custom_id: marksId,
          placeholder: 'Mark several to decide on together',
          min_values: 1,
          max_values: fitting.length,
          options: fitting.map(({ id, label, hint }) => ({
            value: id,
            label: clipText(toOneLine(label) || id, select.optionLabel),
            description: clipText(toOneLine(hint), select.description),
          })),
        },
      ],
    },
  ]
}
