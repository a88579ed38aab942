import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, type Project } from '../tools/gate/planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
  project.write(
    'src/cli/hello.ts',
    "const words: string[] = process.argv.slice(2)\nconsole.log('hello', ...words)\n",
  )
})
afterEach(() => project.remove())

test('an entry starts with its own arguments', () => {
  expect(start('src/cli/hello.ts', 'big', '--world')).toEqual({ code: 0, out: 'hello big --world\n' })
})

test('an entry that does not exist is refused by name', () => {
  expectRefusal(start('src/cli/nothing.ts'), 'there is no src/cli/nothing.ts to run.')
})

test('an old Node is told what it takes', () => {
  expectRefusal(startOn('20.19.4'), /this is Node 20\.19\.4 and Bellhop needs 22\.18 or newer/)
  expectRefusal(startOn('22.17.1'), /this is Node 22\.17\.1/)
  expect(startOn('22.18.0')).toEqual({ code: 0, out: 'hello\n' })
})

test('an old Node without one of our own is told to find a newer one', () => {
  bringOwnNodeModules()
  expectRefusal(startOn('20.19.4'), /install a newer one/)
})

test('an old Node that npm started hands over to the one that was installed', () => {
  bringOwnNodeModules()
  const folder = join(project.root, `node_modules/node-${process.platform}-${process.arch}/bin`)
  mkdirSync(folder, { recursive: true })
  symlinkSync(process.execPath, join(folder, 'node'))
  project.write('src/cli/hello.ts', "console.log('hello', process.argv.length)\nprocess.exitCode = 3\n")
  expect(startOn('20.19.4', { npm_lifecycle_event: 'start' })).toEqual({ code: 3, out: 'hello 2\n' })
  expectRefusal(startOn('20.19.4'), /start it with npm start/)
})

test('a missing install is told to install', () => {
  rmSync(join(project.root, 'node_modules'))
  expectRefusal(start('src/cli/hello.ts'), 'the packages are not installed: run npm ci.')
})

test('a lock file that does not follow package.json is told to be written again', () => {
  project.edit('package.json', (json) => {
    json.dependencies.zod = '4.0.0'
  })
  expectRefusal(start('src/cli/hello.ts'), /disagree about zod: run npm install and commit the lock file\.$/)
})

test('an install that is older than the lock file is told to install again', () => {
  project.edit('package-lock.json', ({ packages }) => {
    packages['node_modules/zod'].version = '99.0.0'
  })
  expectRefusal(
    start('src/cli/hello.ts'),
    'node_modules/zod is not installed as package-lock.json says: run npm ci.',
  )
})

test('an install without a new package is told to install again', () => {
  project.edit('package-lock.json', ({ packages }) => {
    packages['node_modules/brand-new'] = { version: '1.0.0', dev: true }
  })
  expectRefusal(start('src/cli/hello.ts'), /^bellhop: node_modules\/brand-new is not installed/)
})

test('an install without development packages is whole', () => {
  bringOwnNodeModules()
  project.edit('node_modules/.package-lock.json', (json) => {
    json.packages = Object.fromEntries(
      Object.entries(json.packages).filter(([, locked]) => !(locked as { dev?: boolean }).dev),
    )
  })
  expect(start('src/cli/hello.ts')).toEqual({ code: 0, out: 'hello\n' })
})

test('a start loads less of packages than they have, and all of it that is used', () => {
  project.write(
    'src/cli/hello.ts',
    `import { createRequire } from 'node:module'
import { z } from 'zod'
const { issues } = z.string().safeParse(1).error ?? { issues: [] }
console.log(JSON.stringify([Object.keys(z.locales), issues[0]?.message, Object.keys(createRequire(import.meta.url)('@slack/web-api'))]))
`,
  )
  const { code, out } = project.run(['--preserve-symlinks', 'src/cli/run.js', 'src/cli/hello.ts'])
  const words = 'Invalid input: expected string, received number'
  expect([code, JSON.parse(out)]).toEqual([
    0,
    [['default'], words, Object.keys(createRequire(import.meta.url)('@slack/web-api'))],
  ])
})

function start(...args: string[]) {
  return project.run(['src/cli/run.js', ...args])
}

function startOn(version: string, env: NodeJS.ProcessEnv = {}) {
  const { npm_lifecycle_event: _, ...bare } = process.env
  const url = pathToFileURL(join(project.root, 'src/cli/run.js')).href
  const code = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    process.argv = [process.argv[0], 'run.js', 'src/cli/hello.ts']
    await import('${url}')`
  return project.run(['--input-type=module', '--eval', code], { ...bare, ...env })
}

/** Only npm's list of what it installed, in place of the linked folder. */
function bringOwnNodeModules(): void {
  rmSync(join(project.root, 'node_modules'))
  mkdirSync(join(project.root, 'node_modules'))
  cpSync('node_modules/.package-lock.json', join(project.root, 'node_modules/.package-lock.json'))
}

function expectRefusal({ code, out }: { code: number | null; out: string }, sentence: string | RegExp): void {
  expect(code).toBe(1)
  expect(out.trim().split('\n')).toHaveLength(1)
  expect(out.trim()).toMatch(sentence)
}
