import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type KeySource, keysIn } from './audit/signer.ts'
import type { PolicyReading, PolicySource } from './core/policy/policy-source.ts'
import { defined } from './defined.ts'
import { cleaned, isGiven, twinOf, withSecrets } from './environment.ts'
import type { OtlpSettings } from './http/tracing.ts'
import {
  type Environment,
  isOff,
  isOn,
  type MessengerDefinition,
  type PlatformKeys,
} from './messenger/definition.ts'
import type { CommandRef } from './policy/file/draft.ts'
import { formatProblems, loadPolicy } from './policy/file/load.ts'
import { packsIn } from './policy/file/packs-in.ts'
import { sealFileOf } from './policy/file/seal.ts'
import type { Policy } from './policy/policy.ts'
import type { ServiceSettings } from './services/client/client.ts'
import type { Service } from './services/endpoints/row.ts'
import { allServices } from './services/endpoints/tables.ts'
import { toolLine } from './tool-words.ts'
import { withoutAtEnd } from './view/end.ts'

/** Everything the outside decides, read once. */
export type Config = {
  services: Readonly<Record<string, ServiceSettings | 'sandbox'>>
  /** Each messenger's own, by its name; one that is off has none. */
  messengers: Readonly<Record<string, unknown>>
  database: { url?: string; dataDir: string }
  /** Where the key is that signs the audit log. */
  logKey: KeySource
  policy: Policy
  /** Where the policy came from: a file, or the demo's own; and how to read it again. */
  policySource: PolicySource
  /** The secrets that the policy names by their variables. */
  secretOf(variable: string): string | undefined
  http: { host: string; port: number }
  logLevel: string
  /** Who is shown what becomes of requests, as OpenTelemetry has it; nobody where it is not set. */
  traces?: OtlpSettings
  /** Nothing is set: the demo. */
  demo: boolean
  /** What the variable of a secret holds, or the file that its twin names. */
  secret(name: string): string | undefined
  /** Why the file is not what this was read from, where the store's own version stands in for it. */
  refused?: string
  /** The same, judged by another text of the policy than that of the file. */
  withPolicy(text: string): Config
  warnings(): string[]
}

/** What needs no policy. */
export type ReadableParts = Pick<Config, 'services'> & Partial<Pick<Config, 'messengers' | 'database'>>

/** One sentence per mistake; all of them at once. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]
  /** What can be looked at all the same. */
  readonly readable: ReadableParts
  constructor(
    problems: readonly string[],
    readable: ReadableParts = { services: {} },
    cause: unknown = undefined,
  ) {
    super(problems.join('\n'), cause === undefined ? undefined : { cause })
    this.problems = problems
    this.readable = readable
  }
}

