import { printDuration } from '../../lib/codecs/duration.ts'
import { notifyWays } from '../model/change.ts'
import type { Rule } from './policy.ts'

type Term<T> = {
  /** What the file calls it. */
  key: string
  /** Of several rules that hold together, what counts. */
  together(values: T[]): T
  /** The higher, the stricter; a rule that does not say has undefined. */
  strictness(value: T | undefined): number
  words(value: T): string
}

type TermKey = 'holdMs' | 'canary' | 'notify' | 'remindMs' | 'evidence' | 'reason'
export type RuleTerms = { [K in TermKey]?: NonNullable<Rule[K]> }

const demanded = (key: 'evidence' | 'reason'): Term<'required'> => ({
  key,
  together: () => 'required',
  strictness: (value) => (value === undefined ? 0 : 1),
  words: (value) => value,
})

/**
 * What a rule says besides whose decision it needs. A key that stands here is decided, kept with each request, explained
 * and compared between two versions; nothing else has to be told of it.
 */
const terms: { [K in TermKey]: Term<NonNullable<Rule[K]>> } = {
  holdMs: {
    key: 'hold',
    together: (values) => Math.max(...values),
    strictness: (value = 0) => value,
    words: printDuration,
  },
  canary: {
    key: 'canary',
    together: (values) => Math.min(...values),
    strictness: (value = 1) => -value,
    words: (value) => `${Math.round(value * 1e5) / 1e3}%`,
  },
  notify: {
    key: 'notify',
    // The way that reaches people best.
    together: (values) => notifyWays.findLast((way) => values.includes(way)) ?? 'mention',
    strictness: () => 0,
    words: (value) => value,
  },
  remindMs: {
    key: 'remind',
    together: (values) => [...new Set(values.flat())].sort((one, other) => one - other),
    strictness: () => 0,
    words: (value) => value.map(printDuration).join(', '),
  },
  evidence: demanded('evidence'),
  reason: demanded('reason'),
}

const all = Object.entries(terms) as [TermKey, Term<unknown>][]

export const termsOfRules = (rules: readonly Rule[]): RuleTerms =>
  Object.fromEntries(
    all.flatMap(([name, { together }]) => {
      const values = rules.map((rule) => rule[name]).filter((value) => value !== undefined)
      return values.length === 0 ? [] : [[name, together(values)]]
    }),
  )

/** The terms among other fields, for the record. */
export const termsAmong = (decision: RuleTerms): Record<string, unknown> =>
  Object.fromEntries(all.flatMap(([name]) => (decision[name] === undefined ? [] : [[name, decision[name]]])))
export const wordsOfTerms = (decision: Record<string, unknown>): [key: string, words: string][] =>
  all.flatMap(([name, { key, words }]) =>
    decision[name] === undefined ? [] : [[key, words(decision[name])] as [string, string]],
  )
/** Terms that differ, each with which of the two is stricter. */
export const compareTerms = (
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { key: string; direction: 'stricter' | 'looser'; words: string }[] =>
  all.flatMap(([name, { key, strictness, words }]) => {
    const step = strictness(after[name]) - strictness(before[name])
    if (step === 0 || Number.isNaN(step)) return []
    const said = (value: unknown) => (value === undefined ? 'none' : words(value))
    return [
      {
        key,
        direction: step > 0 ? ('stricter' as const) : ('looser' as const),
        words: `${key}: ${said(after[name])} instead of ${said(before[name])}`,
      },
    ]
  })
