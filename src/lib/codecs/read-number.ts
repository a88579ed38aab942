import { withoutAtEnd } from '../view/end.ts'
import { quoted } from '../view/outside.ts'

/**
 * A number as somebody wrote it: `plain` is it in digits, with a point before the fraction; `unit` is what stood beside
 * it. `why` says what is in the way, where there is more to say than that it is no number, and `would` has
 * the numbers that would do.
 */
export type NumberRead =
  | { ok: true; value: number; plain: string; unit: string | null }
  | { ok: false; why: string | undefined; would?: readonly string[] }

/** Longer than any number that somebody means. */
const longest = 60
/** A whole number that is no longer is exact: most of what is written needs no more than a look. */
const maxSafe = 15

/**
 * The only reader of written numbers. It reads what can be read in one way: 20, -5, 12.50, 12,50, 1200, 1,200.00 and
 * 1.200,00. What one country reads as a thousand and another as one, such as 1,000, is named both ways and not chosen.
 */
export const readNumber = (written: string): NumberRead => {
  const text = written.trim()
  if (text.length <= maxSafe && /^-?\d+$/.test(text))
    return { ok: true, value: Number(text) || 0, plain: text, unit: null }
  if (text.length > longest) return { ok: false, why: undefined }
  const odd = oddDigitIn(text)
  if (odd !== undefined) return { ok: false, why: odd }
  const parts = shape.exec(text)
  const [, first = '', before = '', second = '', figures = '', behind = ''] = parts ?? []
  const isOdd = parts === null || (first !== '' && second !== '') || (before !== '' && behind !== '')
  if (isOdd) return { ok: false, why: undefined }
  const [plain, other] = readingsOf(figures.replace(/\s/gu, ' ').replaceAll('’', "'"))
  if (plain === undefined) return { ok: false, why: undefined }
  const isMinus = !['', '+'].includes(first + second)
  const signed = (digits: string) => `${isMinus ? '-' : ''}${digits}`
  if (other !== undefined) {
    const would = [signed(plain), signed(withoutAtEnd(withoutAtEnd(other, '0'), '.'))]
    return { ok: false, why: `${quoted(text)} can be read as ${would.join(' and as ')}`, would }
  }
  const value = Number(signed(plain))
  if (!isExact(value, plain)) return { ok: false, why: undefined }
  return { ok: true, value: value === 0 ? 0 : value, plain: signed(plain), unit: before || behind || null }
}

/** The text that is read as exactly this number: three digits behind a point could be a thousand. */
export const numberText = (value: number): string => {
  const text = String(value)
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text
}

const sign = '([+\\-−–—]?)'
const shape = new RegExp(
  `^${sign}\\s*([^\\d\\s.,'’+\\-−–—]*)\\s*${sign}\\s*([\\d.,'’\\s]*\\d)\\s*([^\\d\\s.,'’+\\-−–—]*)$`,
  'u',
)

/** Digits of other scripts, raised ones and fractions would be other numbers once they are made plain. */
const oddDigitIn = (text: string): string | undefined => {
  const odd = /(?!\d)\p{N}/u.exec(text)?.[0]
  return odd === undefined ? undefined : `${quoted(odd)} is not one of the digits 0 to 9`
}

/** What sets groups of three apart, and what stands before the fraction. */
const writings = [
  ['', '.'],
  ['', ','],
  [',', '.'],
  ['.', ','],
  [' ', '.'],
  [' ', ','],
  ["'", '.'],
  ["'", ','],
].map(([group = '', point = '']) => {
  const whole = group === '' ? '\\d+' : `[1-9]\\d{0,2}(?:[${group}]\\d{3})+`
  return { group, form: new RegExp(`^(${whole})(?:[${point}](\\d+))?$`) }
})

/** Every way to read the figures, the largest first. */
const readingsOf = (figures: string): string[] => {
  if (/^\.\d+$/.test(figures)) return [`0${figures}`]
  const found = writings.flatMap(({ group, form }) => {
    const [, whole, fraction] = form.exec(figures) ?? []
    if (whole === undefined) return []
    const digits = group === '' ? whole : whole.replaceAll(group, '')
    return [fraction === undefined ? digits : `${digits}.${fraction}`]
  })
  return [...new Set(found)].sort((one, other) => Number(other) - Number(one))
}

/** No digit of it is lost when it is kept as a number. */
const isExact = (value: number, plain: string): boolean => {
  const digits = plain.replace('.', '').replace(/^0+/, '').length
  return plain.includes('.') ? digits <= 15 : Number.isSafeInteger(value)
}
