// The documents declare some request fields as strings although they contain lists, pairs or numbers, and do
// not show the exact text. All guesses about that text are made here: names and ids joined by commas,
// structured values as JSON text, numbers as decimal text. If a service wants another form, this is the file
// to change.

export type ContactAttribute = { name: string; value: string }
export type AddonChoice = { id: string; quantity: number }

/** `tagsToAdd` and `tagsToRemove` of a contact, `plans_array` of an add-on update. */
export const toNamesText = (names: readonly string[]) => names.join(',')

/** `attributes` of a contact: pairs under the keys `name` and `value`; an empty value removes the attribute. */
export const toAttributesText = (attributes: readonly ContactAttribute[]) =>
  JSON.stringify(attributes.map(({ name, value }) => ({ name, value })))

/** `contact` of a template message: its fields are not documented, so they are sent unchanged. */
export const toContactText = (contact: Readonly<Record<string, unknown>>) => JSON.stringify(contact)

/** `quickReplies` of a carousel: payloads may contain commas, so they are sent as a JSON list. */
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

/** `status` of a new add-on is sent as text, although an update takes a boolean. */
export const toFlagText = (value: boolean) => (value ? 'true' : 'false')
