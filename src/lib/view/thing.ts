import { z } from 'zod'

/**
 * What ids stand for. A parameter says which kind it takes; a row or a fact of a view says which thing it is about. The
 * bot's own kinds are here, and each pack merges those of its service in.
 */
export interface ThingKinds {
  change: unknown
  job: unknown
  /** Somebody in bellhop.yml. */
  colleague: unknown
  /** A look-up that runs again and again. */
  schedule: unknown
  /** Of the audit log. */
  entry: unknown
}

export type ThingKind = keyof ThingKinds & string

/** A stored view may speak of a kind whose pack is gone by now. */
const kind = z.string() as unknown as z.ZodType<ThingKind, ThingKind>
const reference = z.object({ kind, id: z.string() })

/**
 * `of` is what it belongs to, where a command needs both; `closedTo` are commands that would refuse it, as far as could be
 * seen, such as a refund of what is refunded.
 */
export const thingSchema = reference.extend({
  name: z.string().optional(),
  of: reference.optional(),
  closedTo: z.array(z.string()).optional(),
})

export type ThingReference = z.infer<typeof reference>
export type Thing = z.infer<typeof thingSchema>

/** The thing with this id; undefined where a service gave none. */
export const thing = (
  ofKind: ThingKind,
  id: string | null | undefined,
  { name, of, closedTo = [] }: ThingAbout = {},
): Thing | undefined =>
  id
    ? {
        kind: ofKind,
        id,
        ...(name ? { name } : {}),
        ...(of === undefined ? {} : { of }),
        ...(closedTo.length === 0 ? {} : { closedTo }),
      }
    : undefined

type ThingAbout = {
  name?: string | null | undefined
  of?: ThingReference | undefined
  closedTo?: string[]
}
