import type { Config } from '../config.ts'
import { checkDatabase } from './database.ts'
import { type CommandsInSync, checkDiscord } from './discord.ts'
import { type CheckResult, checkPassed } from './finding.ts'
import { checkServices } from './services.ts'
import { checkSlack } from './slack.ts'

/** What the adapters know and `src/` does not. */
export type AdapterFacts = {
  /** The bot scopes that the Slack manifest asks for. */
  slackScopes: () => Promise<readonly string[]>
  discordCommands: CommandsInSync
}

/** Everything that a start would rely on, looked at once and changing nothing. The parts are checked at the same time. */
export const runChecks = async (config: Config, needs: AdapterFacts): Promise<CheckResult[]> => {
  const { slack, discord } = config
  const parts = await Promise.all([
    checkDatabase(config.database),
    checkServices(config.services),
    slack === undefined
      ? [
          checkPassed(
            'slack',
            'off. SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET, or SLACK_APP_TOKEN, turn it on.',
          ),
        ]
      : checkSlack(slack, await needs.slackScopes()),
    discord === undefined
      ? [checkPassed('discord', 'off. DISCORD_TOKEN and DISCORD_APPLICATION_ID turn it on.')]
      : checkDiscord(discord, needs.discordCommands),
  ])
  return [...aboutConfig(config), ...parts.flat()]
}

const aboutConfig = ({ demo, policy, policyFrom, warnings, http, console }: Config): CheckResult[] => [
  checkPassed(
    'configuration',
    `${demo ? 'nothing is set: this would be the demo' : 'complete'}; it would listen on ${http.host}:${http.port}, console ${console ? 'on' : 'off'}.`,
  ),
  checkPassed(
    'policy',
    `${policyFrom}: people ${policy.people.length}, roles ${Object.keys(policy.roles).length}, rules ${policy.policies.length}, budgets ${policy.budgets.length}.`,
  ),
  ...warnings.map((warning) => checkPassed('note', warning)),
]
