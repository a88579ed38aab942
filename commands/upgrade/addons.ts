import { z } from 'zod'
import { toAddonsText } from '../../src/services/endpoints/string-fields.ts'

/**
 * Add-ons as people write them, `addon_seats:2, addon_priority`, to the text that is sent. JSON goes out as it is
 * given, because the service does not say which form it wants. Nothing for a text that is neither.
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

/** The sent text in words: "addon_seats × 2, addon_priority"; of an unknown form, the text itself. */
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
