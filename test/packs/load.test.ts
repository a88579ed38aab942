import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { pinPacks } from '../../src/cli/packs/lock.ts'
import { loadCommands } from '../../src/cli/start/load-commands.ts'
import { allFeatures } from '../../src/kernel/feature.ts'
import { fileSchema } from '../../src/kernel/policy/file/schema.ts'

const root = mkdtempSync(join(tmpdir(), 'bellhop-packs-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folder: string
let n = 0
const env = () => ({ BELLHOP_CONFIG: join(folder, 'bellhop.yml') })
const real = () => ({ ...env(), EMAIL_BASE_URL: 'https://email.example.com/api/v2' })

/** A pack of one row and one command that leaves a mark when it runs. */
const packText = ({
  name = 'parcels',
  surface = 1,
  method = 'GET',
  command = 'parcel get',
  variable = 'PARCELS_BASE_URL',
  kind = 'parcel',
} = {}) => `
import { writeFileSync } from 'node:fs'
import { answer, definePack, defineQuery, defineSandbox, z } from 'bellhop/pack'
writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')
export const pack = definePack({
  name: '${name}', title: 'Parcels', surface: ${surface}, auth: 'bearer',
  environment: { baseUrl: '${variable}', keys: { apiKey: 'PARCELS_API_KEY' } },
  rows: { getParcel: { method: '${method}', path: '/parcels/{id}', noun: 'parcel', effect: 'read', shown: true,
    summary: 'Get a parcel', params: z.object({ id: z.string() }), answer: z.looseObject({}) } },
  kinds: { ${kind}: {} },
  commands: [defineQuery({ name: '${command}', summary: 'Show where a parcel is', area: '${name}',
    input: z.object({ id: z.string().describe('Parcel') }), positional: ['id'], examples: ['${command} p1'],
    uses: ['${name}.getParcel'],
    run: async () => answer({ title: 'It is on its way', tone: 'plain', blocks: [] }) })],
  sandbox: async () => defineSandbox({ seed: () => ({}), handlers: { getParcel: () => ({ body: {} }) } }),
})
`

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const hasRun = () => {
  try {
    readFileSync(join(folder, 'ran'))
    return true
  } catch {
    return false
  }
}
/** The commands, or the sentence. */
const load = async (environment: Record<string, string>, warnings: string[] = []) => {
  try {
    const registry = await loadCommands(messengers, environment, {
      warn: (words) => void warnings.push(words),
    })
    return registry.all.map(({ name }) => name)
  } catch (error) {
    return (error as Error).message
  }
}

beforeEach(() => {
  folder = join(root, String(++n))
  mkdirSync(folder)
  write('bellhop.yml', 'version: 1\npacks: [./parcels]\n')
})

describe('a pack from outside', () => {
  test('brings its commands, beside those that are there', async () => {
    write('parcels/index.js', packText())
    pinPacks(env())
    const names = await load(env())
    expect(names).toContain('parcel get')
    expect(names).toContain('refund')
  })

  test('may be a package that is installed beside the file', async () => {
    write('bellhop.yml', 'version: 1\npacks: ["@acme/bellhop-parcels"]\n')
    write(
      'node_modules/@acme/bellhop-parcels/package.json',
      '{ "name": "@acme/bellhop-parcels", "version": "1.0.0", "type": "module", "main": "pack.js" }',
    )
    write('node_modules/@acme/bellhop-parcels/pack.js', packText())
    pinPacks(env())
    expect(await load(real())).toContain('parcel get')
  })

  test.each<[string, Parameters<typeof packText>[0], RegExp]>([
    [
      'is for another major version',
      { surface: 2 },
      /is written for version 2 of bellhop\/pack, and this is version 1\. Take/,
    ],
    [
      'has a name that is taken',
      { name: 'billing' },
      /has the name billing, which is taken\. Give it another/,
    ],
    ['has a name of the bot itself', { name: 'agents' }, /has the name agents, which is taken/],
    ['has a name that is none', { name: 'Parcels!' }, /has a mistake in name/],
    [
      'says read and writes by its method',
      { method: 'POST' },
      /a row getParcel that says read and writes by its method, POST\. Write once/,
    ],
    ['has a command that is taken', { command: 'list get' }, /a command "list get", which is taken/],
    ['has a kind that is taken', { kind: 'customer' }, /a kind of thing customer, which is taken/],
    [
      'reads the key of another',
      { variable: 'BILLING_API_KEY' },
      /reads BILLING_API_KEY, which another pack reads/,
    ],
  ])('that %s is refused', async (_, given, sentence) => {
    write('parcels/index.js', packText(given))
    pinPacks(env())
    expect(await load(env())).toMatch(sentence)
  })

  test('whose files changed since they were pinned is refused before anything of it runs', async () => {
    write('parcels/index.js', packText())
    pinPacks(env())
    write('parcels/more.js', 'export const more = 1\n')
    expect(await load(env())).toMatch(
      /\.\/parcels has changed since it was pinned, so nothing of it was run\./,
    )
    expect(hasRun()).toBe(false)
    pinPacks(env())
    expect(await load(env())).toContain('parcel get')
  })

  describe('has a pin that covers the code that runs', () => {
    const imports = (line: string, more = '') =>
      `${line}\n${packText().replace('writeFileSync(', `${more}\nwriteFileSync(`)}`

    test.each<[string, (change: boolean) => void]>([
      [
        'a file that a link in its folder leads to',
        (isChanged) => {
          write('outside/more.js', `export const more = ${isChanged ? 2 : 1}\n`)
          if (isChanged) return
          write('parcels/index.js', imports("import { more } from './more.js'"))
          symlinkSync(join(folder, 'outside/more.js'), join(folder, 'parcels/more.js'))
        },
      ],
      [
        'a folder that a link in it leads to',
        (isChanged) => {
          write('outside/more.js', `export const more = ${isChanged ? 2 : 1}\n`)
          if (isChanged) return
          write('parcels/index.js', packText())
          symlinkSync(join(folder, 'outside'), join(folder, 'parcels/lib'))
        },
      ],
      [
        'a package that it depends on, in its own node_modules',
        (isChanged) => {
          write(
            'parcels/node_modules/dates/package.json',
            '{ "name": "dates", "version": "1.0.0", "main": "i.js" }',
          )
          write('parcels/node_modules/dates/i.js', `exports.day = ${isChanged ? 2 : 1}\n`)
          write('parcels/package.json', '{ "type": "module", "dependencies": { "dates": "1.0.0" } }')
          write('parcels/index.js', imports("import dates from 'dates'"))
        },
      ],
      [
        'a package behind one that it depends on, beside bellhop.yml',
        (isChanged) => {
          write('node_modules/dates/package.json', '{ "name": "dates", "dependencies": { "zones": "*" } }')
          write('node_modules/dates/index.js', "exports.day = require('zones')\n")
          write('node_modules/zones/package.json', '{ "name": "zones" }')
          write('node_modules/zones/index.js', `module.exports = ${isChanged ? 2 : 1}\n`)
          write('parcels/package.json', '{ "type": "module", "dependencies": { "dates": "1.0.0" } }')
          write('parcels/index.js', imports("import dates from 'dates'"))
        },
      ],
    ])('%s', async (_, put) => {
      put(false)
      pinPacks(env())
      put(true)
      expect(await load(env())).toMatch(/has changed since it was pinned, so nothing of it was run/)
      expect(hasRun()).toBe(false)
      pinPacks(env())
      expect(await load(env())).toContain('parcel get')
    })

    test.each([
      ['beside its folder', "import { more } from '../outside.js'", ''],
      ['later', '', "await import('../outside.js')"],
      [
        'by require',
        "import { createRequire } from 'node:module'",
        "createRequire(import.meta.url)('../outside.cjs')",
      ],
      ['by a link outside', "import { more } from '../link.js'", ''],
      ['by its whole path', '', "await import(new URL('../outside.js', import.meta.url).href)"],
      [
        'of the bot',
        '',
        `await import(${JSON.stringify(new URL('../../src/lib/defined.ts', import.meta.url).href)})`,
      ],
      ['that package.json does not name', "import loose from 'loose'", ''],
      ['written into an address', '', "await import('data:text/javascript,export const x = 1')"],
    ])('and imports nothing %s', async (_, line, more) => {
      const mark = `${JSON.stringify(join(folder, 'other'))}`
      const body = `require('node:fs').writeFileSync(${mark}, '')\n`
      write(
        'outside.js',
        `import { writeFileSync } from 'node:fs'\nwriteFileSync(${mark}, '')\nexport const more = 1\n`,
      )
      write('outside.cjs', body)
      write('node_modules/loose/package.json', '{ "name": "loose" }')
      write('node_modules/loose/index.js', body)
      symlinkSync(join(folder, 'outside.js'), join(folder, 'link.js'))
      write('parcels/index.js', imports(line, more))
      pinPacks(env())
      expect(await load(env())).toMatch(
        /cannot be loaded: .*index\.js imports .*, which its pin does not cover/,
      )
      expect(existsSync(join(folder, 'other'))).toBe(false)
    })

    test.each([[[]], [['--preserve-symlinks']]])(
      'and its links are what they lead to, with %j as well',
      (flags) => {
        write(
          'outside/more.js',
          `import { writeFileSync } from 'node:fs'\nexport const more = writeFileSync\n`,
        )
        write('parcels/index.js', imports("import { more } from './more.js'"))
        symlinkSync(join(folder, 'outside/more.js'), join(folder, 'parcels/more.js'))
        pinPacks(env())
        const program = `
        const { loadCommands } = await import('./src/cli/start/load-commands.ts')
        const { messengers } = await import('./adapters/index.ts')
        const registry = await loadCommands(messengers, { BELLHOP_CONFIG: process.env.BELLHOP_CONFIG })
        console.log(registry.all.some(({ name }) => name === 'parcel get'))`
        const start = () =>
          spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
            encoding: 'utf8',
            env: { ...process.env, ...env() },
          })
        expect(start()).toMatchObject({ stdout: 'true\n', status: 0 })
        write('outside/more.js', `export const more = 2\n`)
        expect(start().stderr).toContain('has changed since it was pinned')
      },
    )

    test('and no name of a file stands for several', () => {
      write('parcels/index.js', packText())
      write('parcels/a\nb.js', '')
      expect(() => pinPacks(env())).toThrow('has a line break in its name')
    })

    test('and begins with no file outside', async () => {
      write('other.js', packText())
      write('parcels/package.json', '{ "main": "../other.js", "type": "module" }')
      pinPacks(env())
      expect(await load(env())).toMatch(
        /begins with .*other\.js, which is not in its folder: no pin covers that/,
      )
      expect(hasRun()).toBe(false)
    })
  })

  test('that nobody pinned runs in the demo with a warning, and elsewhere not at all', async () => {
    write('parcels/index.js', packText())
    expect(await load(real())).toMatch(/\.\/parcels is not pinned\. Only the demo runs it so/)
    expect(hasRun()).toBe(false)
    const warnings: string[] = []
    expect(await load(env(), warnings)).toContain('parcel get')
    expect(warnings).toMatchObject([expect.stringMatching(/\.\/parcels is not pinned/)])
    expect(await load({ ...env(), PARCELS_BASE_URL: 'https://parcels.example.com' })).toMatch(/is not pinned/)
  })

  test.each([
    ['./nowhere', /The pack \.\/nowhere that .*bellhop\.yml names is not there\. Paths are relative/],
    ['"@acme/none"', /The package @acme\/none that .* is not installed\. Install it beside/],
    ['./empty', /has no index\.ts, no index\.js and no main/],
    ['./silent', /exports no pack\. Write: export const pack/],
    ['./broken', /The pack \.\/broken cannot be loaded: it broke/],
  ])('%s is told in a sentence', async (named, sentence) => {
    write('bellhop.yml', `version: 1\npacks: [${named}]\n`)
    write('empty/readme.md', 'nothing\n')
    write('silent/index.js', 'export const other = 1\n')
    write('broken/index.js', 'throw new Error("it broke")\n')
    expect(await load(env())).toMatch(sentence)
  })
})

describe('a feature from outside', () => {
  const featureText = ({
    name = 'tally',
    surface = 1,
    key = 'tally',
    task = 'tally',
    tables = '[]',
  } = {}) => `
import { writeFileSync } from 'node:fs'
import { defineFeature, keys, taskOf, text, z } from 'bellhop/feature'
writeFileSync(${JSON.stringify(join(folder, 'ran'))}, '')
export const feature = defineFeature({
  name: '${name}', surface: ${surface},
  policy: { key: '${key}', schema: () => keys({ to: text }).optional(), words: {} },
  tables: ${tables},
  tasks: { '${task}': taskOf(z.object({}), async () => undefined) },
})
`
  beforeEach(() => write('bellhop.yml', 'version: 1\nfeatures: [./tally]\ntally: { to: me }\n'))

  test('is in use, with its key of the file, and is gone with the file that named it', async () => {
    write('tally/index.js', featureText())
    pinPacks(env())
    expect(await load(env())).toContain('refund')
    expect(allFeatures().at(-1)?.name).toBe('tally')
    expect(Object.keys(fileSchema([]).shape)).toContain('tally')
    write('bellhop.yml', 'version: 1\n')
    await load(env())
    expect(allFeatures().map(({ name }) => name)).not.toContain('tally')
    expect(Object.keys(fileSchema([]).shape)).not.toContain('tally')
  })

  test.each<[string, Parameters<typeof featureText>[0], RegExp]>([
    [
      'is for another major version',
      { surface: 2 },
      /is written for version 2 of bellhop\/feature, and this is version 1\. Take/,
    ],
    [
      'has the name of another',
      { name: 'webhooks' },
      /\.\/tally has the name webhooks, which is taken\. Give it/,
    ],
    ['has a name that is none', { name: 'Tally!' }, /has a mistake in name/],
    ['reads a key of the bot', { key: 'people' }, /has the key people, which is taken/],
    ['reads a key of another', { key: 'webhooks' }, /has the key webhooks, which is taken/],
    ['has a kind of task of the bot', { task: 'expire' }, /has a kind of task expire, which is taken/],
    ['has a kind of task of another', { task: 'webhook' }, /has a kind of task webhook, which is taken/],
    ...(
      [
        ["{ id: 'tally/2', sql: [] }", /has tables called tally\/2\. Call them tally\/1\./],
        ['{ id: 7, sql: [] }', /has a mistake in tables\.0\.id/],
        [
          "{ id: 'tally/1', sql: ['DROP TABLE changes'] }",
          /has a statement in tally\/1 that is no CREATE TABLE, CREATE INDEX or ALTER TABLE \.\.\. ADD COLUMN\./,
        ],
        [
          "{ id: 'tally/1', sql: ['CREATE TABLE tally (a TEXT); DROP TABLE changes'] }",
          /has a statement in tally\/1 that is no CREATE TABLE/,
        ],
        [
          "{ id: 'tally/1', sql: ['CREATE TABLE tally AS SELECT * FROM changes'] }",
          /has a statement in tally\/1 that is no CREATE TABLE/,
        ],
        [
          "{ id: 'tally/1', sql: ['CREATE TABLE sums (a TEXT)'] }",
          /names sums in tally\/1\. Let that name begin with tally_\./,
        ],
        [
          "{ id: 'tally/1', sql: ['ALTER TABLE changes ADD COLUMN tally TEXT'] }",
          /names changes in tally\/1\. Let/,
        ],
        [
          "{ id: 'tally/1', sql: ['CREATE INDEX tally_by ON changes (state)'] }",
          /names changes in tally\/1\. Let/,
        ],
      ] as const
    ).map(([tables, sentence]): [string, object, RegExp] => [
      `brings ${tables}`,
      { tables: `[${tables}]` },
      sentence,
    ]),
    [
      'makes a table that is there',
      {
        name: 'webhook',
        key: 'tally',
        tables: "[{ id: 'webhook/1', sql: ['CREATE TABLE webhook_events (a TEXT)'] }]",
      },
      /makes webhook_events in webhook\/1, which is taken\. Give it another name\./,
    ],
  ])('that %s is refused', async (_, given, sentence) => {
    write('tally/index.js', featureText(given))
    pinPacks(env())
    expect(await load(env())).toMatch(sentence)
  })

  test('is pinned and sealed as packs are: nothing runs of what nobody looked at', async () => {
    write('tally/index.js', featureText())
    const warnings: string[] = []
    expect(await load(env(), warnings)).toContain('refund')
    expect(warnings).toEqual([expect.stringContaining('The feature ./tally is not pinned. Only the demo')])
    rmSync(join(folder, 'ran'))
    expect(await load(real())).toMatch(/The feature \.\/tally is not pinned/)
    pinPacks(env())
    write('tally/more.js', 'export const more = 1\n')
    expect(await load(env())).toMatch(/The feature \.\/tally has changed since it was pinned/)
    write('bellhop.yml', 'version: 1\nfeatures: [./gone]\n')
    expect(await load(env())).toMatch(/The feature \.\/gone .* take the feature out of features\./)
    expect(hasRun()).toBe(false)
  })
})
