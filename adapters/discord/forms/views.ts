import type { APIButtonComponent } from 'discord.js'
import type { Form } from '../../../src/kernel/messenger/form.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { askedWordsOf, verbs } from '../../../src/lib/view/button-labels.ts'
import { facts, note, type View } from '../../../src/lib/view/view.ts'
import { componentType } from '../protocol/codes.ts'
import { openFormId } from '../protocol/custom-id.ts'
import { typedTextOf } from './modal.ts'

/** What the actor reads privately while everybody sees the card. */
export const requestedView = ({ id }: Change, card: View): View => ({
  title: card.title,
  tone: card.tone,
  blocks: card.blocks.slice(0, 1),
  footer: `Change ${id}; its card shows how it stands`,
})

/** A refusal with all that was typed, so that nothing is lost. */
export const withTypedValues = (view: View, { fields, values }: Pick<Form, 'fields' | 'values'>): View => ({
  ...view,
  blocks: [
    ...view.blocks,
    facts(
      Object.fromEntries(
        fields.map(({ name, label, chosen }) => [label, chosen?.label ?? typedTextOf(values[name])]),
      ),
    ),
  ],
})

export const formView = ({ title, fields, values }: Form): View => {
  const missing = fields.filter(({ name, required }) => required && values[name] === undefined)
  const words = missing.map(({ label }) => label.toLowerCase()).join(', ')
  return {
    title: `${title}: a little more is needed`,
    tone: 'plain',
    blocks: [note('plain', words === '' ? 'Press the button and fill it in.' : `Still missing: ${words}.`)],
  }
}

/** The button that asks for a reason, where a form cannot be opened at once or came back empty. */
export const reasonView = ({ title, verb, id }: Extract<Reply, { kind: 'reason' }>): View => ({
  title,
  tone: 'plain',
  blocks: [
    note(
      'plain',
      `A ${askedWordsOf(verb).flag} is required. Press ${verbs[verb].label} and say ${askedWordsOf(verb).flag === 'reason' ? 'why' : 'it'} in a few words.`,
    ),
  ],
  actions: [{ verb, id }],
})

export const notSharedView: View = {
  title: 'Discord does not take messages from me right now.',
  tone: 'warn',
  blocks: [note('plain', `Nothing was shared. Press ${verbs.share.label} again in a moment.`)],
}

export const draftGoneView: View = {
  title: 'This form is no longer kept, or it is not yours.',
  tone: 'warn',
  blocks: [note('plain', 'Run the command again.')],
}

export const unknownButtonView: View = {
  title: 'This button no longer does anything.',
  tone: 'warn',
  blocks: [note('plain', 'Run the command again, or look at bellhop help.')],
}

export const openFormButton = (draft: string, label: 'Edit' | 'Fill in'): APIButtonComponent => ({
  type: componentType.button,
  style: 1,
  label,
  custom_id: openFormId(draft),
})