export const readConfig = (
  environment: Environment,
  commands: readonly CommandRef[],
  messengers: readonly MessengerDefinition[],
  /** The text of a policy in the place of the file. */
  text?: string,
): Config => {
  const given = cleaned(environment)
  const problems: string[] = []
  const warnings: string[] = []
  const demo = isDemo(given, messengers, allServices())
  const policyProblems: string[] = []
  const known = { commands, platforms: [...messengers, terminal] }
  const loaded = policyOf(environment, given, demo, known, policyProblems, text)
  const env = withSecrets(given, secretNames(messengers, loaded?.policy), problems)
  const isChat = isAnyOn(env, messengers)
  const isSandboxAllowed = !isChat || isOn(env.SANDBOX)
  const settingsOf = ({ environment: { baseUrl: variable, keys } }: Service): ServiceSettings | 'sandbox' => {
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
    for (const key of Object.values(keys)) {
      if (env[key] === undefined) problems.push(`${variable} is set, so ${key} must be set too.`)
      else if (!/^[\x20-\x7e]+$/.test(env[key])) {
        problems.push(`${key} holds a line break or a letter that no key has: copy it again.`)
      }
    }
    const given = Object.entries(keys).map(([field, key]) => [field, env[key] ?? ''])
    return { baseUrl, ...Object.fromEntries(given) }
  }
  checkSwitches(env, ['SANDBOX', ...messengers.flatMap(({ switches }) => switches)], problems)
  const services: Config['services'] = Object.fromEntries(
    allServices().map((service) => [service.name, settingsOf(service)]),
  )
  const host = env.HOST ?? '127.0.0.1'
  const serverProblems: string[] = []
  const port = portOf(env, serverProblems)
  const dataDir = env.DATA_DIR ?? './data'
  const agents = loaded?.policy.agents ?? []
  const demoPolicy = loaded?.source.from === demoPolicyName
  // The demo's own stands in for a file, and nobody has to have a console for it.
  const asksPasskeys = loaded !== undefined && !demoPolicy && asksForPasskeys(loaded.policy)
  const reading = { env, demo, host, port, dataDir, agents, asksPasskeys, demoPolicy, problems, warnings }
  const on = messengers.map(({ name, readConfig: read }) => [name, read(reading)])
  problems.push(...serverProblems)
  if (env.DATABASE_URL !== undefined && !/^postgres(ql)?:\/\//.test(env.DATABASE_URL)) {
    problems.push(
      'DATABASE_URL must start with postgres:// or postgresql://. Leave it out for the embedded database.',
    )
  }
  problems.push(...whyNoLogKey(env))
  problems.push(...missingSecrets(env, loaded?.policy))
  const traces = tracesOf(env, problems)
  problems.push(...policyProblems)
  const parts = {
    messengers: Object.fromEntries(on.filter(([, config]) => config !== undefined)),
    database: { ...defined({ url: env.DATABASE_URL }), dataDir },
  }
  if (problems.length > 0 || loaded === undefined) {
    const isPolicyAlone = problems.length === policyProblems.length
    const fine = allServices()
      .filter((service) => !problems.some((one) => isAbout(service, one)))
      .map(({ name }) => [name, services[name]])
    throw new ConfigError(problems, {
      services: Object.fromEntries(fine),
      ...(isPolicyAlone ? parts : {}),
    })
  }
  return {
    services,
    ...parts,
    logKey: {
      dataDir,
      // The file itself, so that a running bot finds a key that is added to it.
      ...(env.AUDIT_KEY_FILE === undefined
        ? defined({ given: env.AUDIT_KEY })
        : { file: env.AUDIT_KEY_FILE }),
    },
    policy: loaded.policy,
    policySource: { ...loaded.source, read: () => withItsSecrets(withItsPacks(loaded.source), given) },
    secretOf: (variable) => env[variable] ?? withSecrets(given, [variable], [])[variable],
    http: { host, port },
    logLevel: env.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    ...defined({ traces }),
    demo,
    secret: (name) => withSecrets(given, [name], [])[name],
    withPolicy: (other) => readConfig(environment, commands, messengers, other),
    warnings: () => [...loaded.warnings(), ...warnings],
  }
}

/** Whether something is decided with a passkey: by a rule, by a budget, or in an emergency. */
const asksForPasskeys = ({ policies, budgets, emergency }: Policy): boolean =>
  emergency !== null ||
  [...policies.flatMap(({ require }) => require), ...budgets.flatMap(({ then }) => then)].some(
    (need) => need.kind === 'approvals' && need.sign !== undefined,
  )

/** Nothing is set: neither a messenger nor a service. */
export const isDemo = (
  environment: Environment,
  messengers: readonly MessengerDefinition[],
  services: readonly Service[],
): boolean => {
  const env = cleaned(environment)
  return !isAnyOn(env, messengers) && services.every((one) => env[one.environment.baseUrl] === undefined)
}

const isAnyOn = (env: Environment, messengers: readonly MessengerDefinition[]): boolean =>
  messengers.some(({ variables }) => variables.some((name) => isGiven(env, name)))

/** The policy alone, for tools that start nothing; of the environment only where the file is counts. */
export const readPolicy = (
  environment: Environment,
  commands: readonly CommandRef[],
  messengers: readonly MessengerDefinition[],
  file?: string,
): PolicyWithSource => {
  const given = { ...environment, ...defined({ BELLHOP_CONFIG: file }) }
  const problems: string[] = []
  const known = { commands, platforms: [...messengers, terminal] }
  const loaded = policyOf(given, cleaned(given), true, known, problems)
  if (loaded === undefined) throw new ConfigError(problems)
  return loaded
}

