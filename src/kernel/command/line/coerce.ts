import { readNumber } from '../../../lib/codecs/read-number.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { quoted } from '../../../lib/view/outside.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import { unseenIn } from '../../../lib/view/visible.ts'
import { type Wording, worded, wordsOfParam } from '../../../lib/view/wording.ts'
import { amountText, isAmount, readAmount, splitBound } from '../amount.ts'
import type { Param } from '../params.ts'
import { toItems } from './items.ts'
import { parseJson } from './structured.ts'
import { toTextFile } from './text-file.ts'

/** The raw value of one parameter: text from a line, typed values from options and forms. */
export type Raw = string | number | boolean | string[] | RawFile

/** An attached file, before its content is checked. */
export type RawFile = { name: string; bytes: Uint8Array }

/** Schemas do not coerce; this function does, by the type of the parameter, and says what it expected. */
export const coerce = (param: Param, raw: Raw): Result<unknown> => {
  switch (param.type) {
    case 'text':
      return seen(param, String(raw))
    case 'date':
      return seen(param, String(raw).trim())
    case 'integer':
    case 'number': {
      const { value, why, would } = toNumber(raw)
      if (why !== undefined) return wrong(param, `${why}.`, would)
      const isWhole = value !== undefined && Number.isSafeInteger(value)
      if (param.type === 'integer') return isWhole ? ok(value) : bad(param, raw, 'a whole number')
      return value === undefined ? bad(param, raw, 'a number') : ok(value)
    }
    case 'amount': {
      const { bound, written } =
        param.takes === 'sums' ? splitBound(String(raw)) : { bound: '', written: raw }
      const amount = readAmount(typeof written === 'number' ? written : String(written))
      return isAmount(amount) ? ok(`${bound}${amountText(amount)}`) : wrong(param, amount.why, amount.would)
    }
    case 'boolean': {
      const value = typeof raw === 'boolean' ? raw : booleans.get(String(raw).trim().toLowerCase())
      return value === undefined ? bad(param, raw, (as) => as.yesOrNo) : ok(value)
    }
    case 'choice': {
      const value = toChoice(param, String(raw))
      return value === undefined ? bad(param, raw, `one of ${param.choices.join(', ')}`) : ok(value)
    }
    case 'list':
      return seen(param, Array.isArray(raw) ? raw : toItems(String(raw)))
    case 'file':
      return isRawFile(raw)
        ? toTextFile(raw, param.name)
        : refuse(
            param,
            `The ${wordsOfParam(param.name)} is a file, and a line of text cannot contain one.`,
            (as) => `Attach the file itself; in the terminal, write ${as.flag('file')} and its path.`,
          )
    case 'json': {
      const value = typeof raw === 'string' ? parseJson(raw) : raw
      return value === undefined ? bad(param, raw, 'JSON') : ok(value)
    }
  }
}

const refuse = (param: Param, message: Wording, next: Wording) =>
  no(refusal('bad_value', message, { field: param.name, next }))

const bad = (param: Param, raw: Raw, expected: Wording) =>
  refuse(param, (as) => `${cannotBe(param, raw)}: it takes ${worded(expected, as)}.`, anotherValue)

const wrong = (param: Param, why: string, would: readonly string[] = []) =>
  no({ ...refusal('bad_value', why, { field: param.name, next: anotherValue }), would })

const seen = <T extends string | string[]>(param: Param, value: T): Result<T> => {
  const code =
    typeof value === 'string' ? unseenInWord(value) : value.map(unseenInWord).find((one) => one !== undefined)
  if (code === undefined) return ok(value)
  return refuse(
    param,
    `The ${wordsOfParam(param.name)} has a character in it that nobody sees: ${code}.`,
    'Type the value instead of pasting it.',
  )
}

export const isRawFile = (raw: Raw): raw is RawFile => typeof raw === 'object' && !Array.isArray(raw)

/** In one word, as every id is, it could only make two that look alike; longer text keeps it and shows it by its code. */
export const unseenInWord = (value: string): string | undefined => {
  const code = unseenIn(value)
  return code === undefined || /\s/u.test(value.trim()) ? undefined : code
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', 'y', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', 'n', '0'].map((word) => [word, false] as const),
])

const toNumber = (
  raw: Raw,
): { value?: number; why?: string | undefined; would?: readonly string[] | undefined } => {
  if (typeof raw === 'number') return { value: raw }
  const read = readNumber(String(raw))
  if (!read.ok) return { why: read.why, would: read.would }
  return read.unit === null ? { value: read.value } : {}
}

/** Case, spaces, hyphens and underscores do not matter: "end of term", END_OF_TERM. */
const toChoice = (param: Param, raw: string): string | undefined => {
  if (param.choices.includes(raw) && !(raw in param.aliases)) return raw
  const key = (value: string) =>
    value
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_')
  const wanted = key(raw)
  const alias = Object.entries(param.aliases).find(([word]) => key(word) === wanted)
  return alias?.[1] ?? param.choices.find((choice) => key(choice) === wanted)
}

/** Names what somebody wrote, where it is short enough to be read as a whole. */
export const cannotBe = ({ name }: Param, value: unknown): string => {
  const words = wordsOfParam(name)
  const parts = Array.isArray(value) ? value : [value]
  const text = parts.join(', ')
  const isPlain = text.trim() !== '' && parts.every((part) => typeof part !== 'object')
  return isPlain ? `${quoted(text, 60)} cannot be the ${words}` : `The ${words} cannot be used`
}

export const anotherValue = 'Give another value.'
