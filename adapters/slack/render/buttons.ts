import type { types } from '@slack/bolt'
import { defined } from '../../../src/defined.ts'
import { buttonLabelOf } from '../../../src/view/button-labels.ts'
import { type Action, type Verb, verbs } from '../../../src/view/view.ts'
import type { SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { plainText } from './text.ts'

/** A button carries a verb and an id, nothing else. */
export const actionButtons = (actions: readonly Action[], blockId?: string): SlackBlock[] => {
  const byId = new Map(actions.map((action) => [idOf(action), action]))
  const elements = [...byId]
    .filter(([id]) => id.length <= limits.id)
    .slice(0, limits.buttons)
    .map(([id, { verb, label }]) => slackButton(id, label ?? buttonLabelOf[verb], styles[verb]))
  if (elements.length === 0) return []
  return [{ type: 'actions', elements, ...defined({ block_id: blockId }) }]
}

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
