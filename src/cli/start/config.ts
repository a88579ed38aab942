import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { allFeatures, type FeatureEnvironment } from '../../kernel/feature.ts'
import { type KeySource, keysIn } from '../../kernel/log/signer.ts'
import {
  type Environment,
  isOff,
  isOn,
  type MessengerDefinition,
  type PlatformKeys,
} from '../../kernel/messenger/definition.ts'
import type { CommandRef } from '../../kernel/policy/file/draft.ts'
import { formatProblems, loadPolicy } from '../../kernel/policy/file/load.ts'
import { sealFileOf } from '../../kernel/policy/file/seal.ts'
import { doubtsInSections, missingInSections } from '../../kernel/policy/file/sections.ts'
import { type VariableRule, variableRule } from '../../kernel/policy/file/variables.ts'
import type { PolicyReading, PolicySource } from '../../kernel/policy/in-force/policy-source.ts'
import { missingForGroups } from '../../kernel/policy/outside-groups.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { whyNoBase } from '../../lib/codecs/public-address.ts'
import { defined } from '../../lib/defined.ts'
import { whyOpenToOthers } from '../../lib/private-files.ts'
import type { ServiceSettings } from '../../lib/services/client/client.ts'
import type { Service } from '../../lib/services/endpoints/row.ts'
import { allServices } from '../../lib/services/endpoints/tables.ts'
import { whyNoPlace } from '../../lib/services/mcp/place.ts'
import { whyNoAddress } from '../../lib/sql/address.ts'
import { codeNamedIn } from '../packs/packs-in.ts'
import { cleaned, inheritedOf, isGiven, twinOf, withSecrets } from './environment.ts'

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
  /** A secret that the policy names by its variable, or by the file that its twin names. */
  secretOf(variable: string): string | undefined
  http: { host: string; port: number }
  logLevel: string
  /** What a service that is started as a command is given of the environment. */
  inherited: Readonly<Record<string, string>>
  /** What each feature reads of the environment, by its name. */
  settings: Readonly<Record<string, unknown>>
  /** Nothing is set: the demo. */
  demo: boolean
  /** Why the file is not what this was read from, where the store's own version stands in for it. */
  refused?: string
  /** The same, judged by another text of the policy than that of the file. */
  withPolicy(text: string): Config
  warnings(): string[]
}

