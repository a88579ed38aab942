import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const [meanings = ''] = readFileSync('docs/words.md', 'utf8').split('Words that are no longer used')
const firstCells = (table: string): string[] =>
  [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell).filter((cell) => !/^-+$/.test(cell))

/** Every word of every name, in small letters: `actorOf` is "actor" and "of". */
const wordsOfNames = new Set(
  globSync('{src,adapters,commands,packs}/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, ' ')
        .matchAll(/[A-Za-z]\w*/g),
    ].flatMap(([name]) => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())),
  ),
)

it('the page explains words that names have, each once', () => {
  const words = firstCells(meanings).slice(1)
  expect(words.length).toBeGreaterThan(30)
  expect(words.filter((word) => !wordsOfNames.has(word))).toEqual([])
  expect(words.toSorted()).toEqual([...new Set(words)].toSorted())
})
