import { names } from './format.ts'

/** Undocumented fields as facts: plain values are shown, the rest is left out. */
export const openFacts = (
  record: Record<string, unknown>,
  shown: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => !shown.includes(key) && !key.startsWith('__'))
      .flatMap(([key, value]) => {
        const words = openText(value)
        return words === '' ? [] : [[fieldLabelOf(key), words]]
      }),
  )

export const openText = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return Array.isArray(value) && value.every(isScalar) ? names(value, '') : ''
}

/** `createdAt` and `created_at` become "Created at". */
export const fieldLabelOf = (key: string): string => {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
