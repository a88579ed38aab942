import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { copyProject } from './project-copy.ts'

const page = readFileSync('docs/adding-a-command.md', 'utf8')

test('the command of the page compiles, is formatted, and passes the test of the page', {
  timeout: 120_000,
}, () => {
  const files = ['commands/subscriber/reward.ts', 'test/commands/reward.test.ts'] as const
  const project = copyProject()
  for (const file of files) project.write(file, fileIn(file))
  for (const [before, after] of differencesIn()) {
    project.edit('commands/index.ts', (text) => {
      expect([before, text.includes(before)]).toEqual([before, true])
      return text.replace(before, after)
    })
  }
  const tested = project.run('vitest/vitest.mjs', 'run', files[1])
  expect(tested.out).toMatch(/Tests +2 passed/)
  expect(tested.code).toBe(0)
  const compiled = project.run('typescript/bin/tsc', '--noEmit', '-p', '.')
  expect(compiled.out.split('\n').filter((line) => files.some((file) => line.startsWith(file)))).toEqual([])
  expect(project.run('@biomejs/biome/bin/biome', 'check', '--colors=off', ...files)).toMatchObject({
    code: 0,
  })
})

/** The block that follows the name of its file. */
const fileIn = (name: string): string => {
  const [, block] = new RegExp(`\`${name}\`\n\n\`\`\`ts\n([\\s\\S]+?)\`\`\`\n`).exec(page) ?? []
  if (block === undefined) throw new Error(`the page has no block for ${name}`)
  return block
}

/** What the page changes in the list of commands: the lines as they were, and with the ones it adds. */
const differencesIn = (): [string, string][] =>
  [...page.matchAll(/```diff\n([\s\S]+?)```\n/g)].map(([, block = '']) => {
    const lines = block.split('\n')
    const before = lines.filter((line) => !line.startsWith('+'))
    return [before, lines].map((some) => some.map((line) => line.slice(1)).join('\n')) as [string, string]
  })
