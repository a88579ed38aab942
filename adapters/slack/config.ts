import type { ConfigReading, Environment } from '../../src/kernel/messenger/definition.ts'
import { defined } from '../../src/lib/defined.ts'
import type { InstallConfig } from './install/oauth.ts'
import { readInstallKey } from './install/sealing.ts'

export type SlackConfig = {
  botToken: string
  signingSecret?: string
  appToken?: string
  apiUrl?: string
  /** Where links into the console lead, such as https://bellhop.example.com. */
  publicUrl?: string
  /** What it takes to install the app in further workspaces; undefined where nobody can. */
  install?: InstallConfig
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
      install: readInstall(env, problems),
      signingSecret,
      appToken,
      apiUrl: env.SLACK_API_URL,
      publicUrl: originOf(env.PUBLIC_URL),
      classicBlocks: env.SLACK_BLOCKS === 'classic' ? (true as const) : undefined,
    }),
  }
}

const readInstall = (env: Environment, problems: string[]): InstallConfig | undefined => {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, INSTALL_KEY: text } = env
  if (clientId === undefined && clientSecret === undefined) return undefined
  if (clientId === undefined || clientSecret === undefined) {
    problems.push(
      'To install the Slack app in further workspaces, set both SLACK_CLIENT_ID and SLACK_CLIENT_SECRET, from its Basic Information page.',
    )
    return undefined
  }
  if (originOf(env.PUBLIC_URL) === undefined)
    problems.push(
      'SLACK_CLIENT_ID needs PUBLIC_URL: Slack leads people back there when they have installed the app.',
    )
  const key = text === undefined ? undefined : readInstallKey(text)
  if (key === undefined) {
    problems.push(
      `${text === undefined ? 'SLACK_CLIENT_ID needs INSTALL_KEY' : 'INSTALL_KEY is no key'}: 32 random bytes in base64, which tokens of further workspaces are stored with. Make one with: openssl rand -base64 32`,
    )
    return undefined
  }
  return { clientId, clientSecret, key }
}

const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined
