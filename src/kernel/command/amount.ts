import { z } from 'zod'
import { readNumber } from '../../lib/codecs/read-number.ts'
import { defined } from '../../lib/defined.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import { quoted } from '../../lib/view/outside.ts'

/** An amount as somebody wrote it; `currency` is a code or a sign, if one was written. */
export type TypedAmount = { value: number; currency: string | null }

/** What is wrong with an amount, in a sentence, and the amounts that would do where there are few. */
export type NoAmount = { why: string; would?: readonly string[] }

/** `20`, `$20`, `20 USD`, `20 euros` and `12.00`; what is wrong for anything else. */
export const readAmount = (written: string | number): TypedAmount | NoAmount => {
  const read = typeof written === 'number' ? asRead(written) : readNumber(written)
  const unit = read.ok && read.unit !== null ? currencyOf(read.unit) : null
  if (!read.ok || unit === undefined) {
    if (!read.ok && read.why !== undefined) return { why: `${read.why}.`, ...defined({ would: read.would }) }
    return {
      why: `${quoted(clip(String(written)))} is no amount: it takes a whole number, such as 20, $20 or 20 USD.`,
    }
  }
  const [whole = '', fraction = ''] = read.plain.split('.')
  if (/[1-9]/.test(fraction)) {
    const low = Math.max(0, Number(whole))
    return {
      why: `The service takes whole numbers only, and ${read.plain} is none.`,
      would: [low, low + 1]
        .filter((one) => one > 0)
        .map((one) => (unit === null ? `${one}` : `${one} ${unit}`)),
    }
  }
  const value = Number(whole)
  if (!Number.isSafeInteger(value)) return { why: 'The amount is a whole number that is too large.' }
  if (value < 1) return { why: 'The amount is a whole number of at least 1.' }
  return { value, currency: unit }
}

export const isAmount = (read: TypedAmount | NoAmount): read is TypedAmount => 'value' in read

/** As it is kept: one text for all that mean the same, so that a stored line reads as it was meant. */
export const amountText = ({ value, currency }: TypedAmount): string =>
  currency === null ? String(value) : `${value} ${currency}`

/** The parameter of a command that takes an amount. */
export const amountParam = z
  .string()
  .trim()
  .check((context) => {
    const read = readAmount(context.value)
    if (isAmount(read)) context.value = amountText(read)
    else context.issues.push({ code: 'custom', message: read.why, input: context.value })
  })
  .meta({ amount: true })

/** What is searched for may be near a sum: `about 50`, `over 900 USD`, `under 20`. */
export const sumsParam = z
  .string()
  .trim()
  .check((context) => {
    const { bound, written } = splitBound(context.value)
    const read = readAmount(written)
    if (isAmount(read)) context.value = `${bound}${amountText(read)}`
    else context.issues.push({ code: 'custom', message: read.why, input: context.value })
  })
  .meta({ amount: true, takes: 'sums' })

/** The word before a sum, with its space, and the sum. */
export const splitBound = (text: string): { bound: '' | 'about ' | 'over ' | 'under '; written: string } => {
  const bound = (['about ', 'over ', 'under '] as const).find((one) => text.toLowerCase().startsWith(one))
  return bound === undefined ? { bound: '', written: text } : { bound, written: text.slice(bound.length) }
}

/** How far off a sum may be that somebody remembers as about so much. */
const aboutShare = 0.1

/** Whether an amount is the sum that was written, or near, above or below it. */
export const isWithin = (amount: number, text: string): boolean => {
  const { bound, written } = splitBound(text)
  const value = toAmount(written)?.value ?? Number.NaN
  if (bound === 'over ') return amount >= value
  if (bound === 'under ') return amount <= value
  return Math.abs(amount - value) <= (bound === 'about ' ? value * aboutShare : 0)
}

export const toAmount = (kept: string | undefined): TypedAmount | undefined => {
  const read = kept === undefined ? undefined : readAmount(kept)
  return read !== undefined && isAmount(read) ? read : undefined
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
