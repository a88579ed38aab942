import { relative } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect } from 'vitest'
import { processorMs, recordCost } from './costs.ts'
import { dailySeed } from './daily-seed.ts'
import { kept } from './kept.ts'
import { until } from './until.ts'
import { closeRest } from './when-done.ts'

/** By vitest, and by a library of pictures when it is loaded. */
const setByOthers = /^(VITEST|VIPSHOME$)/

fc.configureGlobal({ seed: dailySeed })

/** Files share a process: what one leaves behind, the next one would find. */
const found = leftovers()
const began = { wallMs: performance.now(), processorMs: processorMs() }

// The first to be registered is the last to run.
afterAll(async () => {
  await closeRest()
  recordCost({
    file: relative(process.cwd(), expect.getState().testPath ?? ''),
    wallMs: performance.now() - began.wallMs,
    processorMs: processorMs() - began.processorMs,
  })
  await until(() => expect(leftovers()).toEqual(found))
})

/** What the whole process has, and a test may have changed or left open. */
function leftovers() {
  const open = process.getActiveResourcesInfo()
  const count = (kind: string) => open.filter((each) => each === kind).length
  return {
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !setByOthers.test(name))),
    folder: process.cwd(),
    setTimeout: globalThis.setTimeout,
    listeners: ['uncaughtException', 'unhandledRejection', 'message'].map((name) =>
      process.listenerCount(name),
    ),
    servers: count('TCPServerWrap') + count('PipeServerWrap'),
    children: count('ProcessWrap') - kept.children,
  }
}
