import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlias } from 'yaml'
import { readSource } from '../../src/kernel/policy/file/source.ts'
import { plainYaml, readYaml, sizeWithReferences } from '../../src/lib/codecs/bounded-yaml.ts'

/** Each names the one before it twice, or nine times: what comes of it is larger than any memory. */
const layers = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const bombs: Record<string, string> = {
  'aliases in lists': `l0: &l0 [x, x]\n${layers(25, (n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}]`)}`,
  'aliases in maps': `l0: &l0 { a: 1 }\n${layers(25, (n) => `l${n + 1}: &l${n + 1} { a: *l${n}, b: *l${n} }`)}`,
  'merges of aliases': `l0: &l0 { a: 1 }\n${layers(20, (n) => `l${n + 1}: &l${n + 1} { <<: [*l${n}, *l${n}] }`)}`,
  'an alias inside of itself': 'a: &a { b: *a }',
  'an alias inside of itself, by another': 'a: &a\n  b: &b [*a]\n  c: *b',
  'open lists': '['.repeat(200_000),
  'closed lists': `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  'open maps': '{a: '.repeat(100_000),
  'lists in lists': `${'- '.repeat(100_000)}x`,
  'keys in keys': layers(2_000, (n) => `${' '.repeat(n)}a:`),
  'questions in questions': `${'? '.repeat(50_000)}x`,
  'a great many aliases': `a: &a x\nb:\n${'  - *a\n'.repeat(50_000)}`,
  'a long text': `a: ${'x'.repeat(2_000_000)}`,
}

test.each(Object.entries(bombs))('a YAML text of %s is refused in words, and soon', (_, text) => {
  const began = process.cpuUsage()
  expect(readYaml(text, { merge: true })).toEqual({
    ok: false,
    problem: expect.stringMatching(/which is the most$|inside of what it names$/),
  })
  const { value, problems, at, writtenAt } = readSource(text)
  expect([value, problems]).toEqual([undefined, [expect.objectContaining({ line: 1, column: 1 })]])
  expect([at(['people', 0, 'name']), writtenAt(['a'])]).toEqual([{ line: 1, column: 1 }, undefined])
  const { user, system } = process.cpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(5_000)
})

test('what comes of aliases is counted to the value, and how deep it is to the level', () => {
  const text = 'a: &a [1, 2, 3]\nb: [*a, *a]\nc: *a\n'
  const wide = (values: number) => readYaml(text, {}, { values })
  // The map, three pairs with a key each, four values under a and under c, nine under b.
  expect([wide(24).ok, wide(23).ok]).toEqual([true, false])
  expect(wide(23)).toMatchObject({
    problem: expect.stringContaining('with its aliases it holds more than 23'),
  })
  const deep = (depth: number) => readYaml('a: &a [[x]]\nb: [*a]\n', {}, { depth })
  expect([deep(5).ok, deep(4).ok]).toEqual([true, false])
  const read = readYaml(text)
  const alias = read.ok ? read.doc.get('c', true) : undefined
  expect(isAlias(alias) && read.ok && read.targetOf(alias)?.toString()).toBe('[1,2,3]')
})

test('what a file has reason to be is read, aliases and merges included', () => {
  const text = `a: &a { x: 1, y: [2, 3] }\nb: { <<: *a, z: *a }\nc:\n${'  - *a\n'.repeat(900)}`
  const read = readYaml(text, { merge: true })
  expect(read.ok && plainYaml(read.doc)).toMatchObject({
    b: { x: 1, y: [2, 3], z: { x: 1, y: [2, 3] } },
    c: { length: 900, 899: { x: 1 } },
  })
})

test('references count as what they lead to, and those that go round do not end it', () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `S${n}`,
      { a: { $ref: `#/schemas/S${n + 1}` }, b: { $ref: `#/schemas/S${n + 1}` } },
    ]),
  )
  expect(sizeWithReferences({ schemas })).toBeGreaterThan(1e15)
  expect(sizeWithReferences({ a: { $ref: '#/a' }, b: [1, { $ref: '#/b' }] })).toBeLessThan(20)
  const long = Array.from({ length: 5_000 }, (_, n) => [`S${n}`, { $ref: `#/S${n + 1}` }])
  expect(sizeWithReferences(Object.fromEntries(long))).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  ['aliases', `openapi: 3.0.0\ninfo: { title: x, version: "1" }\npaths: {}\n${bombs['aliases in maps']}`],
  [
    'references',
    JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'x', version: '1' },
      paths: {
        '/a': {
          get: {
            operationId: 'a',
            responses: {
              200: {
                description: 'x',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [
            `S${n}`,
            n === 39
              ? { type: 'string' }
              : {
                  type: 'object',
                  properties: {
                    a: { $ref: `#/components/schemas/S${n + 1}` },
                    b: { $ref: `#/components/schemas/S${n + 1}` },
                  },
                },
          ]),
        ),
      },
    }),
  ],
])('pack new refuses a document whose %s explode, and goes on to nothing', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-yaml-'))
  writeFileSync(join(folder, 'api.yml'), text)
  const args = ['src/cli/run.js', 'src/cli/pack.ts', 'new', '--openapi', join(folder, 'api.yml')]
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      [...args, '--out', join(folder, 'parcels'), '--operations', 'all'],
      { timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error?.code, said: `${stdout}${stderr}` }),
    )
  })
  expect([code, said]).toEqual([2, expect.stringMatching(/cannot be used: .*values, which is the most\.\n/)])
  rmSync(folder, { recursive: true })
})

test('one place reads YAML', () => {
  const readers = globSync('{src,adapters,commands,packs,tools}/**/*.ts').filter((file) =>
    /import \{[^}]*\b(parse|parseDocument|parseAllDocuments)\b[^}]*\} from 'yaml'|from 'js-yaml'/.test(
      readFileSync(file, 'utf8'),
    ),
  )
  // What init writes is its own text.
  expect(readers.toSorted()).toEqual(['src/cli/init/policy-text.ts', 'src/lib/codecs/bounded-yaml.ts'])
})
