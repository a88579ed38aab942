import { z } from 'zod'
import type { Finding } from './schema-findings.ts'
import type { Path } from './source.ts'
import { keys } from './values.ts'

/** `{ env: NAME }`: the only way in which a policy file names a variable of the environment. */
export const variable = (phrase: string) =>
  keys({ env: z.string(phrase).regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable') })

/** Why a policy file may not name this variable, as the end of a sentence; undefined if it may. */
export type VariableRule = (name: string) => string | undefined

/** Every variable that a file names, under whatever key, and where. */
export const variablesIn = (value: unknown, path: Path = []): { name: string; path: Path }[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key]
    return key === 'env' && typeof inner === 'string' ? [{ name: inner, path: at }] : variablesIn(inner, at)
  })
}

/** A file is often written by more people than the environment: what stands there for others is not its to use. */
export const variableFindings = (value: unknown, rule: VariableRule): Finding[] =>
  variablesIn(value).flatMap(({ name, path }) => {
    const why = rule(name)
    return why === undefined ? [] : [{ path, message: `wrong variable ${name}: ${why}` }]
  })

type VariableOwners = {
  /** What the bot, its messengers and its services read. */
  own: readonly string[]
  /** How the variables of a platform begin. */
  families: readonly string[]
  /** What BELLHOP_VARIABLES says, where it is set. */
  listed: string | undefined
}

/**
 * Which variables a policy file may name: those that begin with BELLHOP_ and those that BELLHOP_VARIABLES lists; without a
 * list, any that is neither the bot's nor known to be somebody else's.
 */
export const variableRule = ({ own, families, listed }: VariableOwners): VariableRule => {
  const taken = new Set(own)
  const allowed = listed?.split(/[\s,]+/).filter((name) => name !== '')
  return (name) => {
    const bare = name.toUpperCase().replace(/_FILE$/, '')
    if (taken.has(bare) || families.some((family) => bare.startsWith(family)))
      return "it is for the bot itself. Expected one of the file's own, such as BELLHOP_STREAM_TOKEN."
    if (bare.startsWith(prefix) || allowed?.includes(name)) return undefined
    if (allowed === undefined && !others.test(bare)) return undefined
    return `it is not for this file. Expected a name that begins with ${prefix}, or one that BELLHOP_VARIABLES lists.`
  }
}

const prefix = 'BELLHOP_'

/** What machines and other programs keep in their environment. */
const others =
  /^(AWS|AZURE|GCP|GOOGLE|GITHUB|GITLAB|GH|CI|DOCKER|KUBE|KUBERNETES|KUBECONFIG|VAULT|SSH|GPG|NPM|NODE|PG|MYSQL|REDIS|LD|LC|XDG|DBUS|SYSTEMD|CREDENTIALS|POSTGRES|MARIADB|MONGO|MONGODB|RABBITMQ|KAFKA|SENTRY|DD|DATADOG|NEWRELIC|OPENAI|ANTHROPIC|STRIPE|TWILIO|SENDGRID|CLOUDFLARE|HEROKU|FLY|VERCEL|RENDER|RAILWAY|HTTP|HTTPS|ALL|SSL|SMTP|JWT|SUDO)(_|$)|^(PG[A-Z]+|PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|LANG|TERM|TZ|HOSTNAME|MAIL|TMPDIR|SHLVL|_)$/
