import { type FormsOf, type GuessForm, inForm } from '../../src/lib/services/endpoints/guesses.ts'

export type AddonChoice = { id: string; quantity: number }

export const billingForms = {
  addons: ['json', 'json-object', 'text', 'list', 'object'],
  plans_array: ['text', 'json', 'list'],
} as const

declare module '../../src/lib/services/endpoints/guesses.ts' {
  interface GuessedFields extends FormsOf<typeof billingForms> {}
}

/** `addons` of a plan change: add-on ids and quantities. */
export const toAddons = (addons: readonly AddonChoice[], form: GuessForm) =>
  inForm(form, {
    text: addons.map(({ id, quantity }) => `${id}:${quantity}`).join(','),
    list: addons.map(({ id, quantity }) => ({ id, quantity })),
    object: Object.fromEntries(addons.map(({ id, quantity }) => [id, quantity])),
  })
