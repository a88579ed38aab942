import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bellhop-ci-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the last line adds up tests and checks', () => {
  expect(
    ciWith({ test: 'echo "tests: 7 passed, 0 failed"', run: 'echo "checks: 5 passed, 0 failed"' }),
  ).toEqual({
    code: 0,
    last: '12 passed, 0 failed',
  })
})

test('failures of either kind fail the gate', () => {
  expect(
    ciWith({
      test: 'echo "tests: 7 passed, 2 failed"; exit 1',
      run: 'echo "checks: 4 passed, 1 failed"; exit 1',
    }),
  ).toEqual({
    code: 1,
    last: '11 passed, 3 failed',
  })
})

test('a step that dies without its sum counts as a failure', () => {
  expect(ciWith({ test: 'exit 137', run: 'echo "checks: 5 passed, 0 failed"' })).toEqual({
    code: 1,
    last: '5 passed, 1 failed',
  })
})

test('a step that fails after a clean sum counts as a failure', () => {
  expect(
    ciWith({ test: 'echo "tests: 7 passed, 0 failed"; exit 1', run: 'echo "checks: 5 passed, 0 failed"' }),
  ).toEqual({
    code: 1,
    last: '12 passed, 1 failed',
  })
})

test('an install that fails is the one failure', () => {
  expect(ciWith({ ci: 'exit 1' })).toEqual({ code: 1, last: '0 passed, 1 failed' })
})

/** Runs the gate with an npm that answers `npm ci`, `npm test` and `npm run check` as told. */
function ciWith({ ci = 'true', test = 'exit 1', run = 'exit 1' }: Record<string, string>) {
  const npm = join(folder, 'npm')
  writeFileSync(npm, `#!/bin/sh\ncase "$1" in\nci) ${ci} ;;\ntest) ${test} ;;\nrun) ${run} ;;\nesac\n`)
  chmodSync(npm, 0o755)
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { status, stdout } = spawnSync(join(process.cwd(), '.ci/run'), { env, encoding: 'utf8' })
  return { code: status, last: stdout.trim().split('\n').at(-1) }
}
