import type { z } from 'zod'
import { readNumber } from '../../../lib/codecs/read-number.ts'
import { didYouMean } from '../../../lib/view/did-you-mean.ts'
import type { Path, Source } from './source.ts'

/** A mistake, and the part of the file that holds it. */
export type Finding = { path: Path; on?: 'key' | 'value'; message: string }

/** Keys, types and single values: what can be said of each part of the file on its own. */
export function shapeFindings(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  source: Source,
): Finding[] {
  return issues.flatMap((issue) => toFindings(issue, [], value, source))
}

/** YAML makes one of 1.000, where the writer may have meant a thousand. */
export function writtenAmounts(policies: number, budgets: number, source: Source): Finding[] {
  const paths: Path[] = [
    ...Array.from({ length: policies }, (_, at) =>
      ['from', 'over', 'upTo'].map((key): Path => ['policies', at, 'amount', key]),
    ).flat(),
    ...Array.from({ length: budgets }, (_, at): Path => ['budgets', at, 'limit']),
  ]
  return paths.flatMap((path) => {
    const written = source.writtenAt(path)
    const read = written === undefined ? undefined : readNumber(written)
    if (written === undefined || read === undefined || read.ok || read.why === undefined) return []
    return [{ path, message: wrong('value', path, written, `one number: ${read.why}`) }]
  })
}

/** `policies[1].require`, as people say it; the place of a single list entry is in the line number. */
export function inWords(path: Path): string {
  const steps = typeof path.at(-1) === 'number' && path.length > 2 ? path.slice(0, -1) : path
  return steps.reduce<string>(
    (words, step) => (typeof step === 'number' ? `${words}[${step}]` : words ? `${words}.${step}` : step),
    '',
  )
}

/** A few of many names: an error is one line. */
export const someOf = (names: readonly string[]): string => {
  const few = names
    .slice(0, 3)
    .map((name) => `"${name}"`)
    .join(', ')
  return names.length > 3 ? `${few} and ${names.length - 3} more` : few
}

function toFindings(issue: z.core.$ZodIssue, above: Path, value: unknown, source: Source): Finding[] {
  const path = [...above, ...(issue.path as (string | number)[])]
  if (issue.code === 'invalid_union') {
    const nearer = issue.errors.find((branch) => branch.some(({ path }) => path.length > 0))
    if (nearer) return nearer.flatMap((each) => toFindings(each, path, value, source))
  }
  const known = issue.code === 'custom' ? issue.params?.known : undefined
  if (Array.isArray(known)) return [unknownKey(path, known)]
  if (issue.code === 'invalid_key')
    return [{ path, on: 'key', message: wrong('key', path, `"${path.at(-1)}"`, issue.issues[0]?.message) }]
  const found = valueAt(value, path)
  if (found === undefined && path.length > 0) return [missingKey(path, issue.message)]
  return [{ path, message: wrong('value', path, source.writtenAt(path) || shown(found), issue.message) }]
}

function unknownKey(path: Path, known: string[]): Finding {
  const key = String(path.at(-1))
  const guess = didYouMean(key, known)
  const hint = guess ? ` Did you mean "${guess}"?` : ''
  return {
    path,
    on: 'key',
    message: `unknown key "${key}"${inside(path)}.${hint} Expected one of: ${known.join(', ')}.`,
  }
}

const missingKey = (path: Path, expected: string): Finding => ({
  path: path.slice(0, -1),
  message: `missing key "${path.at(-1)}"${inside(path)}. Expected ${expected}.`,
})

const wrong = (what: string, path: Path, found: string, expected = 'something else'): string =>
  `wrong ${what} ${found}${what === 'key' ? inside(path) : path.length > 0 ? ` in ${inWords(path)}` : ''}. Expected ${expected}.`

const inside = (path: Path): string => (path.length > 1 ? ` in ${inWords(path.slice(0, -1))}` : '')

const shown = (found: unknown): string =>
  Array.isArray(found)
    ? found.length === 0
      ? '[]'
      : '(a list)'
    : typeof found === 'object' && found !== null
      ? '(a map)'
      : found === null
        ? '(nothing)'
        : (JSON.stringify(found) ?? String(found))

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string | number, unknown>)[step]
        : undefined,
    value,
  )
