import { defined } from '../../defined.ts'
import { readNumber } from '../../model/read-number.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { refusal } from '../../view/refusals.ts'
import { unseenIn } from '../../view/visible.ts'
import { type Wording, type Writing, worded } from '../../view/wording.ts'
import { amountText, readAmount } from '../amount.ts'
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
      const { value, why } = toNumber(raw)
      if (why !== undefined) return wrong(param, why)
      const isWhole = value !== undefined && Number.isSafeInteger(value)
      if (param.type === 'integer') return isWhole ? ok(value) : bad(param, raw, 'a whole number')
      return value === undefined ? bad(param, raw, 'a number') : ok(value)
    }
    case 'amount': {
      const amount = readAmount(typeof raw === 'number' ? raw : String(raw))
      return typeof amount === 'string' ? wrong(param, amount) : ok(amountText(amount))
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
            (name) => `${name} is a file, and a line of text cannot contain one.`,
            (as) => `Attach the file itself; in the terminal, write ${as.flag('file')} and its path.`,
          )
    case 'json': {
      const value = typeof raw === 'string' ? parseJson(raw) : raw
      return value === undefined ? bad(param, raw, 'JSON') : ok(value)
    }
  }
}

const refuse = (param: Param, message: (name: string, as: Writing) => string, next?: Wording) =>
  no(
    refusal('bad_value', (as) => message(as.name(param.name), as), {
      field: param.name,
      ...defined({ next }),
    }),
  )

const bad = (param: Param, raw: Raw, expected: Wording) =>
  refuse(param, (name, as) => `${name} takes ${worded(expected, as)}, not "${clip(String(raw))}".`)

const wrong = (param: Param, why: string) => refuse(param, (name) => `${name}: ${why}.`)

const seen = <T extends string | string[]>(param: Param, value: T): Result<T> => {
  const code =
    typeof value === 'string' ? unseenInWord(value) : value.map(unseenInWord).find((one) => one !== undefined)
  if (code === undefined) return ok(value)
  return refuse(
    param,
    (name) => `${name} has a character in it that nobody sees: ${code}.`,
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

const toNumber = (raw: Raw): { value?: number; why?: string | undefined } => {
  if (typeof raw === 'number') return { value: raw }
  const read = readNumber(String(raw))
  if (!read.ok) return { why: read.why }
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

const clip = (value: string): string => (value.length > 60 ? `${value.slice(0, 60)}…` : value)
