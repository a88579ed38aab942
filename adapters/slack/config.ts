import { defined } from '../../src/defined.ts'
import type { ConfigReading } from '../../src/messenger/definition.ts'

export type SlackConfig = {
  botToken: string
  signingSecret?: string
  appToken?: string
  apiUrl?: string
  /** Where links into the console lead, such as https://bellhop.example.com. */
  publicUrl?: string
  /** Lists and long work with the older blocks alone. */
  classicBlocks?: true
}

export const readSlackConfig = ({ env, problems }: ConfigReading): SlackConfig | undefined => {
  const { SLACK_BOT_TOKEN: botToken, SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = env
  if (botToken === undefined && signingSecret === undefined && appToken === undefined) return undefined
  if (botToken === undefined)
    problems.push('SLACK_BOT_TOKEN is missing: it is the xoxb- token of your Slack app.')
  if (signingSecret === undefined && appToken === undefined) {
    problems.push(
      'Slack needs SLACK_SIGNING_SECRET (requests over HTTP) or SLACK_APP_TOKEN (Socket Mode, an xapp- token).',
    )
  }
  return {
    botToken: botToken ?? '',
    ...defined({
      signingSecret,
      appToken,
      apiUrl: env.SLACK_API_URL,
      publicUrl: originOf(env.PUBLIC_URL),
      classicBlocks: env.SLACK_BLOCKS === 'classic' ? (true as const) : undefined,
    }),
  }
}

const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined
