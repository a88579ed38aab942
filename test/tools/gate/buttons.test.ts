import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeAll(() => {
  project = createProject()
  project.write(
    'src/lib/view/button-labels.ts',
    "export const verbs = {\n  go: { label: 'Do it', does: 'vote' },\n  halt: { label: 'Halt', does: 'job' },\n}\n",
  )
})
afterAll(() => project.remove())

test.each([
  'Nothing happens until you press Do it.',
  'Press Halt to end it.',
  'It waits. Do it asks those who approve.',
  'It runs. Do it or Halt ends it.',
  'It waits for Halt.',
  '“Halt” ends it.',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the planted source
  'After ${n} days, press Halt.',
])('a sentence that writes out the word of a button is found: %s', (words) => {
  project.write('commands/parcel/get.ts', `export const words = \`${words}\`\n`)
  const { code, out } = project.check('buttons')
  expect(code).toBe(1)
  expect(out).toContain('commands/parcel/get.ts:1 says ')
})

test.each([
  "export const next = 'Do it in your messenger.'",
  "export const next = 'Halted by Sam, and not done.'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the planted source
  'export const next = `Press ${verbs.halt.label} to end it.`',
  '// Whoever presses Halt ends it.',
])('other words are not, be they the same: %s', (line) => {
  project.write('commands/parcel/get.ts', `${line}\n`)
  expect(project.check('buttons')).toMatchObject({ code: 0 })
})
