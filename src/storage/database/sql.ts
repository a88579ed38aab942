import { z } from 'zod'

/** Collects values while a statement is written: `add(value)` gives the place that stands for it. */
export const createParams = () => {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  return { values, add, addAll: (all: readonly unknown[]): string => all.map(add).join(', ') }
}

/** JSON text in a column, as the value it holds. */
export const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
})
