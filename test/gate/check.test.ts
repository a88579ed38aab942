import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

const value = 'export const thing = 1\n'

test('a sound project passes every check', () => {
  expect(project.check()).toEqual({
    code: 0,
    out: `${['style', 'types', 'imports', 'dead-code', 'names', 'lock', 'platforms', 'patterns']
      .map((name) => `ok      ${name}\n`)
      .join('')}checks: 8 passed, 0 failed\n`,
  })
})

test('a check that does not exist is refused by name', () => {
  const { code, out } = project.check('speling')
  expect(code).toBe(1)
  expect(out).toContain('FAILED  speling')
})

describe('style', () => {
  test.each([
    ['a badly formatted file', 'src/odd.ts', 'export const odd  =  "x";\n', 'format'],
    ['any', 'src/odd.ts', 'export const odd = (x: any) => x\n', 'noExplicitAny'],
    ['a default export', 'src/odd.ts', 'export default 1\n', 'noDefaultExport'],
    ['an enum', 'src/odd.ts', 'export enum Odd {\n  A = 1,\n}\n', 'noEnum'],
    ['a file name in camel case', 'src/oddName.ts', value, 'useFilenamingConvention'],
    ['printing from the core', 'src/odd.ts', "export const odd = () => console.log('x')\n", 'noConsole'],
    ['an unused variable', 'src/odd.ts', 'const odd = 1\nexport const even = 2\n', 'noUnusedVariables'],
  ])('refuses %s', (_, path, text, rule) => {
    project.write(path, text)
    const { code, out } = project.check('style')
    expect(code).toBe(1)
    expect(out).toContain(path)
    expect(out).toContain(rule)
  })
})

describe('types', () => {
  test.each([
    ['a type error', "export const odd: number = 'x'\n", 'TS2322'],
    ['an index that may be missing', 'export const odd = (x: number[]): number => x[0]\n', 'TS2322'],
    [
      'syntax that needs a build step',
      'export class Odd {\n  constructor(readonly x: number) {}\n}\n',
      'TS1294',
    ],
  ])('refuses %s', (_, text, error) => {
    project.write('src/odd.ts', text)
    const { code, out } = project.check('types')
    expect(code).toBe(1)
    expect(out).toContain(`src/odd.ts`)
    expect(out).toContain(error)
  })
})

describe('dead code', () => {
  test('refuses a file that nobody imports', () => {
    project.write('src/odd.ts', value)
    expect(project.check('dead-code')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Unused files.*\n.*src\/odd\.ts/),
    })
  })

  test('refuses an export that nobody uses', () => {
    project.write('src/odd.ts', `${value}export const other = 2\n`)
    project.write('bench/app.ts', "import { thing } from '../src/odd.ts'\n\nthing.toFixed()\n")
    const { code, out } = project.check('dead-code')
    expect(code).toBe(1)
    expect(out).toMatch(/Unused exports.*\n.*other/)
    expect(out).not.toContain('thing')
  })

  test('refuses a dependency that nobody imports', () => {
    project.write('src/main.ts', value)
    expect(project.check('dead-code')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Unused dependencies.*\n.*zod/),
    })
  })

  test('refuses an import that package.json does not list', () => {
    project.write('src/main.ts', "import { z } from 'zod'\nimport 'yaml'\n\nz.string()\n")
    expect(project.check('dead-code')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Unlisted dependencies.*\n.*yaml/),
    })
  })
})

describe('derived files', () => {
  test('refuses files that are not what the sources derive', () => {
    project.write(
      'src/cli/derive.ts',
      "console.log('docs/commands.md is stale', process.argv[2])\nprocess.exitCode = 1\n",
    )
    const { code, out } = project.check('derived')
    expect(code).toBe(1)
    expect(out).toContain('docs/commands.md is stale --check')
  })
})
