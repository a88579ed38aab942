import type { differencesOf as Differences } from '../../adapters/discord/registration/register.ts'
import { createCommands } from '../../commands/index.ts'
import { ConfigError, readConfig } from '../config.ts'
import { type AdapterFacts, runChecks } from '../doctor/doctor.ts'
import { type CheckResult, checkFailed, reportLineOf } from '../doctor/finding.ts'

type Listed = Parameters<typeof Differences>[0]

/** `npm run doctor`: what a start would rely on, a line each; exit code 1 if any of it needs attention. */
const registry = createCommands()
// An adapter is loaded only when its platform is on.
const needs: AdapterFacts = {
  slackScopes: async () => Object.keys((await import('../../adapters/slack/manifest.ts')).scopes),
  discordCommands: async (listed) => {
    const [{ discordCommandsOf }, { differencesOf }] = await Promise.all([
      import('../../adapters/discord/registration/definitions.ts'),
      import('../../adapters/discord/registration/register.ts'),
    ])
    return differencesOf(listed as Listed, discordCommandsOf(registry) as unknown as Listed)
  },
}
const findings = await look()
for (const finding of findings) console.log(reportLineOf(finding))
const failed = findings.filter(({ ok }) => !ok).length
console.log(failed === 0 ? '\nAll is well.' : `\n${failed} of ${findings.length} need attention.`)
// A connection that is still being given up must not hold the prompt.
process.exit(failed === 0 ? 0 : 1)

async function look(): Promise<CheckResult[]> {
  try {
    return await runChecks(readConfig(process.env, registry.all), needs)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => checkFailed('configuration', problem))
  }
}
