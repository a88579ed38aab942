import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeAll(() => {
  project = createProject()
})
afterAll(() => project.remove())

test('a clock of the system, and whatever is measured by wall time, is found; what is stored or shown is not', () => {
  const planted = {
    'src/lib/clock.ts': 'export const ticks = () => performance.now()\n',
    'src/asks.ts': 'export const at = Date.now()\n',
    'src/waits.ts': 'export const isOver = (now: () => number, since: number) => now() - since > 5\n',
    'src/kernel/limits.ts':
      'export const isOpen = (core: { now(): number }, until: number) => until > core.now()\n',
    'adapters/any/paces.ts':
      "import { wallTime } from '../../src/lib/clock.ts'\nexport const left = (end: number) => end - wallTime()\n",
    'packs/any/sandbox/terms.ts': 'export const at = Date.now()\n',
    'src/writes.ts': 'export const row = (now: () => number) => ({ at: now(), dueAt: now() + 5 })\n',
  }
  for (const [file, text] of Object.entries(planted)) project.write(file, text)
  const { code, out } = project.check('clocks')
  expect(code).toBe(1)
  expect(out).toContain('src/asks.ts:1 asks the system for the time')
  expect(out).toContain('src/waits.ts:1 measures with wall time')
  expect(out).toContain('src/kernel/limits.ts:1 measures with wall time')
  expect(out).toContain('adapters/any/paces.ts:2 measures with wall time')
  for (const file of ['src/lib/clock.ts:', 'sandbox', 'src/writes.ts']) expect(out).not.toContain(file)
})
