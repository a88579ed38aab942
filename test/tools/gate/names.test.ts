import { expect, test } from 'vitest'
import { createProject } from './planted-project.ts'

test('a name that two files export is refused, whatever it stands for, and a file may use a name twice', () => {
  const project = createProject()
  project.write('src/kernel/model/change.ts', 'export type Change = 1\nexport const change = 1\n')
  project.write('src/kernel/policy/decision.ts', 'export type Decision = 1\nexport const Decision = 1\n')
  project.write('adapters/slack/home.ts', 'export interface Change { id: string }\n')
  project.write('adapters/slack/change.ts', 'export async function change() {}\nconst Decision = 1\n')
  project.write('commands/change.ts', 'export const change = 1\n')
  const { code, out } = project.check('names')
  project.remove()
  expect(code).toBe(1)
  expect(out.match(/\w+ is exported by .*:/g)).toEqual([
    'change is exported by adapters/slack/change.ts and src/kernel/model/change.ts:',
    'Change is exported by adapters/slack/home.ts and src/kernel/model/change.ts:',
  ])
})
