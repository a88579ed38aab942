import type { types } from '@slack/bolt'
import { defined } from '../../../src/lib/defined.ts'
import { isVerb, verbs } from '../../../src/lib/view/button-labels.ts'
import type { Action } from '../../../src/lib/view/view.ts'
import type { SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { plainText } from './text.ts'

/** A button carries a verb and an id, nothing else, and so does a line of the menu beside them. */
export const actionButtons = (actions: readonly Action[], blockId?: string): SlackBlock[] => {
  const byId = new Map(actions.map((action) => [idOf(action), action]))
  const known = [...byId].filter(([id]) => id.length <= limits.id)
  const behind = known.filter(([id, { isMore }]) => isMore && id.length <= limits.select.value)
  // The first of those for which the menu has no room stand beside it.
  const isBehind = new Set(behind.slice(-limits.overflow).map(([id]) => id))
  const buttons = known
    .filter(([id, { isMore }]) => !isBehind.has(id) && (!isMore || id.length <= limits.select.value))
    .slice(0, limits.buttons - (behind.length > 0 ? 1 : 0))
    .map(([id, { verb, label }]) => slackButton(id, label ?? verbs[verb].label, verbs[verb].look))
  const more = behind.filter(([id]) => isBehind.has(id))
  const [only] = more
  const elements: types.ActionsBlock['elements'] =
    only !== undefined && more.length === 1
      ? [...buttons, slackButton(only[0], labelOf(only[1]))]
      : [...buttons, ...(more.length === 0 ? [] : [overflowOf(more)])]
  if (elements.length === 0) return []
  return [{ type: 'actions', elements, ...defined({ block_id: blockId }) }]
}

const labelOf = ({ label, verb }: Action): string => label ?? verbs[verb].label

const overflowOf = (more: readonly (readonly [id: string, action: Action])[]): types.Overflow => ({
  type: 'overflow',
  action_id: moreId,
  options: more.map(([id, action]) => ({
    text: plainText(labelOf(action), limits.select.text),
    value: id,
  })),
})
const moreId = 'bh-more'

/** What was chosen from the menu beside the buttons is what its line carries. */
export const idPressed = (actionId: string, chosen: string | undefined): string =>
  actionId === moreId ? (chosen ?? '') : actionId

export const slackButton = (actionId: string, label: string, style?: 'primary' | 'danger'): types.Button => ({
  type: 'button',
  action_id: actionId,
  text: plainText(label, limits.buttonText),
  ...defined({ style }),
})

export const pressOf = (actionId: string): Action | undefined => {
  const [, verb = '', id = ''] = /^bh:([a-z_]+):(.+)$/.exec(actionId) ?? []
  return isVerb(verb) ? { verb, id } : undefined
}

/** A button that opens the form of a command. */
export const formButtonId = (command: string): string => `bh-open:${command}`
export const commandOfFormButton = (actionId: string): string | undefined =>
  /^bh-open:(.+)$/.exec(actionId)?.[1]

const idOf = ({ verb, id }: Action): string => `bh:${verb}:${id}`
