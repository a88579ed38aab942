import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { layers } from '../../src/cli/gate/layers.ts'

const page = readFileSync('docs/architecture.md', 'utf8')

test('the page names every folder of the tree and every file at the top of src, and no other', () => {
  const named = [...page.matchAll(/^\| `([\w/.-]+)` \|/gm)].map(([, path = '']) => path)
  const there = [
    ...foldersIn('.').filter((name) => !['src/', 'adapters/'].includes(name)),
    ...foldersIn('adapters').map((name) => `adapters/${name}`),
    ...foldersIn('src').map((name) => `src/${name}`),
    ...readdirSync('src')
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `src/${name}`),
  ]
  expect(named.toSorted()).toEqual(there.toSorted())
})

test('every file that the page speaks of is there', () => {
  const spoken = [...page.matchAll(/`((?:src|commands|adapters)\/[\w/-]+\.ts)`/g)].map(
    ([, path = '']) => path,
  )
  expect(spoken.length).toBeGreaterThan(5)
  expect(spoken.filter((path) => !existsSync(path))).toEqual([])
})

test('the page draws the order of the folders of src from low to high, as the gate checks it', () => {
  const [, drawn = ''] = page.split('## Directions')[1]?.split('```') ?? []
  expect(drawn.split(/\s+/).filter(Boolean).toReversed()).toEqual(layers)
  const there = readdirSync('src', { withFileTypes: true }).map((entry) =>
    entry.isDirectory() ? `${entry.name}/` : entry.name,
  )
  expect(layers.toSorted()).toEqual(there.toSorted())
})

/** Without what is made here and never committed. */
const foldersIn = (folder: string): string[] => {
  const ignored = readFileSync('.gitignore', 'utf8')
    .split('\n')
    .map((line) => line.replace(/\/$/, ''))
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .filter(({ name }) => !ignored.includes(name))
    .map(({ name }) => `${name}/`)
}
