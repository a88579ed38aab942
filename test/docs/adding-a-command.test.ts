import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { differencesIn, fileIn } from './page-blocks.ts'
import { copyProject } from './project-copy.ts'

const page = readFileSync('docs/adding-a-command.md', 'utf8')

test('the command of the page compiles, is formatted, and passes the test of the page', {
  timeout: 240_000,
}, () => {
  const files = ['commands/subscriber/reward.ts', 'test/commands/reward.test.ts'] as const
  const project = copyProject()
  for (const file of files) project.write(file, fileIn(page, file))
  project.apply('commands/index.ts', differencesIn(page))
  const tested = project.run('vitest/vitest.mjs', 'run', files[1])
  expect(tested.out).toMatch(/Tests +2 passed/)
  expect(tested.code).toBe(0)
  const compiled = project.run('typescript/bin/tsc', '--noEmit', '-p', '.')
  expect(compiled.out.split('\n').filter((line) => files.some((file) => line.startsWith(file)))).toEqual([])
  expect(project.run('@biomejs/biome/bin/biome', 'check', '--colors=off', ...files)).toMatchObject({
    code: 0,
  })
})
