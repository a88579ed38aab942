import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/security.md', 'utf8')

/** `test/x.test.ts`: "a name", "another" */
const quoted = [...page.matchAll(/`(test\/[\w/-]+\.test\.ts)`((?::|,)? ?(?:"[^"]+"(?:, )?)*)/g)].map(
  ([, file = '', names = '']) => ({
    file,
    names: [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? ''),
  }),
)

it('every test that docs/security.md names exists', () => {
  const missing = quoted.flatMap(({ file, names }) => {
    if (!existsSync(file)) return [file]
    const source = readFileSync(file, 'utf8')
    return names.filter((name) => !source.includes(name)).map((name) => `${file}: ${name}`)
  })
  expect(missing).toEqual([])
  expect(quoted.flatMap(({ names }) => names).length).toBeGreaterThan(40)
})
