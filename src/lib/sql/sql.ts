import { z } from 'zod'

/** Collects the values of a statement: `add(value)` returns its placeholder. */
export const createParams = () => {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  return { values, add, addAll: (all: readonly unknown[]): string => all.map(add).join(', ') }
}

/** Reads a column of JSON text as its value. */
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
})
