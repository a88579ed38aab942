import { expect, test } from 'vitest'
import { createProject } from './planted-project.ts'

test('a regular expression whose time can grow faster than its text is refused, wherever it stands', () => {
  const project = createProject()
  project.write(
    'src/kernel/model/line.ts',
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
    'src/kernel/model/line.ts:1 /^(a+)+$/ takes exponential time',
    'verify.mjs:1 /^a*a*$/ takes polynomial time',
  ])
})

test('the list of those that were judged is the one that derive would write', () => {
  const project = createProject()
  project.write('src/kernel/model/line.ts', 'export const two = [/^a*b*$/, /^c*d*$/]\n')
  const list = 'tools/gate/linear-patterns.json'
  for (const [judged, code] of [
    [['/^a*b*$/', '/^c*d*$/'], 0],
    [['/^a*b*$/'], 1],
    [['/^a*b*$/', '/^c*d*$/', '/^e*f*$/'], 1],
  ] as const) {
    project.write(list, `${JSON.stringify(judged, null, 2)}\n`)
    const checked = project.check('patterns')
    expect(checked.code).toBe(code)
    expect(checked.out.includes(`${list} is out of date: run npm run derive`)).toBe(code === 1)
  }
  project.remove()
})
