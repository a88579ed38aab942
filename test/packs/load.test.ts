import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { messengers } from '../../adapters/index.ts'
import { loadCommands } from '../../commands/load.ts'
import { pinPacks } from '../../src/pack/lock.ts'

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
    const registry = await loadCommands(messengers, environment, (words) => void warnings.push(words))
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
