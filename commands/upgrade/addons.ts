import { z } from 'zod'
import { toAddons } from '../../packs/billing/guesses.ts'
import { parseBounded } from '../../src/lib/codecs/bounded-json.ts'
import type { Guesses, Json } from '../../src/lib/services/endpoints/guesses.ts'
import { theirs } from '../../src/lib/view/outside.ts'

/**
 * Add-ons as people write them, `addon_seats:2, addon_priority`, in the form that is sent. JSON is sent unchanged,
 * because the service does not document which form it wants. Undefined for any other text.
 */
export const addonsSent = (written: string, form: Guesses['addons']): Json | undefined => {
  const json = jsonOf(written)
  if (json !== undefined) {
    if (typeof json !== 'object' || json === null) return undefined
    return form === 'list' || form === 'object' ? (json as Json) : JSON.stringify(json)
  }
  const items = written.split(',')
  const choices = items.flatMap((item) => {
    const [, id, quantity = '1'] = pair.exec(item.trim()) ?? []
    return id === undefined ? [] : [{ id, quantity: Number(quantity) }]
  })
  const isEachOnce = new Set(choices.map(({ id }) => id)).size === items.length
  return isEachOnce ? toAddons(choices, form) : undefined
}

/** What is sent, in words: "addon_seats × 2, addon_priority". An unknown form is shown unchanged. */
export const addonsWords = (sent: Json): string => {
  const value = typeof sent === 'string' ? jsonOf(sent) : sent
  const read = known.safeParse(value)
  if (!read.success) return typeof sent === 'string' ? sent : JSON.stringify(sent)
  if (read.data.length === 0) return 'none'
  return read.data
    .map(({ id, quantity }) => (String(quantity) === '1' ? id : `${theirs(id)} × ${quantity}`))
    .join(', ')
}

const quantity = z.union([z.number(), z.string()])
const known = z.union([
  z.array(z.object({ id: z.string(), quantity: quantity.default(1) })),
  z
    .record(z.string(), quantity)
    .transform((all) => Object.entries(all).map(([id, many]) => ({ id, quantity: many }))),
])

const pair = /^([^\s:,{}[\]"]+)(?::([1-9]\d{0,8}))?$/

const jsonOf = (text: string): unknown => {
  try {
    return parseBounded(text)
  } catch {
    return undefined
  }
}
