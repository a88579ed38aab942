import { styleText } from 'node:util'
import type { Status } from './command/context.ts'
import type { Config } from './config.ts'
import { version } from './runtime.ts'

/** What is on, what is off and the variable that turns it on, in plain words. */
export const bannerOf = (
  config: Config,
  base: string,
  platforms: Status['platforms'],
  console: string | undefined,
): string => {
  const stateOf = (name: string) => platforms.find((platform) => platform.name === name)?.state
  const service = (name: 'email' | 'chat' | 'billing') => {
    const one = config.services[name]
    return one === 'sandbox'
      ? `SANDBOX, made-up data   (${name.toUpperCase()}_BASE_URL turns the real one on)`
      : new URL(one.baseUrl).origin
  }
  const rows: [string, string][] = [
    ['Email', service('email')],
    ['Messaging', service('chat')],
    ['Billing', service('billing')],
    ['Slack', stateOf('slack') ?? 'off   (SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET, or SLACK_APP_TOKEN)'],
    ['Discord', stateOf('discord') ?? 'off   (DISCORD_TOKEN and DISCORD_APPLICATION_ID)'],
    [
      'Database',
      config.database.url === undefined
        ? `embedded, in ${config.database.dataDir}   (DATABASE_URL for PostgreSQL)`
        : 'PostgreSQL',
    ],
    [
      'Policy',
      config.policyFrom === 'the demo policy'
        ? 'the demo policy   (bellhop.yml, or BELLHOP_CONFIG)'
        : config.policyFrom,
    ],
    ['Console', console ?? 'off   (CONSOLE=on)'],
    ['Server', base],
  ]
  const title = `Bellhop ${version}${config.demo ? ', demo' : ''}`
  const lines = rows.map(([label, value]) => `  ${label.padEnd(10)} ${value}`)
  const next =
    console === undefined
      ? 'Stop with Ctrl-C.'
      : `Open ${styleText('bold', console)} and try: refund pay_1001 120. Stop with Ctrl-C.`
  return `\n${styleText('bold', title)}\n\n${lines.join('\n')}\n\n${next}\n\n`
}
