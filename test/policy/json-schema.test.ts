import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { messengers } from '../../adapters/index.ts'
import { policyJsonSchema } from '../../src/cli/policy/json-schema.ts'
import { keyDescriptions } from '../../src/kernel/policy/file/descriptions.ts'
import { allPolicySections } from '../../src/kernel/policy/file/sections.ts'

type Json = { [key: string]: unknown }
const schemaNow = () => policyJsonSchema(messengers) as Json

/** Every key of the file by its path, with what is said of it. */
const keysIn = (node: Json, path = ''): [string, string][] => [
  ...Object.entries((node.properties ?? {}) as Record<string, Json>).flatMap(
    ([key, own]): [string, string][] => {
      const at = path === '' ? key : `${path}.${key}`
      return [[at, String(own.description ?? '')], ...keysIn(own, at)]
    },
  ),
  ...[node.items, node.additionalProperties, ...((node.anyOf ?? []) as unknown[])].flatMap((inner) =>
    typeof inner === 'object' && inner !== null ? keysIn(inner as Json, path) : [],
  ),
]

test('every key of bellhop.yml has a description, and none is described that there is not', () => {
  const keys = keysIn(schemaNow())
  expect(keys.filter(([, words]) => words === '').map(([at]) => at)).toEqual([])
  const paths = new Set(keys.map(([at]) => at))
  const described: Record<string, string> = Object.assign(
    {},
    keyDescriptions,
    ...allPolicySections().map((one) => one.words),
  )
  expect(Object.keys(described).filter((at) => !paths.has(at))).toEqual([])
  expect(keys.find(([at]) => at === 'policies.hold')?.[1]).toContain('a duration such as 10s')
  // What it is for comes first; the keys of messengers are called by their names.
  const titles = Object.fromEntries(messengers.map(({ name, title }) => [name, `In ${title}.`]))
  for (const [at, words] of keys) {
    const own = described[at] ?? titles[at.split('.').at(-1) ?? ''] ?? ''
    expect(words.replace(/ ?Expected: .*/, ''), at).toBe(own)
  }
  expect(JSON.stringify(schemaNow())).not.toContain('undefined')
})

test('the schema takes the demo policy, and refuses a key that is none', () => {
  const read = z.fromJSONSchema(schemaNow() as never)
  const demo = parse(readFileSync('src/kernel/policy/file/demo.yml', 'utf8')) as Json
  expect(read.safeParse(demo).error).toBeUndefined()
  expect(read.safeParse({ ...demo, polices: [] }).success).toBe(false)
  expect(read.safeParse({ ...demo, version: 2 }).success).toBe(false)
})
