import { z } from 'zod'

// One unexpected field must not make the whole answer unreadable: a field may be missing, null or of another
// type; unknown fields are kept; unexpected members of a list are left out.

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

/** How many there are of something, which half of one, less than none and more than can be counted are not. */
export const count = number.transform((value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined,
)

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true'), z.null()])
  .optional()
  .catch(undefined)

export const anything = z.unknown().optional()

/** A list must be there, though not all of its members can be read. */
export const listOf = <T extends z.ZodType>(member: T) =>
  z
    .array(z.union([member, z.unknown().transform(() => undefined)]))
    .transform(
      (members) => members.filter((one) => one !== undefined && one !== null) as NonNullable<z.output<T>>[],
    )

export const lenientList = <T extends z.ZodType>(member: T) => listOf(member).nullish().catch(undefined)

export const texts = lenientList(z.union([z.string(), z.number().transform(String)]))

/** A record that is the answer itself or a member of a list must be an object. */
export const record = <S extends z.core.$ZodLooseShape>(shape: S) => z.looseObject(shape)

/** A record inside a record counts as missing if it is not an object. */
export const part = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.looseObject(shape).nullish().catch(undefined)
