import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { isPrivateHost } from './http/host.ts'
import { demoPolicy } from './policy/file/demo.ts'
import type { CommandRef } from './policy/file/draft.ts'
import { formatProblems, loadPolicy } from './policy/file/load.ts'
import type { Policy } from './policy/policy.ts'

export type ServiceConfig = { baseUrl: string; apiKey: string } | 'sandbox'

/** Everything the outside decides, read once. */
export type Config = {
  services: {
    email: ServiceConfig
    chat: ServiceConfig
    billing: { baseUrl: string; apiKey: string; secretKey: string } | 'sandbox'
  }
  slack: { botToken: string; signingSecret?: string; appToken?: string; apiUrl?: string } | undefined
  discord:
    | { token: string; applicationId: string; publicKey?: string; gateway: boolean; apiUrl?: string }
    | undefined
  database: { url?: string; dataDir: string }
  policy: Policy
  /** Where the policy came from: a file, or the demo's own. */
  policyFrom: string
  http: { host: string; port: number }
  console: boolean
  logLevel: string
  /** Nothing is set: the demo. */
  demo: boolean
  warnings: string[]
}

/** One sentence per mistake; all of them at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export const readConfig = (environment: Environment, commands: readonly CommandRef[]): Config => {
  const env = cleaned(environment)
  const problems: string[] = []
  const chats = [
    'SLACK_BOT_TOKEN',
    'SLACK_SIGNING_SECRET',
    'SLACK_APP_TOKEN',
    'DISCORD_TOKEN',
    'DISCORD_PUBLIC_KEY',
  ]
  const isChat = chats.some((name) => env[name] !== undefined)
  const isSandboxAllowed = !isChat || isOn(env.SANDBOX)
  const service = (name: string, keys: string[]): Record<string, string> | 'sandbox' => {
    const variable = `${name}_BASE_URL`
    const baseUrl = env[variable]
    if (baseUrl === undefined) {
      if (!isSandboxAllowed) {
        problems.push(
          `${variable} is not set. Set it to the address of the service, or set SANDBOX=on to run against made-up data.`,
        )
      }
      return 'sandbox'
    }
    const wrong = whyNoBase(baseUrl)
    if (wrong !== undefined) problems.push(`${variable} ${wrong}`)
    for (const key of keys) {
      if (env[key] === undefined) problems.push(`${variable} is set, so ${key} must be set too.`)
      else if (!/^[\x20-\x7e]+$/.test(env[key])) {
        problems.push(`${key} holds a line break or a letter that no key has: copy it again.`)
      }
    }
    return { baseUrl, ...Object.fromEntries(keys.map((key) => [fieldOf(name, key), env[key] ?? ''])) }
  }
  checkSwitches(env, problems)
  const services = {
    email: service('EMAIL', ['EMAIL_API_KEY']),
    chat: service('CHAT', ['CHAT_API_KEY']),
    billing: service('BILLING', ['BILLING_API_KEY', 'BILLING_SECRET_KEY']),
  } as Config['services']
  const slack = slackOf(env, problems)
  const discord = discordOf(env, problems)
  const host = env.HOST ?? '127.0.0.1'
  const port = portOf(env, problems)
  const demo = !isChat && Object.values(services).every((one) => one === 'sandbox')
  if (env.DATABASE_URL !== undefined && !/^postgres(ql)?:\/\//.test(env.DATABASE_URL)) {
    problems.push(
      'DATABASE_URL must start with postgres:// or postgresql://. Leave it out for the embedded database.',
    )
  }
  const loaded = policyOf(environment, env, demo, commands, problems)
  if (problems.length > 0 || loaded === undefined) throw new ConfigError(problems)
  const isConsole = env.CONSOLE === undefined ? demo : isOn(env.CONSOLE)
  return {
    services,
    slack,
    discord,
    database: {
      ...(env.DATABASE_URL === undefined ? {} : { url: env.DATABASE_URL }),
      dataDir: env.DATA_DIR ?? './data',
    },
    policy: loaded.policy,
    policyFrom: loaded.from,
    http: { host, port },
    console: isConsole,
    logLevel: env.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    demo,
    warnings: [
      ...loaded.warnings,
      ...(isConsole && !isPrivateHost(host)
        ? [
            `The console is on and HOST is ${host}: anybody who can reach this address and knows its token can act as anybody.`,
          ]
        : []),
    ],
  }
}

const whyNoBase = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'is not a web address: it must start with http:// or https://.'
  }
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
    ? undefined
    : 'must hold nothing but the address: no user, password, query or fragment.'
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Set to nothing is not set; a line break at the end, as files of secrets have it, is no part of a value. */
const cleaned = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )

