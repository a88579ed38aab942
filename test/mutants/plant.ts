import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createVitest, type TestSpecification } from 'vitest/node'
import type { Fault } from './operators.ts'

export type Order = { fault: Fault; tests: string[] }
export type Verdict = { fault: Fault; by: string | null }

/** Started by `run.ts` in a copy of the project: plants one fault after the other, and says which test noticed it. */
const vitest = await createVitest('test', {
  root: process.cwd(),
  config: 'test/mutants/vitest.config.ts',
  bail: 1,
  reporters: [{}],
})
const specifications = new Map<string, TestSpecification>()
for (const each of await vitest.globTestSpecifications())
  specifications.set(each.moduleId.slice(process.cwd().length + 1), each)
/** What passed without a fault here, and what did not: the latter notices nothing. */
const sound = new Map<string, boolean>()

process.on('message', async (order: Order | 'end') => {
  if (order === 'end') {
    await vitest.close()
    process.exit(0)
  }
  process.send?.({ fault: order.fault, by: await noticedBy(order) } satisfies Verdict)
})
process.send?.('ready')

async function noticedBy({ fault, tests }: Order): Promise<string | null> {
  const text = readFileSync(fault.file, 'utf8')
  const planted = text.slice(0, fault.start) + fault.replacement + text.slice(fault.end)
  try {
    // A few at a time: most faults are noticed by the first tests, and starting costs as much as they do.
    for (const batch of batchesOf(tests)) {
      writeFileSync(fault.file, planted)
      const failed = await failingIn(batch)
      writeFileSync(fault.file, text)
      for (const test of failed) if (await isSound(test)) return test
    }
    writeFileSync(fault.file, planted)
    return passesTypes() ? null : 'the types'
  } finally {
    writeFileSync(fault.file, text)
  }
}

async function isSound(test: string): Promise<boolean> {
  if (!sound.has(test)) sound.set(test, (await failingIn([test])).length === 0)
  return sound.get(test) === true
}

async function failingIn(tests: string[]): Promise<string[]> {
  const chosen = tests.flatMap((test) => specifications.get(test) ?? [])
  if (chosen.length === 0) return []
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(chosen)
  const failed = testModules.filter((each) => each.state() === 'failed')
  const names = failed.map(({ moduleId }) => moduleId.slice(process.cwd().length + 1))
  return names.length === 0 && unhandledErrors.length > 0 ? tests.slice(0, 1) : names
}

function batchesOf(tests: string[]): string[][] {
  const sizes = [4, 12, 40]
  const batches: string[][] = []
  for (let at = 0; at < tests.length; at += sizes[Math.min(batches.length - 1, 2)] as number)
    batches.push(tests.slice(at, at + (sizes[Math.min(batches.length, 2)] as number)))
  return batches
}

function passesTypes(): boolean {
  try {
    execFileSync('node_modules/.bin/tsc', ['--noEmit', '-p', '.'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
