import { z } from 'zod'
import type { Contact } from '../../packs/chat/contact.ts'
import type { ContactAttribute } from '../../packs/chat/guesses.ts'
import type { Differences } from '../../src/kernel/command/differences.ts'
import { isRecord } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'

/** Accepts [{"name":"city","value":"Lund"}] and the shorter {"city":"Lund"}; both become the first form. */
export const attributesParam = z.preprocess(
  toPairs,
  z
    .array(
      z.object({
        name: z.string('an attribute needs a name').trim().min(1, 'an attribute needs a name'),
        value: z.string('an attribute’s value is text; an empty one removes it'),
      }),
      'attributes are {"name": "value"} or [{"name": "...", "value": "..."}]',
    )
    .min(1, 'name at least one attribute')
    .refine(
      (pairs) => new Set(pairs.map(({ name }) => name)).size === pairs.length,
      'each attribute can be named only once',
    ),
)

/** The attributes that differ from those of the contact; an empty value removes an attribute. */
export const changedAttributes = (
  { attributes }: Contact,
  wanted: readonly ContactAttribute[],
): { changes: Differences; sent: ContactAttribute[] } => {
  const current = (name: string) => attributes?.find((one) => one.name === name)?.value ?? ''
  const sent = wanted.filter(({ name, value }) => current(name) !== value || !attributes)
  return {
    sent,
    changes: sent.map(({ name, value }) => ({
      label: `Attribute ${theirs(name)}`,
      before: current(name) || null,
      after: value || null,
    })),
  }
}

function toPairs(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((one) => (isRecord(one) ? { ...one, value: toText(one.value) } : one))
  if (!isRecord(value)) return value
  if (typeof value.name === 'string' && 'value' in value) return toPairs([value])
  return Object.entries(value).map(([name, one]) => ({ name, value: toText(one) }))
}

const toText = (value: unknown) => {
  if (value === null) return ''
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}
