import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

const browser = { CHROMIUM_PATH: process.execPath }
const noBrowser = { CHROMIUM_PATH: '/nowhere/chromium' }

test('passed tests are counted, and find the browser in CHROMIUM_PATH', () => {
  plant(
    `test('one', () => {})\ntest('two', () => expect(process.env.CHROMIUM_PATH).toBe('${browser.CHROMIUM_PATH}'))\n`,
  )
  expect(run(browser)).toEqual({ code: 0, last: ['tests: 2 passed, 0 failed'] })
})

test('failed tests and files that cannot be loaded are counted, and fail the run', () => {
  plant("test('one', () => {})\ntest('two', () => {\n  throw new Error('no')\n})\n")
  project.write('test/broken.test.ts', "throw new Error('broken')\n")
  expect(run(browser)).toEqual({ code: 1, last: ['tests: 1 passed, 2 failed'] })
})

test('what was skipped and a missing browser are told with what to do, and in CI each is a failure', () => {
  plant("test('one', () => {})\ntest.skip('two', () => {})\n")
  const told = [
    'NOT TESTED  test/planted.test.ts: 1 skipped',
    expect.stringMatching(
      /^NOT TESTED {2}no Chromium was found.* apt-get install -y chromium-headless-shell /,
    ),
  ]
  expect(run(noBrowser)).toEqual({ code: 0, last: [...told, 'tests: 1 passed, 0 failed'] })
  expect(run({ ...noBrowser, CI: 'true' })).toEqual({ code: 1, last: [...told, 'tests: 1 passed, 2 failed'] })
})

test('a run without tests fails', () => {
  expect(run(browser)).toEqual({ code: 1, last: ['tests: 0 passed, 1 failed'] })
})

function plant(text: string): void {
  project.write('test/planted.test.ts', `import { expect, test } from 'vitest'\n\n${text}`)
}

/** The exit code, and the lines that are the runner's own. */
function run(env: Record<string, string>) {
  const { CI: _, ...inherited } = process.env
  const { code, out } = project.run(['src/cli/run.js', 'test/run.ts'], { ...inherited, ...env })
  return { code, last: out.split('\n').filter((line) => /^(NOT TESTED|tests:)/.test(line)) }
}
