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
    out: `${[
      'style',
      'types',
      'imports',
      'dead-code',
      'without',
      'names',
      'lock',
      'platforms',
      'services',
      'buttons',
      'clocks',
      'patterns',
    ]
      .map((name) => `ok      ${name}\n`)
      .join('')}checks: 12 passed, 0 failed\n`,
  })
})

test('a check that does not exist is refused by name', () => {
  const { code, out } = project.check('speling')
  expect(code).toBe(1)
  expect(out).toContain('FAILED  speling')
})

test('style refuses each of its faults, in one run', () => {
  const faults = [
    ['src/spaced.ts', 'export const odd  =  "x";\n', 'format'],
    ['src/any.ts', 'export const odd = (x: any) => x\n', 'noExplicitAny'],
    ['src/default.ts', 'export default 1\n', 'noDefaultExport'],
    ['src/enum.ts', 'export enum Odd {\n  A = 1,\n}\n', 'noEnum'],
    ['src/oddName.ts', value, 'useFilenamingConvention'],
    ['src/prints.ts', "export const odd = () => console.log('x')\n", 'noConsole'],
    ['src/unused.ts', 'const odd = 1\nexport const even = 2\n', 'noUnusedVariables'],
  ] as const
  for (const [path, text] of faults) project.write(path, text)
  const { code, out } = project.check('style')
  expect(code).toBe(1)
  for (const [path, , rule] of faults) expect(out).toMatch(new RegExp(`${path}(:\\d+:\\d+)? \\S*${rule}`))
  expect(out).not.toContain('src/main.ts')
})

test('types refuses each of its faults, in one run', () => {
  const faults = [
    ['src/type.ts', "export const odd: number = 'x'\n", 'TS2322'],
    ['src/index-of.ts', 'export const odd = (x: number[]): number => x[0]\n', 'TS2322'],
    ['src/syntax.ts', 'export class Odd {\n  constructor(readonly x: number) {}\n}\n', 'TS1294'],
  ] as const
  for (const [path, text] of faults) project.write(path, text)
  const { code, out } = project.check('types')
  expect(code).toBe(1)
  for (const [path, , error] of faults) expect(out).toMatch(new RegExp(`${path}.*${error}`))
  expect(out).not.toContain('src/main.ts')
})

test('dead code refuses files, exports and dependencies that nobody uses, and imports that nobody lists', () => {
  project.write('src/alone.ts', value)
  project.write('src/odd.ts', `${value}export const other = 2\n`)
  project.write(
    'bench/app.ts',
    "import '../src/main.ts'\nimport { thing } from '../src/odd.ts'\n\nthing.toFixed()\n",
  )
  project.write('src/main.ts', "import 'yaml'\n")
  const { code, out } = project.check('dead-code')
  expect(code).toBe(1)
  expect(out).toMatch(/Unused files \(1\)\s+src\/alone\.ts/)
  expect(out).toMatch(/Unused exports \(1\)\s+other /)
  expect(out).toMatch(/Unused dependencies \(1\)\s+zod /)
  expect(out).toMatch(/Unlisted dependencies \(1\)\s+yaml /)
})

describe('derived files', () => {
  test('refuses files that are not what the sources derive', () => {
    project.write(
      'tools/derive.ts',
      "console.log('docs/commands.md is stale', process.argv[2])\nprocess.exitCode = 1\n",
    )
    const { code, out } = project.check('derived')
    expect(code).toBe(1)
    expect(out).toContain('docs/commands.md is stale --check')
  })
})
