import { expect, test } from 'vitest'
import { createProject } from './planted-project.ts'

test('a regular expression whose time can grow faster than its text is refused, wherever it stands', () => {
  const project = createProject()
  project.write('src/cli/gate/linear-patterns.json', '[]\n')
  project.write(
    'src/model/line.ts',
    'export const isLine = (text: string): boolean => /^(a+)+$/.test(text)\n',
  )
  project.write('commands/trim.ts', "export const trimmed = (text: string) => text.replace(/\\s+$/, '')\n")
  project.write('adapters/console/page/app.js', "export const twice = new RegExp('(x+x+)+y', 'u')\n")
  project.write('verify.mjs', 'export const two = [/^a*a*$/, /^a*b*$/, /[(a+)+]{2}/]\n')
  const { code, out } = project.check('patterns')
  project.remove()
  expect(code).toBe(1)
  expect(out.match(/\S+:\d+ .* takes \w+ time/g)).toEqual([
    'adapters/console/page/app.js:1 /(x+x+)+y/u takes exponential time',
    'commands/trim.ts:1 /\\s+$/ takes polynomial time',
    'src/model/line.ts:1 /^(a+)+$/ takes exponential time',
    'verify.mjs:1 /^a*a*$/ takes polynomial time',
  ])
})
