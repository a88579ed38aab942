import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { messengers } from '../../../adapters/index.ts'
import { policyJsonSchema } from '../../../src/cli/policy/json-schema.ts'
import { ConfigError, readConfig } from '../../../src/cli/start/config.ts'
import { commandsWith } from '../../harness/commands.ts'

type Json = z.core.JSONSchema.BaseSchema

/** Where a file may say `{ env: NAME }`, by the schema that reads it. */
const placesIn = (schema: Json, at: string): string[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
    key === 'env' ? [at] : typeof inner === 'object' ? placesIn(inner as Json, `${at}.${key}`) : [],
  ),
  ...[schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])].flatMap((inner) =>
    typeof inner === 'object' ? placesIn(inner as Json, at) : [],
  ),
]

/** Each place, in a file that is whole but for the name. */
const files: Record<string, (name: string) => string> = {
  '.agents.token': (name) =>
    `agents: [{ id: bot, name: Bot, owner: sam, roles: [all], token: { env: ${name} } }]`,
  '.reader.token': (name) =>
    `reader: { url: "https://models.example.com/", model: small, token: { env: ${name} } }`,
  '.stream.token': (name) => `stream: { https: "https://logs.example.com/", token: { env: ${name} } }`,
  '.webhooks.secret': (name) => `webhooks: [{ url: "https://a.example.com/", secret: { env: ${name} } }]`,
}

const base = 'version: 1\npeople: [{ id: sam, name: Sam, roles: [all] }]\nroles: { all: { run: ["*"] } }\n'
const commands = commandsWith().all
const folder = mkdtempSync(join(tmpdir(), 'bellhop-variables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a start says of the variable, if it may not be named there. */
const saidOf = (place: string, name: string, env: Record<string, string> = {}): string[] => {
  const file = join(folder, 'bellhop.yml')
  writeFileSync(file, `${base}${files[place]?.(name)}\n`)
  try {
    readConfig({ [name]: 'x'.repeat(40), ...env, BELLHOP_CONFIG: file }, commands, messengers)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.filter((problem) => problem.includes(`wrong variable ${name}:`))
  }
}

test('every key of the file that names a variable is in this table', () => {
  expect([...new Set(placesIn(policyJsonSchema(messengers), ''))].toSorted()).toEqual(
    Object.keys(files).toSorted(),
  )
})

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
const ours = [...example.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) =>
  name.replace(/_FILE$/, ''),
)

describe.each(Object.keys(files))('%s names no variable', (place) => {
  test('of the bot, its messengers and services, nor the file or the other letters of one', () => {
    expect(ours.length).toBeGreaterThan(30)
    for (const name of ours) {
      for (const one of [name, `${name}_FILE`, name.toLowerCase()]) {
        expect([one, saidOf(place, one).length]).toEqual([one, 1])
        expect([one, saidOf(place, one, { BELLHOP_VARIABLES: one }).length]).toEqual([one, 1])
      }
    }
  })

  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'PGPASSWORD',
    'GITHUB_TOKEN',
    'PATH',
    'HOME',
    'NODE_OPTIONS',
    'POSTGRES_PASSWORD',
    'https_proxy',
    'SENTRY_DSN',
    'STRIPE_SECRET_KEY',
  ])('that belongs to others, such as %s', (name) => expect(saidOf(place, name)).toHaveLength(1))

  test('that a list leaves out, and takes what it lists and what begins with BELLHOP_', () => {
    const env = { BELLHOP_VARIABLES: 'CI_TOKEN, SIEM' }
    expect(saidOf(place, 'HELPER', env)).toEqual([
      expect.stringMatching(/one that BELLHOP_VARIABLES lists\.$/),
    ])
    for (const name of ['CI_TOKEN', 'SIEM', 'BELLHOP_HELPER']) expect(saidOf(place, name, env)).toEqual([])
    expect(saidOf(place, 'HELPER')).toEqual([])
  })
})

test('a secret is read where the file may name it, and nowhere else', () => {
  const env = { AUDIT: 'mine', BELLHOP_SIEM: 'given', BACKUP_PASSPHRASE: 'hush', PATH: '/bin' }
  const { secretOf } = readConfig(env, commands, messengers)
  expect(['AUDIT', 'BELLHOP_SIEM', 'BACKUP_PASSPHRASE', 'PATH'].map(secretOf)).toEqual([
    'mine',
    'given',
    undefined,
    undefined,
  ])
})