/** A text that is to become a policy file. */
export const loadFile = (
  text: string,
  about: { file: string; commands: readonly CommandRef[]; messengers: readonly MessengerDefinition[] },
): PolicyReading =>
  readingOf(text, about.file, { commands: about.commands, platforms: [...about.messengers, terminal] })

type PolicyWithSource = { policy: Policy; source: PolicySource; warnings(): string[] }

const isAbout = ({ environment: { baseUrl, keys } }: Service, problem: string): boolean => {
  const named = problem.split(/\W+/)
  const names = Object.values(keys)
  return [baseUrl, ...names, ...names.map(twinOf)].some((name) => named.includes(name))
}

/** Every variable that holds a secret. */
const secretNames = (messengers: readonly MessengerDefinition[], policy: Policy | undefined): string[] => [
  'DATABASE_URL',
  'AUDIT_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  ...messengers.flatMap(({ secrets }) => secrets),
  ...allServices().flatMap(({ environment }) => Object.values(environment.keys)),
  ...(policy?.agents ?? []).flatMap(({ token }) => ('env' in token ? [token.env] : [])),
  ...(policy?.stream?.token === undefined ? [] : [policy.stream.token.env]),
  ...(policy?.webhooks ?? []).map(({ secret }) => secret.env),
]

/** What a file asks the bot to send to others needs secrets, which only the environment has. */
const missingSecrets = (env: Environment, policy: Policy | undefined): string[] => {
  const token = policy?.stream?.token?.env
  const noToken = `${token}, the token of the stream in bellhop.yml, is missing: set it, or leave token out.`
  return [...(token === undefined || isGiven(env, token) ? [] : [noToken]), ...whyNoHookSecrets(env, policy)]
}

/** A running bot has the packs that it was started with. */
const withItsPacks = ({ text, read }: PolicySource): PolicyReading => {
  const reading = read()
  if (!reading.ok || isDeepStrictEqual(packsIn(text), packsIn(reading.text))) return reading
  const words =
    'The file names other packs than those that run. Start the bot again after this: packs come and go with a start.'
  return { ...reading, warnings: () => [...reading.warnings(), words] }
}

/** The same for a file that a running bot is to take in. */
const withItsSecrets = (reading: PolicyReading, given: Environment): PolicyReading => {
  if (!reading.ok) return reading
  const problems: string[] = []
  const { webhooks, stream } = reading.policy
  const names = [...webhooks.map(({ secret }) => secret.env), ...(stream?.token ? [stream.token.env] : [])]
  problems.push(...missingSecrets(withSecrets(given, names, problems), reading.policy))
  const again = 'Then start the bot again: a running one does not see it.'
  return problems.length === 0
    ? reading
    : { ok: false, problems: problems.map((problem) => `${problem} ${again}`) }
}

const whyNoHookSecrets = (env: Environment, policy: Policy | undefined): string[] =>
  (policy?.webhooks ?? []).flatMap(({ url, secret }) => {
    const given = env[secret.env]
    const bytes = given === undefined ? 0 : Buffer.from(given.replace(/^whsec_/, ''), 'base64').length
    const isGood = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(given ?? '') && bytes >= 24 && bytes <= 64
    if (isGood) return []
    const what = given === undefined ? 'is missing' : 'is no such secret'
    return [
      `${secret.env}, the secret of the webhook ${new URL(url).origin}, ${what}: set it to whsec_ and 24 to 64 bytes in base64; echo "whsec_$(openssl rand -base64 32)" makes one.`,
    ]
  })

