import { z } from 'zod'
import { readNumber } from '../model/read-number.ts'
import { withoutAtEnd } from '../view/end.ts'

/** An amount as somebody wrote it; `currency` is a code or a sign, if one was written. */
export type TypedAmount = { value: number; currency: string | null }

/** `20`, `$20`, `20 USD`, `20 euros` and `12.00`; a sentence that says what is wrong for anything else. */
export const readAmount = (written: string | number): TypedAmount | string => {
  const read = typeof written === 'number' ? asRead(written) : readNumber(written)
  const unit = read.ok && read.unit !== null ? currencyOf(read.unit) : null
  if (!read.ok || unit === undefined) {
    const why = read.ok ? undefined : read.why
    return why ?? `the amount is a whole number, such as 20, $20 or 20 USD, not "${clip(String(written))}"`
  }
  const [whole = '', fraction = ''] = read.plain.split('.')
  if (/[1-9]/.test(fraction)) {
    const low = Math.max(0, Number(whole))
    return `the service takes whole numbers only, and ${read.plain} is none; ask for ${low > 0 ? `${low} or ` : ''}${low + 1}`
  }
  const value = Number(whole)
  if (!Number.isSafeInteger(value)) return 'the amount is a whole number that is too large'
  if (value < 1) return 'the amount is a whole number of at least 1'
  return { value, currency: unit }
}

/** As it is kept: one text for all that mean the same, so that a stored line reads as it was meant. */
export const amountText = ({ value, currency }: TypedAmount): string =>
  currency === null ? String(value) : `${value} ${currency}`

/** The parameter of a command that takes an amount. */
export const amountParam = z
  .string()
  .trim()
  .check((context) => {
    const read = readAmount(context.value)
    if (typeof read === 'string') context.issues.push({ code: 'custom', message: read, input: context.value })
    else context.value = amountText(read)
  })
  .meta({ amount: true })

export const toAmount = (kept: string | undefined): TypedAmount | undefined => {
  const read = kept === undefined ? undefined : readAmount(kept)
  return typeof read === 'string' ? undefined : read
}

/** A number that is none on paper has nothing to be read in two ways. */
const asRead = (value: number) =>
  Number.isFinite(value) && Math.abs(value) < 1e15
    ? ({
        ok: true,
        value,
        plain: withoutAtEnd(withoutAtEnd(value.toFixed(15), '0'), '.'),
        unit: null,
      } as const)
    : ({ ok: false, why: undefined } as const)

/** A sign, a code of three letters, or a word for one; null for none and undefined for what is no currency. */
const currencyOf = (unit: string): string | undefined => {
  if (/^(?:[a-z]{3}|[a-z]{0,3}\p{Sc})$/iu.test(unit)) return unit.toUpperCase()
  return words.get(unit.toLowerCase())
}

const words: ReadonlyMap<string, string> = new Map([
  ...['dollar', 'dollars', 'bucks'].map((word) => [word, '$'] as const),
  ...['euro', 'euros'].map((word) => [word, '€'] as const),
  ...['pound', 'pounds', 'quid'].map((word) => [word, '£'] as const),
  ...['rupee', 'rupees'].map((word) => [word, '₹'] as const),
])

const clip = (written: string): string => (written.length > 40 ? `${written.slice(0, 40)}…` : written)
