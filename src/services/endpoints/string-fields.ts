import type { z } from 'zod'

// The documents declare some request fields as strings although they contain lists, pairs or numbers, and do
// not show the exact text. All guesses about that text are made here. If a service wants another form, `guesses`
// in bellhop.yml chooses it.

export type ContactAttribute = { name: string; value: string }
export type AddonChoice = { id: string; quantity: number }

/** The forms that each guessed field can be sent in; the first is sent where nobody chose. */
export const guessForms = {
  attributes: ['json', 'json-object', 'list', 'object'],
  tagsToAdd: ['text', 'json', 'list'],
  tagsToRemove: ['text', 'json', 'list'],
  contact: ['json', 'object'],
  quickReplies: ['json', 'text', 'list'],
  addons: ['json', 'json-object', 'text', 'list', 'object'],
  plans_array: ['text', 'json', 'list'],
} as const

export type GuessedField = keyof typeof guessForms
export type Guesses = { readonly [F in GuessedField]: (typeof guessForms)[F][number] }

export const defaultGuesses = Object.fromEntries(
  Object.entries(guessForms).map(([field, [first]]) => [field, first]),
) as Guesses

/** `tagsToAdd` and `tagsToRemove` of a contact, `plans_array` of an add-on update, `quickReplies` of a carousel. */
export const toNames = (names: readonly string[], form: 'text' | 'json' | 'list') =>
  inForm(form, { text: names.join(','), list: [...names] })

/** `attributes` of a contact: pairs under the keys `name` and `value`; an empty value removes the attribute. */
export const toAttributes = (attributes: readonly ContactAttribute[], form: Guesses['attributes']) =>
  inForm(form, {
    list: attributes.map(({ name, value }) => ({ name, value })),
    object: Object.fromEntries(attributes.map(({ name, value }) => [name, value])),
  })

/** `contact` of a template message: its fields are not documented, so they are sent unchanged. */
export const toContactDetails = (contact: Json, form: Guesses['contact']) => inForm(form, { object: contact })

/** `addons` of a plan change: add-on ids and quantities. */
export const toAddons = (addons: readonly AddonChoice[], form: Guesses['addons']) =>
  inForm(form, {
    text: addons.map(({ id, quantity }) => `${id}:${quantity}`).join(','),
    list: addons.map(({ id, quantity }) => ({ id, quantity })),
    object: Object.fromEntries(addons.map(({ id, quantity }) => [id, quantity])),
  })

export type Json = z.infer<ReturnType<typeof z.json>>

const inForm = (
  form: Guesses[GuessedField],
  { text, list, object }: { text?: string; list?: Json; object?: Json },
): Json => {
  switch (form) {
    case 'text':
      return text ?? ''
    case 'json':
      return JSON.stringify(list ?? object)
    case 'json-object':
      return JSON.stringify(object)
    case 'list':
      return list ?? []
    case 'object':
      return object ?? {}
  }
}

/** `price`, `quantity` and `setup_fee` of a plan change, `limit` and `page` of licenses, lead score bounds. */
export function toNumberText(value: number) {
  if (!Number.isFinite(value)) throw new RangeError('only a finite number can be sent as text')
  const text = String(value)
  return text.includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text
}

/** `status` of a new add-on is sent as text, although an update takes a boolean. */
export const toFlagText = (value: boolean) => (value ? 'true' : 'false')
