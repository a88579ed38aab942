import { z } from 'zod'
import type { PlatformKeys } from '../../kernel/messenger/definition.ts'
import { keyDescriptions } from '../../kernel/policy/file/descriptions.ts'
import { fileSchema } from '../../kernel/policy/file/schema.ts'
import { allPolicySections } from '../../kernel/policy/file/sections.ts'
import { phraseOf } from '../../kernel/policy/file/values.ts'

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
  const words = Object.assign({}, keyDescriptions, ...allPolicySections().map((one) => one.words))
  describe(schema, '', words, titles)
  return { ...schema, title: 'bellhop.yml', description: 'Who may ask Bellhop for what, and what it needs.' }
}

/** Puts what a key is for in front of what is expected there. */
type Words = Readonly<Record<string, string>>
const describe = (schema: Json, path: string, all: Words, titles: Words): void => {
  for (const [key, own] of Object.entries(schema.properties ?? {})) {
    if (typeof own === 'boolean') continue
    const at = path === '' ? key : `${path}.${key}`
    const words = all[at] ?? (titles[key] === undefined ? undefined : `In ${titles[key]}.`)
    own.description = [words, own.description].filter(Boolean).join(' ')
    describe(own, at, all, titles)
  }
  for (const inner of [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])]) {
    if (typeof inner === 'object') describe(inner as Json, path, all, titles)
  }
}
