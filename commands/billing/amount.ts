import { z } from 'zod'

/** An amount as somebody wrote it; `currency` is a code or a sign, if one was written. */
export type TypedAmount = { value: number; currency: string | null }

/** `20`, `$20`, `20 USD`, `1,200` and `12.00`; a sentence that says what is wrong for anything else. */
export const readAmount = (written: string): TypedAmount | string => {
  const parts = /^([^\d\s.,+−–-]*)\s*([+−–-]?)\s*(\d[\d.,'’ ]*?)\s*([^\d\s.,]*)$/u.exec(written.trim())
  const [, before = '', sign = '', figures = '', behind = ''] = parts ?? []
  const unit = before || behind
  if (parts === null || (before !== '' && behind !== '') || !(unit === '' || isUnit.test(unit))) {
    return `the amount is a whole number, such as 20, $20 or 20 USD, not "${clip(written)}"`
  }
  const [whole, fraction] = splitOf(figures)
  if (whole === undefined) {
    return `write the amount as a whole number without separators, such as 1200, not "${clip(written)}"`
  }
  if (/[1-9]/.test(fraction)) {
    const low = Number(whole)
    return `the billing service takes whole numbers only, and ${whole}.${fraction} is none; ask for ${low > 0 ? `${low} or ` : ''}${low + 1}`
  }
  const value = Number(`${sign === '' || sign === '+' ? '' : '-'}${whole}`)
  if (!Number.isSafeInteger(value)) return 'the amount is a whole number that is too large'
  if (value < 1) {
    return 'the amount is a whole number of at least 1; leave it out to refund all that is left'
  }
  return { value, currency: unit === '' ? null : unit.toUpperCase() }
}

/** The parameter: kept as one text, so that a stored line reads as it was meant. */
export const amountParam = z
  .string()
  .trim()
  .superRefine((written, context) => {
    const read = readAmount(written)
    if (typeof read === 'string') context.addIssue({ code: 'custom', message: read })
  })
  .transform(canonical)

export const toAmount = (kept: string | undefined): TypedAmount | undefined => {
  const read = kept === undefined ? undefined : readAmount(kept)
  return typeof read === 'string' ? undefined : read
}

function canonical(written: string): string {
  const read = readAmount(written)
  if (typeof read === 'string') return written
  return read.currency === null ? String(read.value) : `${read.value} ${read.currency}`
}

const isUnit = /^(?:\p{L}{3}|\p{L}{0,3}\p{Sc})$/u

/** Groups of three may be set apart; at the end, one or two digits behind a point or a comma are a fraction. */
const splitOf = (figures: string): [whole: string | undefined, fraction: string] => {
  const [, whole = figures, fraction = ''] = /^(.*?)[.,](\d{1,2})$/.exec(figures) ?? []
  if (/^\d+$/.test(whole)) return [whole, fraction]
  return /^\d{1,3}(?:([,'’ ])\d{3})(?:\1\d{3})*$/.test(whole)
    ? [whole.replace(/\D/g, ''), fraction]
    : [undefined, '']
}

const clip = (written: string): string => (written.length > 40 ? `${written.slice(0, 40)}…` : written)