const isOn = (value: string | undefined): boolean => /^(on|true|yes|1)$/i.test(value ?? '')

const isOff = (value: string): boolean => /^(off|false|no|0)$/i.test(value)

/** A typing mistake in a switch must not pass for off. */
const checkSwitches = (env: Environment, problems: string[]): void => {
  for (const name of ['CONSOLE', 'SANDBOX', 'DISCORD_GATEWAY']) {
    const value = env[name]
    if (value !== undefined && !isOn(value) && !isOff(value)) {
      problems.push(`${name} must be on or off, not "${value}".`)
    }
  }
}

/** BILLING_SECRET_KEY -> secretKey */
const fieldOf = (service: string, key: string): string =>
  key
    .slice(service.length + 1)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const slackOf = (env: Environment, problems: string[]): Config['slack'] => {
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
    ...(signingSecret === undefined ? {} : { signingSecret }),
    ...(appToken === undefined ? {} : { appToken }),
    ...(env.SLACK_API_URL === undefined ? {} : { apiUrl: env.SLACK_API_URL }),
  }
}

const discordOf = (env: Environment, problems: string[]): Config['discord'] => {
  const { DISCORD_TOKEN: token, DISCORD_APPLICATION_ID: applicationId, DISCORD_PUBLIC_KEY: publicKey } = env
  if (token === undefined && applicationId === undefined && publicKey === undefined) return undefined
  if (token === undefined) problems.push('DISCORD_TOKEN is missing: it is the token of your Discord bot.')
  if (applicationId === undefined) {
    problems.push(
      'DISCORD_APPLICATION_ID is missing: it stands on the General Information page of your application.',
    )
  }
  if (publicKey !== undefined && !/^[0-9a-f]{64}$/i.test(publicKey)) {
    problems.push(
      'DISCORD_PUBLIC_KEY must be the 64 hexadecimal characters of your application’s public key.',
    )
  }
  const gateway = env.DISCORD_GATEWAY === undefined || isOn(env.DISCORD_GATEWAY)
  if (!gateway && publicKey === undefined) {
    problems.push('DISCORD_GATEWAY is off, so DISCORD_PUBLIC_KEY must be set for the HTTP endpoint.')
  }
  return {
    token: token ?? '',
    applicationId: applicationId ?? '',
    gateway,
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(env.DISCORD_API_URL === undefined ? {} : { apiUrl: env.DISCORD_API_URL }),
  }
}

const portOf = (env: Environment, problems: string[]): number => {
  const port = z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .safeParse(env.PORT ?? 3000)
  if (!port.success) problems.push(`PORT must be a number from 0 to 65535, not "${env.PORT}".`)
  if (env.LOG_LEVEL !== undefined && !levels.includes(env.LOG_LEVEL)) {
    problems.push(`LOG_LEVEL must be one of ${levels.join(', ')}.`)
  }
  return port.data ?? 3000
}

/** The file that BELLHOP_CONFIG names, or ./bellhop.yml; the demo brings its own policy when there is none. */
const policyOf = (
  environment: Environment,
  env: Environment,
  demo: boolean,
  commands: readonly CommandRef[],
  problems: string[],
): { policy: Policy; from: string; warnings: string[] } | undefined => {
  const file = env.BELLHOP_CONFIG ?? './bellhop.yml'
  const text = readText(file)
  if (text === undefined && (!demo || environment.BELLHOP_CONFIG !== undefined)) {
    problems.push(
      `${file} cannot be read. Write your policy there, or name another file with BELLHOP_CONFIG.`,
    )
    return undefined
  }
  const from = text === undefined ? 'the demo policy' : file
  const loaded = loadPolicy(text ?? demoPolicy, { file: from, commands })
  if (loaded.ok) return { policy: loaded.policy, from, warnings: loaded.warnings }
  problems.push(...formatProblems(from, loaded.problems))
  return undefined
}

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
