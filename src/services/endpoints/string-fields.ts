// Some request fields are declared plain strings in the services' documents although they hold lists, pairs or
// numbers, and the exact text is not shown. Whatever is guessed about that text is guessed here and
// nowhere else: names and ids joined by commas, structured values as JSON text, numbers as decimal text.
// Should a service turn out to want another form, this file is the one to change.

export type ContactAttribute = { name: string; value: string }
export type AddonChoice = { id: string; quantity: number }

/** `tagsToAdd` and `tagsToRemove` of a contact, `plans_array` of an add-on update. */
export const toNamesText = (names: readonly string[]) => names.join(',')

/** `attributes` of a contact: pairs under the keys `name` and `value`; an empty value removes the attribute. */
export const toAttributesText = (attributes: readonly ContactAttribute[]) =>
  JSON.stringify(attributes.map(({ name, value }) => ({ name, value })))

/** `contact` of a template message: its fields are not shown, so they go out as they are given. */
export const toContactText = (contact: Readonly<Record<string, unknown>>) => JSON.stringify(contact)

/** `quickReplies` of a carousel: payload values may hold commas, so they go out as a JSON list. */
export const toQuickRepliesText = (payloads: readonly string[]) => JSON.stringify(payloads)

/** `addons` of a plan change: add-on ids and quantities. */
export const toAddonsText = (addons: readonly AddonChoice[]) =>
  JSON.stringify(addons.map(({ id, quantity }) => ({ id, quantity })))

/** `price`, `quantity` and `setup_fee` of a plan change, `limit` and `page` of licenses, lead score bounds. */
export function toNumberText(value: number) {
  if (!Number.isFinite(value)) throw new RangeError('only a finite number can be sent as text')
  const text = String(value)
  return text.includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text
}

/** `status` of a new add-on is the word, though an update takes the boolean itself. */
export const toFlagText = (value: boolean) => (value ? 'true' : 'false')
