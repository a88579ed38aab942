import { safeParse, type z } from 'zod'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import { wordsSchema } from '../../lib/view/words.ts'
import type { Facts } from '../model/bound.ts'

const worded = new WeakSet<object>([wordsSchema])

/** Marks what a plan holds for people to read and no vote depends on: sentences, labels, and values as we write them. */
export const wording = <S extends z.ZodType>(schema: S): S => {
  worded.add(schema)
  return schema
}

/**
 * Which fields of a plan are weighed is decided here alone, by their kind: a value (an id, a sum, a state, a choice) is; what
 * is marked as wording, a sentence, and a list of either are only shown, so that a note that comes or goes voids nothing.
 * Where a vote depends on what a note says, the value stands beside it.
 */
export const isOnlyShown = (schema: z.core.$ZodType): boolean => {
  if (worded.has(schema)) return true
  const { innerType, element } = schema._zod.def as { innerType?: z.core.$ZodType; element?: z.core.$ZodType }
  const inner = innerType ?? element
  return inner !== undefined && isOnlyShown(inner)
}

/**
 * What was weighed of a plan. What may be null or missing came with a later version, and where a stored plan does not have it, nobody weighed it.
 */
export const factsOf = (schema: z.core.$ZodType, value: unknown): Facts | undefined => {
  if (isOnlyShown(schema)) return undefined
  if (value === undefined || value === null) return null
  const def = schema._zod.def as PlanDef
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return factsOf(def.innerType, value)
    case 'pipe':
      return factsOf(def.out, value)
    case 'union': {
      const option = def.options.find((one) => safeParse(one, value).success)
      return option && factsOf(option, value)
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([name, field]): [string, Facts | undefined][] => {
          const one = (value as Record<string, unknown>)[name]
          if (isOnlyShown(field)) return []
          if (one === undefined && isLater(field)) return [[name, undefined]]
          const fact = factsOf(field, one)
          return fact === undefined ? [] : [[name, fact]]
        }),
      )
    case 'array':
      return (value as unknown[]).map((one) => factsOf(def.element, one) ?? null)
    case 'tuple':
      return (value as unknown[]).map((one, at) => {
        const item = def.items[at] ?? def.rest
        return item === null ? null : (factsOf(item, one) ?? null)
      })
    case 'string':
    case 'number':
    case 'int':
    case 'boolean':
    case 'enum':
    case 'literal':
      return value as string | number | boolean
    default:
      // What has names of its own choosing is one value: a name that comes or goes changes it.
      return canonicalJson(value)
  }
}

/** As far as a plan has them. */
type PlanDef =
  | Pick<z.core.$ZodOptionalDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodNullableDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodDefaultDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodPrefaultDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodNonOptionalDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodReadonlyDef, 'type' | 'innerType'>
  | Pick<z.core.$ZodCatchDef, 'type' | 'innerType'>
  | z.core.$ZodPipeDef
  | z.core.$ZodUnionDef
  | z.core.$ZodObjectDef
  | z.core.$ZodArrayDef
  | z.core.$ZodTupleDef
  | { type: 'string' | 'number' | 'int' | 'boolean' | 'enum' | 'literal' }
  | { type: 'any' }

const isLater = (schema: z.core.$ZodType, wraps: readonly string[] = []): boolean => {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType }
  const all = [...wraps, type]
  if (innerType === undefined) return false
  return (all.includes('optional') && all.includes('nullable')) || isLater(innerType, all)
}