/** As OpenTelemetry names these: an address without the path of traces, and headers as name=value with commas between them. */
const tracesOf = (env: Environment, problems: string[]): OtlpSettings | undefined => {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT
  const written = env.OTEL_EXPORTER_OTLP_HEADERS
  if (endpoint === undefined) return undefined
  const wrong = whyNoBase(endpoint)
  if (wrong !== undefined) problems.push(`OTEL_EXPORTER_OTLP_ENDPOINT ${wrong}`)
  const headers = (written?.split(',') ?? []).map((one) => one.split(/=(.*)/s).map((part) => part.trim()))
  if (headers.some(([name = '', value = '']) => !/^[\w-]+$/.test(name) || !/^[\x21-\x7e]+$/.test(value))) {
    problems.push(
      'OTEL_EXPORTER_OTLP_HEADERS must be headers as name=value, with commas between them and %20 for a space.',
    )
    return undefined
  }
  return {
    endpoint: withoutAtEnd(endpoint, '/'),
    headers: Object.fromEntries(headers.map(([name = '', value = '']) => [name, unescaped(value)])),
    service: env.OTEL_SERVICE_NAME ?? 'bellhop',
  }
}

/** A value that only looks escaped is meant as it stands. */
const unescaped = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** `npm run say`: no messenger to start, but people ask there too, by their ids. */
const terminal: PlatformKeys = { name: 'terminal', title: 'Terminal', accounts: 'people' }

const whyNoBase = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    return 'is not a web address: it must start with http:// or https://.'
  }
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
    ? undefined
    : 'must hold nothing but the address: no user, password, query or fragment.'
}

/** What is wrong with the key of the audit log that was given, if one was. */
const whyNoLogKey = ({ AUDIT_KEY: key, AUDIT_KEY_FILE: file }: Environment): string[] => {
  if (key === undefined || isLogKey(key)) return []
  const form = 'an Ed25519 private key in PEM form. openssl genpkey -algorithm ed25519 makes one.'
  return file === undefined
    ? [`AUDIT_KEY must be ${form} In one line, write \\n for its line breaks.`]
    : [`AUDIT_KEY_FILE (${file}) must hold ${form}`]
}

const isLogKey = (pem: string): boolean => {
  try {
    return keysIn(pem).length > 0
  } catch {
    return false
  }
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** A typing mistake in a switch must not pass for off. */
const checkSwitches = (env: Environment, names: readonly string[], problems: string[]): void => {
  for (const name of names) {
    const value = env[name]
    if (value !== undefined && !isOn(value) && !isOff(value)) {
      problems.push(`${name} must be on or off, not "${value}".`)
    }
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
  known: Known,
  problems: string[],
  stored?: string,
): PolicyWithSource | undefined => {
  const file = env.BELLHOP_CONFIG ?? './bellhop.yml'
  const isDemo = readText(file) === undefined && demo && environment.BELLHOP_CONFIG === undefined
  const from = isDemo ? demoPolicyName : file
  const load = (text: string, signatures = '') => readingOf(text, from, known, signatures)
  const read = (): PolicyReading => {
    const text = readText(isDemo ? demoPolicyFile : file)
    return text === undefined
      ? { ok: false, problems: [unreadable(file)] }
      : load(text, readText(sealFileOf(file)))
  }
  const reading = stored === undefined ? read() : load(stored)
  if (reading.ok) {
    const { policy, text, signatures, warnings } = reading
    return { policy, source: { from, text, signatures, read, load }, warnings }
  }
  problems.push(...reading.problems)
  return undefined
}

type Known = { commands: readonly CommandRef[]; platforms: readonly PlatformKeys[] }

const readingOf = (text: string, file: string, known: Known, signatures = ''): PolicyReading => {
  const loaded = loadPolicy(text, { file, ...known })
  return loaded.ok
    ? { ok: true, policy: loaded.policy, text, signatures, warnings: loaded.warnings }
    : { ok: false, problems: formatProblems(file, loaded.problems) }
}

/** Written by `npm run init` with what it takes for granted. */
export const demoPolicyFile = fileURLToPath(new URL('./policy/file/demo.yml', import.meta.url))
export const demoPolicyName = 'the demo policy'

const unreadable = (file: string): string =>
  `${file} cannot be read. Write your policy there (${toolLine('init')} makes one to start from), or name another file with BELLHOP_CONFIG.`

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
