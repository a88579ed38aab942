import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Core } from '../../kernel/core.ts'
import { openUpToDate } from '../../kernel/store/database/open-up-to-date.ts'
import { createStore } from '../../kernel/store/store.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { wallTime } from '../../lib/clock.ts'
import { createLog } from '../../lib/log.ts'
import { createServices } from '../../lib/services/client/client.ts'
import { plural } from '../../lib/view/button-labels.ts'
import { createApp } from '../start/app.ts'
import { ConfigError, demoPolicyName } from '../start/config.ts'
import { differencesFrom } from './differences.ts'
import type { PolicyDesk } from './explain.ts'
import { type PlacedTest, testsIn } from './tests.ts'

/** Exit code 0 if every test passes, 1 if one fails. The services are not asked, nor is what is on record looked at. */
export const testFile = async (args: readonly string[], tool: PolicyDesk): Promise<number> => {
  const [file, surplus] = args
  if (surplus !== undefined || file?.startsWith('--')) {
    throw new ConfigError([
      `Say at most which policy file to test: ${toolLine('policy', 'test [bellhop.yml]')}`,
    ])
  }
  const loaded = tool.policy(file)
  const { from, text } = loaded.source
  const tests = [
    ...placed(testsIn(text, { file: from, isPolicy: true })),
    ...filesBeside(from).flatMap((path) =>
      placed(testsIn(readFileSync(path, 'utf8'), { file: path, isPolicy: false })),
    ),
  ]
  for (const warning of loaded.warnings()) console.log(`note  ${warning}`)
  if (tests.length === 0) {
    throw new ConfigError([
      `There are no tests for ${from}. Write some under tests: in it, or in a file beside it whose name ends in .tests.yml.`,
    ])
  }
  let failed = 0
  await withCore({ ...tool, ...loaded }, async (core) => {
    for (const { at, ...test } of tests) {
      const differences = await differencesFrom(core, test)
      if (differences.length > 0) failed += 1
      console.log(differences.length === 0 ? `ok    ${test.name}` : `FAIL  ${test.name}   (${at})`)
      if (differences.length > 0) console.log(`      ${test.line}, asked by ${test.as}`)
      for (const words of differences) console.log(`      ${words}`)
    }
  })
  console.log(`\n${plural(tests.length, 'test')}, ${failed === 0 ? 'all passed' : `${failed} failed`}.`)
  return failed === 0 ? 0 : 1
}

const placed = (read: ReturnType<typeof testsIn>): PlacedTest[] => {
  if (!read.ok) throw new ConfigError(read.problems)
  return read.tests
}

const filesBeside = (policyFile: string): string[] => {
  if (policyFile === demoPolicyName) return []
  const folder = dirname(policyFile)
  return readdirSync(folder)
    .filter((name) => /\.tests?\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(folder, name))
}

/** A core with an empty store of its own, whose services answer nothing: an amount is known where the line says it. */
const withCore = async (
  { registry, policy }: Pick<PolicyDesk, 'registry'> & Pick<Core, 'policy'>,
  use: (core: Core) => Promise<void>,
): Promise<void> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellhop-policy-'))
  const log = createLog('silent')
  const nowhere = { baseUrl: 'http://127.0.0.1:9' }
  const services = createServices(Object.fromEntries(registry.packs.map(({ name }) => [name, nowhere])), {
    log,
  })
  await services.close()
  const db = await openUpToDate({ dataDir })
  try {
    const store = createStore(db, { now: wallTime })
    await use(createApp({ registry, policy, services, store, log }).core)
  } finally {
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
