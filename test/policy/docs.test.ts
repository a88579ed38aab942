import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { policyJsonSchema } from '../../src/cli/policy/json-schema.ts'
import { formatProblems } from '../../src/kernel/policy/file/load.ts'
import {
  agentSchema,
  budgetSchema,
  bulkSchema,
  fileSchema,
  guessesSchema,
  personSchema,
  roleSchema,
  ruleSchema,
  sealSchema,
  testSchema,
} from '../../src/kernel/policy/file/schema.ts'
import { allPolicySections } from '../../src/kernel/policy/file/sections.ts'
import { platforms } from '../harness/platforms.ts'
import { load } from './example.ts'

const doc = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8')
const examples = [...doc.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml as string)

/** The keys in the first table of a section. */
const keysUnder = (section: string): string[] => {
  const text = doc.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  const table = /\| key \|.*?\n\n/s.exec(text)?.[0] ?? ''
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, key]) => key as string)
}

describe('docs/policy.md', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4)
  })

  it.each(examples.map((yaml, at) => [at + 1, yaml] as const))(
    'loads in example %i without a warning',
    (_, yaml) => {
      const loaded = load(yaml)
      expect(loaded.ok ? loaded.warnings() : formatProblems('example', loaded.problems)).toEqual([])
    },
  )

  it('has a section for each section of the file, in order', () => {
    const sections = [...doc.matchAll(/^## ([a-z]+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(Object.keys(fileSchema(platforms).shape))
  })

  it.each<[string, z.ZodObject]>([
    ['people', personSchema(platforms)],
    ['agents', agentSchema],
    ['roles', roleSchema],
    ['policies', ruleSchema],
    ['budgets', budgetSchema],
    ['bulk', bulkSchema],
    ['guesses', guessesSchema()],
    ['seal', sealSchema],
    ['tests', testSchema],
  ])('says every key of %s and no other', (section, schema) => {
    expect(keysUnder(section)).toEqual(Object.keys(schema.shape))
  })

  it.each(allPolicySections())('says every key of $key, which a feature reads, and no other', ({ key }) => {
    const section = policyJsonSchema(platforms).properties?.[key] as { items?: object }
    const { properties = {} } = (section.items ?? section) as { properties?: object }
    expect(keysUnder(key)).toEqual(Object.keys(properties))
  })
})
