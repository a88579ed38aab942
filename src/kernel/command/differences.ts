import { z } from 'zod'
import type { Block } from '../../lib/view/view.ts'
import { wording } from './facts.ts'

/** What a plan stores about each changed field, so that the preview needs nothing else. */
export const differences = wording(
  z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
)

/** The same as the record has it, by the names of the request; plans that were stored earlier do not have it. */
export const valuesBefore = z.record(z.string(), z.unknown()).nullish()
export type Differences = z.infer<typeof differences>

type Value = string | number | boolean
type Field = readonly [label: string, before: Value | null | undefined, after: Value | undefined]

/** The given fields that differ from the current values: as lines to show, and as values to send. */
export const differing = <const F extends Record<string, Field>>(fields: F) => {
  const changed = Object.entries(fields).filter(
    ([, [, before, after]]) => after !== undefined && (before ?? '') !== after,
  )
  return {
    changes: changed.map(([, [label, before, after]]) => ({
      label,
      before: shownValue(before),
      after: shownValue(after),
    })),
    was: Object.fromEntries(changed.map(([key, [, before]]) => [key, before ?? null])),
    sent: Object.fromEntries(changed.map(([key, [, , after]]) => [key, after])) as {
      [K in keyof F]?: NonNullable<F[K][2]>
    },
  }
}

export const differencesBlock = (changes: Differences): Block => ({ kind: 'diff', changes })

/** "first name, tags": the fields that a change affects. */
export const labelsOf = (changes: Differences): string =>
  changes.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1)).join(', ')

/** Missing and empty look the same to a reader. */
const shownValue = (value: Value | null | undefined): string | null => {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}
