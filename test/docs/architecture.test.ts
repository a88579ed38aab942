import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { floors } from '../../tools/gate/floors.ts'

const page = readFileSync('docs/architecture.md', 'utf8')

test('the page names every folder of the tree, every room of the kernel and every file at the top of src, and no other', () => {
  const named = [...page.matchAll(/^\| `([\w/.-]+)` \|/gm)].map(([, path = '']) => path)
  const there = [
    ...foldersIn('.').filter((name) => !['src/', 'adapters/'].includes(name)),
    ...foldersIn('adapters').map((name) => `adapters/${name}`),
    ...['src', 'src/kernel', 'src/lib'].flatMap((folder) =>
      foldersIn(folder).map((name) => `${folder}/${name}`),
    ),
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

test('the page draws the floors from high to low, as the gate checks them', () => {
  const [, drawn = ''] = page.split('## Directions')[1]?.split('```') ?? []
  expect(drawn.split('\n').filter(Boolean).toReversed()).toEqual(floors.map(({ name }) => name))
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
