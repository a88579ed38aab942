import type { z } from 'zod'

/** A field of a request as people read it: its name, and what they read for those of its values that are the service's own words. */
export type FieldWords = { label: string; values: Readonly<Record<string, string>> }

/** Says once how people read a field; every field of that type has it. */
export const readAs = <S extends z.ZodType>(schema: S, words: FieldWords): S =>
  schema.meta({ ...schema.meta(), readAs: words })

/** By the names of the fields, for those of which it was said. */
export const fieldWordsOf = (schema: z.core.$ZodType | undefined): Record<string, FieldWords> => {
  const { shape = {} } = (schema?._zod.def ?? {}) as { shape?: Record<string, z.ZodType> }
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const words = wordsOf(field)
      return words === undefined ? [] : [[name, words]]
    }),
  )
}

const wordsOf = (field: z.ZodType): FieldWords | undefined => {
  const { readAs: own } = (field.meta() ?? {}) as { readAs?: FieldWords }
  const { innerType } = field._zod.def as { innerType?: z.ZodType }
  return own ?? (innerType && wordsOf(innerType))
}
