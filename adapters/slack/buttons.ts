import type { types } from '@slack/bolt'
import { type Action, type Verb, verbs } from '../../src/view/view.ts'
import { labelOf } from '../../src/view/words.ts'
import type { SlackBlock } from './blocks.ts'
import { limits } from './limits.ts'
import { plain } from './plain.ts'

/** A button carries a verb and an id, nothing else. */
export const buttonsOf = (actions: readonly Action[], blockId?: string): SlackBlock[] => {
  const byId = new Map(actions.map((action) => [idOf(action), action]))
  const elements = [...byId]
    .filter(([id]) => id.length <= limits.id)
    .slice(0, limits.buttons)
    .map(([id, { verb }]) => buttonOf(id, labelOf[verb], styles[verb]))
  if (elements.length === 0) return []
  return [{ type: 'actions', elements, ...(blockId === undefined ? {} : { block_id: blockId }) }]
}

export const buttonOf = (actionId: string, label: string, style?: 'primary' | 'danger'): types.Button => ({
  type: 'button',
  action_id: actionId,
  text: plain(label, limits.buttonText),
  ...(style === undefined ? {} : { style }),
})

export const pressOf = (actionId: string): Action | undefined => {
  const [, verb = '', id = ''] = /^bh:([a-z_]+):(.+)$/.exec(actionId) ?? []
  return isVerb(verb) ? { verb, id } : undefined
}

/** A button that opens the form of a command. */
export const openerId = (command: string): string => `bh-open:${command}`
export const openedBy = (actionId: string): string | undefined => /^bh-open:(.+)$/.exec(actionId)?.[1]

const idOf = ({ verb, id }: Action): string => `bh:${verb}:${id}`
const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word)

const styles: Partial<Record<Verb, 'primary' | 'danger'>> = {
  confirm: 'primary',
  approve: 'primary',
  reject: 'danger',
  stop: 'danger',
}
