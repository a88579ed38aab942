import { z } from 'zod'

/** What ids stand for. A parameter says which kind it takes; a row or a fact of a view says which thing it is about. */
export const thingKinds = [
  'subscriber',
  'contact',
  'list',
  'campaign',
  'customer',
  'payment',
  'subscription',
  'plan',
  'product',
  'add-on',
  'license',
  'multiplan',
  'change',
  'job',
] as const

const kind = z.enum(thingKinds)
const reference = z.object({ kind, id: z.string() })

/** `of` is what it belongs to, where a command needs both: the product of a license, the customer of a payment. */
export const thingSchema = reference.extend({ name: z.string().optional(), of: reference.optional() })

export type ThingKind = z.infer<typeof kind>
export type ThingReference = z.infer<typeof reference>
export type Thing = z.infer<typeof thingSchema>

/** The thing with this id; undefined where a service gave none. */
export const thing = (
  ofKind: ThingKind,
  id: string | null | undefined,
  { name, of }: { name?: string | null | undefined; of?: ThingReference | undefined } = {},
): Thing | undefined =>
  id ? { kind: ofKind, id, ...(name ? { name } : {}), ...(of === undefined ? {} : { of }) } : undefined
