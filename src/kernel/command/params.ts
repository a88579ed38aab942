import { z } from 'zod'
import type { ThingKind, ThingReference } from '../../lib/view/thing.ts'
import { flagOf } from '../../lib/view/wording.ts'

/** One parameter, read once from the schema; parser, usage, forms, hints, options and docs use only this. */
export type Param = {
  /** The key in the input object. */
  name: string
  /** The kebab-case name that people type. */
  flag: string
  description: string
  type: 'text' | 'integer' | 'number' | 'amount' | 'boolean' | 'choice' | 'list' | 'date' | 'json' | 'file'
  required: boolean
  positional: boolean
  choices: string[]
  min: number | undefined
  max: number | undefined
  maxLength: number | undefined
  format: 'email' | 'uri' | undefined
  /** What its value stands for: a thing of one of these kinds, a command, or an endpoint. */
  kinds: readonly ParamKind[]
  /** Whether the thing is given by its id, by its name, or by its number, which no id replaces. */
  by: 'id' | 'name' | 'number'
  /** It takes an id of a service's record, of whatever kind. */
  isId: boolean
  /**
   * What is made new is told by the address or the number that it is to have; a code, such as of a coupon, by its form. An
   * amount that takes sums is searched for: it may be about, over or under what was written. A reference is the number of a paper.
   */
  takes: 'address' | 'number' | 'code' | 'sums' | 'reference' | undefined
  /** It takes a time: one that lies ahead, one that is over, or how often. */
  time: 'ahead' | 'past' | 'every' | undefined
  /** The last positional parameter takes all remaining words. */
  rest: boolean
  /** What a flag means that came without its value. */
  bare: string | undefined
  /** Of a yes or no: left out, it means no. */
  isSwitch: boolean
  /** Other words accepted for a choice. */
  aliases: Record<string, string>
  /** What people read for a choice, where it is a word of a service. */
  words: Record<string, string>
  /** Other flags that mean the same. */
  also: readonly string[]
}

export type ParamKind = ThingKind | 'command' | 'endpoint'

export const isThingKind = (kind: ParamKind): kind is ThingKind => kind !== 'command' && kind !== 'endpoint'

/** What came by flag, by name. */
export const byParamName = <V>(
  { params }: { params: readonly Param[] },
  values: Readonly<Record<string, V>>,
): Record<string, V> => {
  const nameOf = (key: string) => params.find(({ flag, name }) => flag === key || name === key)?.name ?? key
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [nameOf(key), value]))
}

/** The things that stand in the other parameters, by which fewer could be meant. */
export const siblingThings = (
  { params }: { params: readonly Param[] },
  given: Readonly<Record<string, unknown>>,
  param: Param,
): ThingReference[] =>
  params.flatMap((other) => {
    const value = given[other.name] ?? given[other.flag]
    if (other === param || typeof value !== 'string') return []
    return other.kinds.filter(isThingKind).map((kind) => ({ kind, id: value }))
  })

/** A choice as people read it. */
export const choiceWords = ({ words }: Pick<Param, 'words'>, choice: string): string =>
  words[choice] ?? choice.replaceAll('_', ' ')

/** What a half-typed value could become; `label` is for reading, `value` is what counts. */
export type Suggested = { label: string; value: string }

export type InputSchema = z.ZodObject<z.ZodRawShape>

/** Positional parameters first, in order; then the flags, in the order of the schema. */
export const paramsOf = (input: InputSchema, positional: readonly string[] = []): Param[] => {
  const { properties, required } = described.parse(
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
  )
  for (const name of positional) {
    if (!(name in properties)) throw new Error(`positional "${name}" is not in the input`)
  }
  const flags = Object.keys(properties).filter((name) => !positional.includes(name))
  return [...positional, ...flags].map((name) =>
    toParam(name, properties[name] as Described, required.includes(name), positional.includes(name)),
  )
}

