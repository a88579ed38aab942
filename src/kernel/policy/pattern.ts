import type { Pattern } from './policy.ts'

/** Whether a command pattern covers a command: by its exact name, by its noun (`list *`), or by `*`. */
export function isMatch(pattern: Pattern, name: string): boolean {
  if (pattern === '*' || pattern === name) return true
  if (!pattern.endsWith(' *')) return false
  const noun = pattern.slice(0, -2)
  return name === noun || name.startsWith(`${noun} `)
}

/** A change goes by several names when several commands mean the same thing; one of them is enough. */
export const isAnyMatch = (patterns: readonly Pattern[], names: readonly string[]): boolean =>
  patterns.some((pattern) => names.some((name) => isMatch(pattern, name)))

/** Spaces do not count, so that `campaign  send` is not an unknown command. */
export const toPattern = (text: string): Pattern => text.trim().replace(/\s+/g, ' ')
