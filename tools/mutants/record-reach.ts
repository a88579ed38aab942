import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'

/**
 * A setup file of vitest: writes down which code a test file reached, its own process and those that it started. It needs the
 * sources to run as they are (`viteModuleRunner: false`), so that offsets are those of the file.
 */
const folder = process.env.REACH_FOLDER as string
const root = pathToFileURL(`${process.cwd()}/`).href
const shared = globalThis as { reachSession?: Session }
if (!shared.reachSession) {
  shared.reachSession = new Session()
  shared.reachSession.connect()
  await shared.reachSession.post('Profiler.enable')
  await shared.reachSession.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}
const session = shared.reachSession
const began = Date.now()

beforeAll(() => {
  process.env.NODE_V8_COVERAGE = folderOf()
})

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const scripts = result.filter(({ url }) => url.startsWith(root))
  mkdirSync(folderOf(), { recursive: true })
  const record = { ms: Date.now() - began, result: scripts }
  writeFileSync(join(folderOf(), 'own.json'), JSON.stringify(record))
  delete process.env.NODE_V8_COVERAGE
})

const folderOf = (): string => {
  const file = expect.getState().testPath as string
  return join(folder, encodeURIComponent(file.slice(process.cwd().length + 1)))
}