/** What needs no policy. */
export type ReadableParts = Pick<Config, 'services'> &
  Partial<Pick<Config, 'messengers' | 'database' | 'inherited'>>

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
  const known = knownTo(given, commands, messengers)
  const loaded = policyOf(given, demo, known, policyProblems, text)
  const env = withSecrets(given, secretNames(messengers, loaded?.policy), problems)
  const isChat = isAnyOn(env, messengers)
  const isSandboxAllowed = !isChat || isOn(env.SANDBOX)
  const settingsOf = ({
    mcp,
    environment: { baseUrl: variable, keys },
  }: Service): ServiceSettings | 'sandbox' => {
    const baseUrl = env[variable]
    if (baseUrl === undefined) {
      if (!isSandboxAllowed) {
        problems.push(
          `${variable} is not set. Set it to the address of the service, or set SANDBOX=on to run against made-up data.`,
        )
      }
      return 'sandbox'
    }
    const wrong = mcp === undefined ? whyNoBase(baseUrl) : whyNoPlace(baseUrl)
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
  warnings.push(
    ...doubtsInSections(loaded?.policy, env),
    ...[whyOpenToOthers(databaseOf(env).dataDir)].flatMap((one) => one ?? []),
  )
  const host = env.HOST ?? '127.0.0.1'
  const serverProblems: string[] = []
  const port = portOf(env, serverProblems)
  const database = databaseOf(env)
  const { dataDir } = database
  const agents = loaded?.policy.agents ?? []
  const demoPolicy = loaded?.source.from === demoPolicyName
  // The demo's own stands in for a file, and nobody has to have a console for it.
  const asksPasskeys = loaded !== undefined && !demoPolicy && asksForPasskeys(loaded.policy)
  const reading = { env, demo, host, port, dataDir, agents, asksPasskeys, demoPolicy, problems, warnings }
  const on = messengers.map(({ name, readConfig: read }) => [name, read(reading)])
  problems.push(...serverProblems)
  problems.push(...whyNoAddress(env.DATABASE_URL))
  problems.push(...whyNoLogKey(env))
  problems.push(...missingInSections(loaded?.policy, env), ...missingForGroups(loaded?.policy, env))
  const settings = Object.fromEntries(
    allFeatures().map(({ name, environment }) => [name, environment?.read(env, problems)]),
  )
  problems.push(...policyProblems)
  const parts = {
    messengers: Object.fromEntries(on.filter(([, config]) => config !== undefined)),
    database,
  }
  if (problems.length > 0 || loaded === undefined) {
    const isPolicyAlone = problems.length === policyProblems.length
    const fine = allServices()
      .filter((service) => !problems.some((one) => isAbout(service, one)))
      .map(({ name }) => [name, services[name]])
    throw new ConfigError(problems, {
      services: Object.fromEntries(fine),
      inherited: inheritedOf(env),
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
    policySource: {
      ...loaded.source,
      read: () => withItsSecrets(withItsPacks(loaded.source), given),
      accept: (other) => withItsSecrets(loaded.source.load(other), given),
    },
    secretOf: (variable) =>
      known.whyNotVariable(variable) === undefined ? withSecrets(given, [variable], [])[variable] : undefined,
    http: { host, port },
    logLevel: env.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    inherited: inheritedOf(env),
    settings,
    demo,
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

/** The file of the policy. */
export const policyFileOf = (environment: Environment): string =>
  cleaned(environment).BELLHOP_CONFIG ?? './bellhop.yml'

/** The database, for an environment that has its secrets. */
export const databaseOf = (env: Environment): Config['database'] => ({
  ...defined({ url: env.DATABASE_URL }),
  dataDir: env.DATA_DIR ?? './data',
})

/** The database, of an environment of which nothing else needs to be right. */
export const databaseIn = (environment: Environment): Config['database'] =>
  databaseOf(withSecrets(cleaned(environment), ['DATABASE_URL'], []))

/** The policy alone, for tools that start nothing; of the environment only where the file is counts. */
export const readPolicy = (
  environment: Environment,
  commands: readonly CommandRef[],
  messengers: readonly MessengerDefinition[],
  file?: string,
): PolicyWithSource => {
  const given = cleaned({ ...environment, ...defined({ BELLHOP_CONFIG: file }) })
  const problems: string[] = []
  const known = knownTo(given, commands, messengers)
  const loaded = policyOf(given, true, known, problems)
  if (loaded === undefined) throw new ConfigError(problems)
  return loaded
}

/** A text that is to become a policy file. */
export const loadFile = (
  text: string,
  about: { file: string; commands: readonly CommandRef[]; messengers: readonly MessengerDefinition[] },
): PolicyReading => readingOf(text, about.file, knownTo({}, about.commands, about.messengers))

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
  ...ofFeatures(({ secrets }) => secrets),
  ...messengers.flatMap(({ secrets }) => secrets),
  ...allServices().flatMap(({ environment }) => Object.values(environment.keys)),
  ...(policy?.variables ?? []),
]

/** What the bot reads itself, beside what its messengers and services do. */
const ownNames = [
  ...['DATABASE_URL', 'DATA_DIR', 'AUDIT_KEY', 'BACKUP_PASSPHRASE', 'BELLHOP_CONFIG', 'BELLHOP_VARIABLES'],
  ...['HOST', 'PORT', 'SANDBOX', 'LOG_LEVEL', 'PUBLIC_URL'],
]

const ofFeatures = (names: (read: FeatureEnvironment) => readonly string[]): string[] =>
  allFeatures().flatMap(({ environment }) => (environment === undefined ? [] : names(environment)))

const variablesOfFile = (env: Environment, messengers: readonly MessengerDefinition[]): VariableRule =>
  variableRule({
    own: [
      ...ownNames,
      ...ofFeatures(({ variables }) => variables),
      ...messengers.flatMap(({ variables, secrets, switches, others = [] }) => [
        ...variables,
        ...secrets,
        ...switches,
        ...others,
      ]),
      ...allServices().flatMap(({ environment: { baseUrl, keys } }) => [baseUrl, ...Object.values(keys)]),
    ],
    families: messengers.flatMap(({ variables }) => variables.map((name) => name.replace(/_.*/, '_'))),
    listed: env.BELLHOP_VARIABLES,
  })

const knownTo = (
  env: Environment,
  commands: readonly CommandRef[],
  messengers: readonly MessengerDefinition[],
): Known => ({
  commands,
  platforms: [...messengers, terminal],
  whyNotVariable: variablesOfFile(env, messengers),
})

/** A running bot has the packs and features that it was started with. */
const withItsPacks = ({ text, read }: PolicySource): PolicyReading => {
  const reading = read()
  if (!reading.ok || isDeepStrictEqual(codeNamedIn(text), codeNamedIn(reading.text))) return reading
  const words =
    'The file names other packs or features than those that run. Start the bot again after this: they come and go with a start.'
  return { ...reading, warnings: () => [...reading.warnings(), words] }
}

/** The same for a file that a running bot is to take in. */
const withItsSecrets = (reading: PolicyReading, given: Environment): PolicyReading => {
  if (!reading.ok) return reading
  const problems: string[] = []
  const { policy } = reading
  const names = [...policy.variables, ...ofFeatures(({ secrets }) => secrets)]
  const env = withSecrets(given, names, problems)
  problems.push(...missingInSections(policy, env), ...missingForGroups(policy, env))
  const again = 'Then start the bot again: a running one does not see it.'
  return problems.length === 0
    ? reading
    : { ok: false, problems: problems.map((problem) => `${problem} ${again}`) }
}

/** `npm run say`: no messenger to start, but people ask there too, by their ids. */
const terminal: PlatformKeys = { name: 'terminal', title: 'Terminal', accounts: 'people' }

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
  env: Environment,
  demo: boolean,
  known: Known,
  problems: string[],
  stored?: string,
): PolicyWithSource | undefined => {
  const file = policyFileOf(env)
  const isDemo = readText(file) === undefined && demo && env.BELLHOP_CONFIG === undefined
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

type Known = {
  commands: readonly CommandRef[]
  platforms: readonly PlatformKeys[]
  whyNotVariable: VariableRule
}

const readingOf = (text: string, file: string, known: Known, signatures = ''): PolicyReading => {
  const loaded = loadPolicy(text, { file, ...known })
  return loaded.ok
    ? { ok: true, policy: loaded.policy, text, signatures, warnings: loaded.warnings }
    : { ok: false, problems: formatProblems(file, loaded.problems) }
}

/** Written by `npm run init` with what it takes for granted. */
export const demoPolicyFile = fileURLToPath(new URL('../../kernel/policy/file/demo.yml', import.meta.url))
export const demoPolicyName = 'the demo policy'

const unreadable = (file: string): string =>
  `${file} cannot be read. Write your policy there (${toolLine('init')} makes one to start from), or name another file with BELLHOP_CONFIG.`

export const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
