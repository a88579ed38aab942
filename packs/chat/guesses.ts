import { type FormsOf, type GuessForm, inForm, type Json } from '../../src/lib/services/endpoints/guesses.ts'

export type ContactAttribute = { name: string; value: string }

export const chatForms = {
  attributes: ['json', 'json-object', 'list', 'object'],
  tagsToAdd: ['text', 'json', 'list'],
  tagsToRemove: ['text', 'json', 'list'],
  contact: ['json', 'object'],
  quickReplies: ['json', 'text', 'list'],
} as const

declare module '../../src/lib/services/endpoints/guesses.ts' {
  interface GuessedFields extends FormsOf<typeof chatForms> {}
}

/** `attributes` of a contact: pairs under the keys `name` and `value`; an empty value removes the attribute. */
export const toAttributes = (attributes: readonly ContactAttribute[], form: GuessForm) =>
  inForm(form, {
    list: attributes.map(({ name, value }) => ({ name, value })),
    object: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
  })

/** `contact` of a template message: its fields are not documented, so they are sent unchanged. */
export const toContactDetails = (contact: Json, form: GuessForm) => inForm(form, { object: contact })
