import { messengers } from '../../adapters/index.ts'
import { type CheckResult, checkFailed } from '../kernel/messenger/definition.ts'
import { checkParts, closingWords, runChecks } from './doctor/doctor.ts'
import { ConfigError, readConfig } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommandsOrExit } from './start/load-commands.ts'

/**
 * `npm run doctor`: checks everything that a start relies on, one line each; exit code 1 if something needs
 * attention.
 */
const registry = await loadCommandsOrExit(messengers)
let isOnlyDemo = false
const findings = await look()
for (const { ok, about, words } of findings) {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${about.padEnd(13)}  ${words}`)
}
const failed = findings.filter(({ ok }) => !ok).length
console.log(`\n${closingWords(findings, isOnlyDemo)}`)
// A connection that is still closing must not delay the prompt.
process.exit(failed === 0 ? 0 : 1)

async function look(): Promise<CheckResult[]> {
  try {
    const config = readConfig(ownEnvironment(), registry.all, messengers)
    isOnlyDemo = config.demo
    return await runChecks(config, messengers, registry)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const told = error.problems.map((problem) => checkFailed('configuration', problem))
    return [...told, ...(await checkParts(error.readable, messengers, registry))]
  }
}
