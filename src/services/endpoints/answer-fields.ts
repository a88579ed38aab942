import { z } from 'zod'

// Answers are read so that one odd field never costs the rest: a field may be missing, null or of
// another type; an unknown one is kept; an odd member of a list is left out.

export const text = z
  .union([z.string(), z.number().transform(String), z.boolean().transform(String), z.null()])
  .optional()
  .catch(undefined)

export const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\s*-?\d+(\.\d+)?\s*$/)
      .transform(Number),
    z.null(),
  ])
  .optional()
  .catch(undefined)

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true'), z.null()])
  .optional()
  .catch(undefined)

export const anything = z.unknown().optional()

export const lenientList = <T extends z.ZodType>(member: T) =>
  z
    .array(z.union([member, z.unknown().transform(() => undefined)]))
    .transform(
      (members) => members.filter((one) => one !== undefined && one !== null) as NonNullable<z.output<T>>[],
    )
    .nullish()
    .catch(undefined)

export const texts = lenientList(z.union([z.string(), z.number().transform(String)]))

/** A record that is itself the answer or a member of a list: it has to be an object. */
export const record = <S extends z.core.$ZodLooseShape>(shape: S) => z.looseObject(shape)

/** A record inside a record: if it is not an object it is as good as missing. */
export const part = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.looseObject(shape).nullish().catch(undefined)
