import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What fails because it took long says something of the machine, and nothing of the bot. */
test('no test has a time of its own: how long one may take stands in vitest.config.ts', () => {
  const timed = globSync('{test,examples}/**/*.test.ts').flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /testTimeout|^\s*(it|test)\b.*\btimeout:|^\s*timeout: \d|^\s*\}, \d+_000\)|poll\(.*\btimeout:/.test(
          line,
        )
          ? [`${file}:${at + 1}`]
          : [],
      ),
  )
  expect(timed.filter((place) => !place.startsWith('test/tools/gate/patience'))).toEqual([])
})
