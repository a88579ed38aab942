import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '../../kernel/messenger/definition.ts'
import { sealIn } from '../../kernel/policy/file/seal.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { ConfigError, policyFileOf } from '../start/config.ts'
import { codeIn, folderOfPackage, type OutsideCode } from './code.ts'
import { codeNamedIn, type NamedCode } from './packs-in.ts'

/** A pack or a feature that a policy names, with its code and the digest that somebody looked at. */
export type PinnedCode = NamedCode & { code: OutsideCode; pin: string | undefined }

const lockFileOf = (env: Environment): string => join(dirname(policyFileOf(env)), 'packs.lock')

/**
 * The packs and features that a text names. In a sealed one its own pins count alone, for nobody signs packs.lock. What else is wrong with
 * the text is told when its policy is read.
 */
export const pinnedCodeOf = (env: Environment, text: string): PinnedCode[] => {
  const file = policyFileOf(env)
  const locked = sealIn(text) === null ? pinnedIn(lockFileOf(env)) : new Map<string, string>()
  const named = codeNamedIn(text).map((one) => ({ ...one, folder: folderOf(one, file) }))
  const missing = named.filter(({ folder }) => folder === undefined)
  if (missing.length > 0) {
    throw new ConfigError(
      missing.map(({ kind, name }) =>
        isPath(name)
          ? `The ${kind} ${name} that ${file} names is not there. Paths are relative to that file: correct it, or take the ${kind} out of ${kind}s.`
          : `The package ${name} that ${file} names under ${kind}s is not installed. Install it beside that file: npm install ${name}`,
      ),
    )
  }
  return named.map(({ kind, name, pin, folder }) => ({
    kind,
    name,
    code: codeIn(folder as string),
    pin: pin ?? locked.get(name),
  }))
}

export const isPath = (name: string): boolean => /^(\.{0,2}\/|[a-z]:)/i.test(name)

const folderOf = ({ name }: NamedCode, file: string): string | undefined => {
  if (!isPath(name)) return folderOfPackage(name, resolve(file))
  const folder = resolve(dirname(file), name)
  return existsSync(folder) ? folder : undefined
}

/** The digests on record, by what bellhop.yml calls the folders and packages. */
const pinnedIn = (file: string): ReadonlyMap<string, string> => {
  if (!existsSync(file)) return new Map()
  return new Map(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('sha256-'))
      .map((line) => {
        const at = line.indexOf('  ')
        return [line.slice(at + 2).trim(), line.slice(0, at)]
      }),
  )
}

/** Puts the packs and features as they are now on record, and says which. A sealed file has them in itself: they are shown to be written there. */
export const pinPacks = (env: Environment): { lines: string[]; next: string } => {
  const file = policyFileOf(env)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const pinned = pinnedCodeOf(env, text)
  if (pinned.length === 0) return { lines: [], next: `${file} names no packs and no features.` }
  if (sealIn(text) !== null) {
    const lines = [...Map.groupBy(pinned, ({ kind }) => kind)].flatMap(([kind, some]) => [
      `${kind}s:`,
      ...some.map(({ name, code }) => `  - { name: ${JSON.stringify(name)}, pin: ${code.digest} }`),
    ])
    const next = `${file} is sealed, so the pins stand in it. Write these lines there, and have it signed: ${toolLine('policy', `sign ${file} --key <path>`)}`
    return { lines, next }
  }
  const lines = pinned.map(({ name, code }) => `${code.digest}  ${name}`)
  const words = '# The packs as somebody looked at them. Written by: bellhop packs pin (npm run packs -- pin)'
  writeFileSync(lockFileOf(env), `${[words, ...lines].join('\n')}\n`)
  return { lines, next: 'Pinned in packs.lock, beside bellhop.yml.' }
}
