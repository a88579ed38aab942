import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProject, type Project } from './planted-project.ts'

let project: Project
beforeAll(() => {
  project = createProject()
  project.write('adapters/slack/thing.ts', 'export const thing = 1\n')
  project.write('adapters/console/thing.ts', 'export const thing = 1\n')
})
afterAll(() => project.remove())

describe('a messenger named in src/', () => {
  test('is found in code, in a comment and in a file name', () => {
    project.write('src/kernel/policy/people.ts', "export const key = 'slack'\n")
    project.write('src/lib/view/view.ts', '\n/** As Slack does. */\n')
    project.write('src/cli/doctor/slack.ts', 'export const one = 1\n')
    const { out } = project.check('platforms')
    expect(out).toContain('src/kernel/policy/people.ts:1 names slack')
    expect(out).toContain('src/lib/view/view.ts:2 names Slack')
    expect(out).toContain('src/cli/doctor/slack.ts:0 names slack')
  })

  test('is no fault where the adapters are joined, and the console is no fault anywhere', () => {
    const alone = createProject()
    alone.write('adapters/slack/thing.ts', 'export const thing = 1\n')
    alone.write('adapters/console/thing.ts', 'export const thing = 1\n')
    alone.write('src/cli/register.ts', "export const name = 'slack'\n")
    alone.write('src/main.ts', '// slack\n')
    alone.write('src/cli/start/banner.ts', "export const name = 'console'\n")
    const { code, out } = alone.check('platforms')
    alone.remove()
    expect(out).toContain('ok      platforms')
    expect(code).toBe(0)
  })
})
