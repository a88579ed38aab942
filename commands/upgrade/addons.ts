import { z } from 'zod'
import { toAddonsText } from '../../src/services/endpoints/string-fields.ts'

/**
 * Converts add-ons as people write them, `addon_seats:2, addon_priority`, to the text that is sent. JSON is
 * sent unchanged, because the service does not document which form it wants. Undefined for any other text.
 */
export const toAddons = (written: string): string | undefined => {
  const json = jsonOf(written)
  if (json !== undefined) return typeof json === 'object' && json !== null ? JSON.stringify(json) : undefined
  const choices = written.split(',').map((item) => pair.exec(item.trim()))
  if (choices.some((choice) => choice === null)) return undefined
  if (new Set(choices.map((choice) => choice?.[1])).size < choices.length) return undefined
  return toAddonsText(
    choices.map((choice) => ({ id: choice?.[1] ?? '', quantity: Number(choice?.[2] ?? 1) })),
  )
}

/** The text that is sent, in words: "addon_seats × 2, addon_priority". An unknown form is shown unchanged. */
export const addonsWords = (sent: string): string => {
  const read = z
    .array(z.object({ id: z.string(), quantity: z.union([z.number(), z.string()]).default(1) }))
    .safeParse(jsonOf(sent))
  if (!read.success) return sent
  if (read.data.length === 0) return 'none'
  return read.data
    .map(({ id, quantity }) => (String(quantity) === '1' ? id : `${id} × ${quantity}`))
    .join(', ')
}

const pair = /^([^\s:,{}[\]"]+)(?::([1-9]\d{0,8}))?$/

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