const describedParam = z.object({
  description: z.string().optional(),
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.string()).default([]),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  items: z.object({ format: z.string().optional(), enum: z.array(z.string()).default([]) }).optional(),
  json: z.boolean().optional(),
  amount: z.boolean().optional(),
  file: z.boolean().optional(),
  rest: z.boolean().default(false),
  isId: z.boolean().default(false),
  kind: z
    .custom<ParamKind | ParamKind[]>()
    .transform((kind) => [kind].flat())
    .optional(),
  by: z.enum(['id', 'name', 'number']).default('id'),
  takes: z.enum(['address', 'number', 'code', 'sums', 'reference']).optional(),
  time: z.enum(['ahead', 'past', 'every']).optional(),
  bare: z.string().optional(),
  isSwitch: z.boolean().default(false),
  aliases: z.record(z.string(), z.string()).default({}),
  words: z.record(z.string(), z.string()).default({}),
  also: z.array(z.string()).default([]),
})
type Described = z.infer<typeof describedParam>
const described = z.object({
  properties: z.record(z.string(), describedParam),
  required: z.array(z.string()).default([]),
})

const toParam = (name: string, from: Described, required: boolean, positional: boolean): Param => {
  if (!from.description) throw new Error(`parameter "${name}" has no description`)
  const format = from.format ?? from.items?.format
  return {
    name,
    flag: flagOf(name),
    description: from.description,
    type: typeOf(name, from),
    required,
    positional,
    choices: from.enum.length > 0 ? from.enum : (from.items?.enum ?? []),
    min: bound(from.minimum ?? from.exclusiveMinimum),
    max: bound(from.maximum),
    maxLength: from.maxLength,
    format: format === 'email' || format === 'uri' ? format : undefined,
    rest: from.rest,
    kinds: from.kind ?? [],
    isId: from.isId,
    by: from.by,
    takes: from.takes,
    time: from.time,
    bare: from.bare,
    isSwitch: from.isSwitch,
    aliases: from.aliases,
    words: from.words,
    also: from.also,
  }
}

const typeOf = (name: string, from: Described): Param['type'] => {
  if (from.json) return 'json'
  if (from.file) return 'file'
  if (from.amount) return 'amount'
  if (from.enum.length > 0) return 'choice'
  if (from.type === 'array') return 'list'
  if (from.type === 'integer' || from.type === 'number' || from.type === 'boolean') return from.type
  if (from.type === 'string') return from.format === 'date' ? 'date' : 'text'
  throw new Error(`parameter "${name}" has a type that no platform can ask for: ${from.type}`)
}

/** Every integer has the safe-integer bounds, so they are not worth showing. */
const bound = (value: number | undefined): number | undefined =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value

/** What every change takes besides its own: it is the pipeline's, and no part of a command's input. */
const beside: Omit<Param, 'name' | 'flag' | 'description'> = {
  type: 'text',
  required: false,
  positional: false,
  choices: [],
  min: undefined,
  max: undefined,
  maxLength: 60,
  format: undefined,
  kinds: [],
  isId: false,
  by: 'id',
  takes: undefined,
  time: 'ahead',
  rest: false,
  bare: undefined,
  isSwitch: false,
  aliases: {},
  words: {},
  also: [],
}

export const atParam: Param = {
  ...beside,
  name: 'at',
  flag: 'at',
  description: 'Carry it out later: "tomorrow 9:00", 2026-11-20T09:00 or "in 2h", in your time zone',
}

export const alsoParam: Param = {
  ...beside,
  name: 'also',
  flag: 'also',
  kinds: ['colleague'],
  time: undefined,
  description: 'Ask one more person to approve it: an id, a name or a mention of somebody who may',
}

/** Only typed: no form offers to do without the others. */
export const emergencyParam: Param = {
  ...beside,
  name: 'emergency',
  flag: 'emergency',
  maxLength: 300,
  time: undefined,
  description: 'Do it alone, signed with your passkey, and say why: where the policy has an emergency',
}

export const besideParams: readonly Param[] = [atParam, alsoParam]
