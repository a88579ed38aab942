import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { namePlanted } from './notes.ts'

/** A test file with the number of a fault, 0 for none. */
export type Try = [test: string, fault: number]

/**
 * Started by `run.ts` in a copy of the project: `npm`-less and in one process, runs test files that it is told of, each under
 * a name that says which fault is on. What came of them stands in the notes.
 */
const { tries, bail } = JSON.parse(readFileSync(process.argv[2] as string, 'utf8')) as {
  tries: Try[]
  bail: boolean
}
// A healthy try comes before the others and once more behind them.
const files = tries.map(([test, fault], at) => ({
  test,
  name: namePlanted(test, fault, fault === 0 ? `n${at}` : ''),
}))
for (const { test, name } of files) copyFileSync(test, name)
try {
  const vitest = await createVitest('test', {
    root: process.cwd(),
    config: 'test/mutants/vitest.config.ts',
    reporters: [{}],
    update: false,
    ...(bail ? { bail: 1 } : {}),
  })
  const project = vitest.getRootProject()
  await vitest.runTestSpecifications(
    files.map(({ name }) => project.createSpecification(join(process.cwd(), name))),
  )
  await vitest.close()
} finally {
  for (const { name } of files) rmSync(name, { force: true })
}
process.exit(0)
