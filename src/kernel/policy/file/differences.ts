import { readSource } from './source.ts'

/**
 * What differs between the texts of two policy files, as sentences. It reads them as they are written, so a key that is
 * new to the schema is told like any other.
 */
export const differencesOf = (before: string, after: string): string[] =>
  between([], readSource(before).value ?? {}, readSource(after).value ?? {})

type Steps = readonly string[]

const between = (at: Steps, before: unknown, after: unknown): string[] => {
  if (same(before, after)) return []
  if (before === undefined || before === null) return [`${inWords(at)} is new: ${shown(after)}.`]
  if (after === undefined || after === null) return [`${inWords(at)} is gone: it was ${shown(before)}.`]
  const [keyedBefore, keyedAfter] = [byKey(before), byKey(after)]
  if (keyedBefore !== undefined && keyedAfter !== undefined) {
    return [...orderOf(at, keyedBefore, keyedAfter), ...members(at, keyedBefore, keyedAfter)]
  }
  if (isRecord(before) && isRecord(after)) {
    return members(at, new Map(Object.entries(before)), new Map(Object.entries(after)))
  }
  return [`${inWords(at)} is ${shown(after)}; it was ${shown(before)}.`]
}

const members = (
  at: Steps,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    between([...at, key], before.get(key), after.get(key)),
  )

/** People by their id, rules and budgets by their name. */
const byKey = (value: unknown): Map<string, unknown> | undefined => {
  if (!Array.isArray(value) || value.length === 0) return undefined
  const keys = value.map((one) => (isRecord(one) ? (one.id ?? one.name) : undefined))
  if (keys.some((key) => typeof key !== 'string') || new Set(keys).size < keys.length) return undefined
  return new Map(value.map((one, index) => [keys[index] as string, one]))
}

/** The first rule that matches decides, so their order is part of what they say. */
const orderOf = (
  at: Steps,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] => {
  if (at[0] !== 'policies' || at.length > 1) return []
  const common = [...before.keys()].filter((key) => after.has(key))
  const now = [...after.keys()].filter((key) => before.has(key))
  return same(common, now)
    ? []
    : [`The order of the rules is ${now.map(quoted).join(', ')}; it was ${common.map(quoted).join(', ')}.`]
}

const singular: Record<string, string> = {
  policies: 'rule',
  budgets: 'budget',
  people: 'person',
  roles: 'role',
}

/** `amount.upTo of the rule "refund"`. */
const inWords = ([section = 'The file', key, ...rest]: Steps): string => {
  if (key === undefined) return capital(section)
  const one = singular[section]
  if (one === undefined) return capital([section, key, ...rest].join('.'))
  const named = `the ${one} "${key}"`
  return rest.length === 0 ? capital(named) : `${capital(rest.join('.'))} of ${named}`
}

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (!isRecord(value)) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${shown(one)}`)
    .join(', ')} }`
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quoted = (name: string): string => `"${name}"`
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
