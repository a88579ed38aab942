import { z } from 'zod'
import type { PlatformKeys } from '../../messenger/definition.ts'
import { keyDescriptions } from './descriptions.ts'
import { fileSchema, phraseOf } from './schema.ts'

type Json = z.core.JSONSchema.BaseSchema

/** bellhop.yml as JSON Schema, for editors: made of the schema that reads the file. */
export const policyJsonSchema = (platforms: readonly PlatformKeys[]): Json => {
  const schema = z.toJSONSchema(fileSchema(platforms), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'object') jsonSchema.additionalProperties = false
      const phrase = phraseOf(zodSchema)
      if (phrase !== undefined) jsonSchema.description ??= `Expected: ${phrase}.`
    },
  })
  const titles = Object.fromEntries(platforms.map(({ name, title }) => [name, title]))
  describe(schema, '', titles)
  return { ...schema, title: 'bellhop.yml', description: 'Who may ask Bellhop for what, and what it needs.' }
}

/** Puts what a key is for in front of what is expected there. */
const describe = (schema: Json, path: string, titles: Record<string, string>): void => {
  for (const [key, own] of Object.entries(schema.properties ?? {})) {
    if (typeof own === 'boolean') continue
    const at = path === '' ? key : `${path}.${key}`
    const words = keyDescriptions[at] ?? (titles[key] === undefined ? undefined : `In ${titles[key]}.`)
    own.description = [words, own.description].filter(Boolean).join(' ')
    describe(own, at, titles)
  }
  for (const inner of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])]) {
    if (typeof inner === 'object') describe(inner as Json, path, titles)
  }
}
