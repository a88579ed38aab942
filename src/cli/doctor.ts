import type { differencesOf as Differences } from '../../adapters/discord/register.ts'
import { createCommands } from '../../commands/index.ts'
import { ConfigError, readConfig } from '../config.ts'
import { examine, type Needs } from '../doctor/doctor.ts'
import { type Finding, ill, lineOf } from '../doctor/finding.ts'

type Listed = Parameters<typeof Differences>[0]

/** `npm run doctor`: what a start would rely on, a line each; exit code 1 if any of it needs attention. */
const registry = createCommands()
// An adapter is loaded only when its platform is on.
const needs: Needs = {
  slackScopes: async () => Object.keys((await import('../../adapters/slack/manifest.ts')).scopes),
  discordCommands: async (listed) => {
    const [{ discordCommandsOf }, { differencesOf }] = await Promise.all([
      import('../../adapters/discord/commands.ts'),
      import('../../adapters/discord/register.ts'),
    ])
    return differencesOf(listed as Listed, discordCommandsOf(registry) as unknown as Listed)
  },
}
const findings = await look()
for (const finding of findings) console.log(lineOf(finding))
const failed = findings.filter(({ ok }) => !ok).length
console.log(failed === 0 ? '\nAll is well.' : `\n${failed} of ${findings.length} need attention.`)
// A connection that is still being given up must not hold the prompt.
process.exit(failed === 0 ? 0 : 1)

async function look(): Promise<Finding[]> {
  try {
    return await examine(readConfig(process.env, registry.all), needs)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => ill('configuration', problem))
  }
}
