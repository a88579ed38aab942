import { readFileSync, statSync } from 'node:fs'
import type { Environment } from '../../kernel/messenger/definition.ts'

/** Set to nothing is not set; a line break at the end, as files of secrets have it, is no part of a value. */
export const cleaned = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )

/** That of this process. Nothing else reads it, so what is set to nothing is set nowhere. */
export const ownEnvironment = (): Environment => cleaned(process.env)

/**
 * What a program needs of this process's environment to start at all. None of it is a secret, and nothing else is passed on to
 * a server that is started as a command.
 */
export const inheritedOf = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'].flatMap((name) => {
      const value = env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The variable that names the file of a secret. */
export const twinOf = (name: string): string => `${name}_FILE`

/** Whether a secret is given, by itself or by its file. */
export const isGiven = (env: Environment, name: string): boolean =>
  env[name] !== undefined || env[twinOf(name)] !== undefined

/** The environment in which each of these secrets has its value, be it by a file. Each mistake is a sentence in `problems`. */
export const withSecrets = (env: Environment, names: readonly string[], problems: string[]): Environment => {
  const read = [...new Set(names)].flatMap((name) => {
    const twin = twinOf(name)
    const file = env[twin]
    if (file === undefined) return []
    if (env[name] !== undefined) {
      problems.push(`${name} and ${twin} are both set. Leave one of them out.`)
      return []
    }
    const { value, wrong } = secretIn(file)
    if (wrong !== undefined) problems.push(`${twin} (${file}) ${wrong}`)
    return value === undefined ? [] : [[name, value]]
  })
  return { ...env, ...Object.fromEntries(read) }
}

const secretIn = (file: string): { value?: string; wrong?: string } => {
  try {
    const stat = statSync(file)
    if (!stat.isFile()) return { wrong: 'is no file. Name the file that holds the secret.' }
    const mode = stat.mode & 0o777
    const value = readFileSync(file, 'utf8').trim()
    if ((mode & 0o077) !== 0) {
      return {
        value,
        wrong: `can be read by others, with mode ${mode.toString(8)}. Make it readable by this account alone: chmod 600.`,
      }
    }
    if (![0o600, 0o400].includes(mode))
      return {
        value,
        wrong: `has mode ${mode.toString(8).padStart(3, '0')}. It must be 600 or 400: chmod 600.`,
      }
    return value === '' ? { wrong: 'is empty. Put the secret into it.' } : { value }
  } catch {
    return { wrong: 'cannot be read. Name a file that this account may read.' }
  }
}
