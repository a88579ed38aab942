import type { types } from '@slack/bolt'
import { defined } from '../../../src/defined.ts'
import { buttonLabelOf } from '../../../src/view/button-labels.ts'
import { type Action, type Verb, verbs } from '../../../src/view/view.ts'
import type { SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { plainText } from './text.ts'

/** A button carries a verb and an id, nothing else, and so does a line of the menu beside them. */
export const actionButtons = (actions: readonly Action[], blockId?: string): SlackBlock[] => {
  const byId = new Map(actions.map((action) => [idOf(action), action]))
  const known = [...byId].filter(([id]) => id.length <= limits.id)
  const buttons = known
    .filter(([, { isMore }]) => !isMore)
    .slice(0, limits.buttons - (known.some(([, { isMore }]) => isMore) ? 1 : 0))
    .map(([id, { verb, label }]) => slackButton(id, label ?? buttonLabelOf[verb], styles[verb]))
  const more = known
    .filter(([id, { isMore }]) => isMore && id.length <= limits.select.value)
    .slice(0, limits.overflow)
  const [only] = more
  const elements: types.ActionsBlock['elements'] =
    only !== undefined && more.length === 1
      ? [...buttons, slackButton(only[0], labelOf(only[1]))]
      : [...buttons, ...(more.length === 0 ? [] : [overflowOf(more)])]
  if (elements.length === 0) return []
  return [{ type: 'actions', elements, ...defined({ block_id: blockId }) }]
}

const labelOf = ({ label, verb }: Action): string => label ?? buttonLabelOf[verb]

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
const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word)

const styles: Partial<Record<Verb, 'primary' | 'danger'>> = {
  confirm: 'primary',
  approve: 'primary',
  reject: 'danger',
  stop: 'danger',
}
