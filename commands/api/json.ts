import type { OutFile } from '../../src/kernel/command/define.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { type Block, code, note } from '../../src/lib/view/view.ts'

const longest = 2_400

/**
 * JSON for people to read: cut when it is too long for a message, with a note about how much was left out.
 */
export const jsonBlocks = (value: unknown): Block[] => {
  if (value === undefined) return [note('plain', 'The service sent an empty answer.')]
  const text = toJson(value)
  if (text.length <= longest) return [code(text)]
  const end = text.lastIndexOf('\n', longest)
  const shown = text.slice(0, end > longest / 2 ? end : longest)
  return [
    code(shown),
    note(
      'plain',
      `${plural(text.length - shown.length, 'more character')} of ${formatNumber(text.length)} left out.`,
    ),
  ]
}

/** The complete JSON as a file, when the message shows only a part of it. */
export const jsonFile = (name: string, value: unknown): OutFile | undefined => {
  const content = value === undefined ? '' : toJson(value)
  return content.length <= longest ? undefined : { name: `${name}.json`, type: 'application/json', content }
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2)
