import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createVitest } from 'vitest/node'
import { namePlanted, type TryOrder } from './notes.ts'

/**
 * Started by `run.ts` in a copy of the project: runs the test files that it is told of in one process, each under a name that
 * says which try it is. What came of them stands in the notes.
 */
const { run, tries }: TryOrder = JSON.parse(readFileSync(process.env.MUTANTS_ORDER as string, 'utf8'))
const files = tries.map(({ test }, at) => ({ test, name: namePlanted(test, run, at) }))
for (const { test, name } of files) copyFileSync(test, name)
try {
  const vitest = await createVitest('test', {
    root: process.cwd(),
    config: 'tools/mutants/vitest.config.ts',
    reporters: [{}],
    update: false,
  })
  const project = vitest.getRootProject()
  await vitest.runTestSpecifications(
    files.map(({ name }) => project.createSpecification(join(process.cwd(), name))),
  )
  // What a fault keeps from ending is ended with this process.
  await Promise.race([vitest.close(), setTimeout(10_000)])
} finally {
  for (const { name } of files) rmSync(name, { force: true })
}
process.exit(0)
