import { readFileSync } from 'node:fs'

type Attribute = { requirement?: string; type?: string; is_array?: boolean; enum?: Record<string, object> }
type Definition = {
  extends?: string
  uid?: number
  caption: string
  attributes: Record<string, Attribute>
  constraints?: { at_least_one?: string[] }
}

const schema = JSON.parse(readFileSync(new URL('./ocsf-1.8.0.json', import.meta.url), 'utf8')) as {
  version: string
  category: { uid: number; caption: string }
  classes: Record<string, Definition>
  objects: Record<string, Definition>
  dictionary: Record<string, Attribute>
  types: Record<string, { type?: string; regex?: string; max_len?: number }>
}

/** What is wrong with an event of the class API Activity, by the published schema. */
export const ocsfFaults = (event: Record<string, unknown>): string[] => {
  const { category, classes } = schema
  const uid = category.uid * 1_000 + (classes.api_activity?.uid ?? 0)
  return [
    ...(event.category_uid === category.uid ? [] : ['category_uid']),
    ...(event.class_uid === uid ? [] : ['class_uid']),
    ...(event.type_uid === uid * 100 + Number(event.activity_id) ? [] : ['type_uid']),
    ...(Object(event.metadata).version === schema.version ? [] : ['metadata.version']),
    ...faultsIn(event, whole(classes, 'api_activity'), ''),
  ]
}

/** With all that it extends; an enum adds to the one before it. */
const whole = (all: Record<string, Definition>, name: string): Definition => {
  const own = all[name]
  if (own === undefined) throw new Error(`the fixture lacks ${name}`)
  if (own.extends === undefined) return own
  const base = whole(all, own.extends)
  const names = [...new Set([...Object.keys(base.attributes), ...Object.keys(own.attributes)])]
  const attributes = names.map((key) => {
    const [before, after] = [base.attributes[key], own.attributes[key]]
    const both = { ...before?.enum, ...after?.enum }
    return [key, { ...before, ...after, ...(Object.keys(both).length > 0 && { enum: both }) }]
  })
  return { ...base, ...own, attributes: Object.fromEntries(attributes) }
}

const faultsIn = (
  value: Record<string, unknown>,
  { attributes, constraints }: Definition,
  at: string,
): string[] => {
  const missing = Object.entries(attributes)
    .filter(([key, { requirement }]) => requirement === 'required' && value[key] === undefined)
    .map(([key]) => `${at}${key} is missing`)
  const least = constraints?.at_least_one ?? []
  const none =
    least.length === 0 || least.some((key) => value[key] !== undefined) ? [] : [`${at}: one of ${least}`]
  const wrong = Object.entries(value).flatMap(([key, one]) => {
    const attribute = attributes[key]
    const listed = schema.dictionary[key]
    if (attribute === undefined || listed === undefined) return [`${at}${key} is not known`]
    const isOwnEnum = key !== 'category_uid' && key !== 'class_uid'
    const values = isOwnEnum ? { ...listed.enum, ...attribute.enum } : {}
    if (Object.keys(values).length > 0 && !(String(one) in values)) return [`${at}${key} is ${String(one)}`]
    return typeFaults(one, attribute.type ?? listed.type ?? '', `${at}${key}`)
  })
  return [...missing, ...none, ...wrong]
}

const typeFaults = (value: unknown, type: string, at: string): string[] => {
  if (type === 'object') return typeof value === 'object' ? [] : [`${at} is no object`]
  if (schema.objects[type] !== undefined)
    return faultsIn(Object(value) as Record<string, unknown>, whole(schema.objects, type), `${at}.`)
  const base = type in schema.types ? baseOf(type) : undefined
  if (base === undefined) return [`${at} is of the type ${type}, which the fixture lacks`]
  if (['integer_t', 'long_t'].includes(base))
    return Number.isSafeInteger(value) ? [] : [`${at} is no integer`]
  return typeof value === 'string' ? [] : [`${at} is no text`]
}

const baseOf = (type: string): string => {
  const above = schema.types[type]?.type
  return above === undefined ? type : baseOf(above)
}
