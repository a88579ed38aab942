import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pack } from '../../kernel/command/pack.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { Environment, MessengerDefinition } from '../../kernel/messenger/definition.ts'
import { sealIn } from '../../kernel/policy/file/seal.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { ConfigError, isDemo } from '../start/config.ts'
import { faultsOf, featureFaultsOf } from './check.ts'
import { guardCode, packageIn } from './code.ts'
import { type PinnedCode, pinnedCodeOf } from './lock.ts'

export type LoadOptions = {
  /** The packs that come with the bot, whose names are taken. */
  own: readonly Pack[]
  /** Those of the bot itself, likewise. */
  ownFeatures: readonly Feature[]
  messengers: readonly MessengerDefinition[]
  warn(words: string): void
}

/**
 * The packs and features that a policy names. They are trusted code, so nothing of it runs before it is what somebody pinned;
 * only the demo takes what nobody has pinned yet.
 */
export const loadOutside = async (
  env: Environment,
  text: string,
  { own, ownFeatures, messengers, warn }: LoadOptions,
): Promise<{ packs: Pack[]; features: Feature[] }> => {
  const named = pinnedCodeOf(env, text)
  if (named.length === 0) return { packs: [], features: [] }
  const isSealed = sealIn(text) !== null
  const wordsFor = isSealed ? unsealedWords : unpinnedWords
  const unpinned = named.filter(({ pin }) => pin === undefined)
  const refuseUnpinned = () => refuse(unpinned.map(wordsFor))
  refuse(
    named
      .filter(({ pin, code }) => pin !== undefined && pin !== code.digest)
      .map(
        ({ kind, name }) =>
          `The ${kind} ${name} has changed since it was pinned, so nothing of it was run. Look at what changed, then: ${toolLine('packs', 'pin')}`,
      ),
  )
  if (isSealed || !isDemo(env, messengers, own)) refuseUnpinned()
  const packs: Pack[] = []
  const features: Feature[] = []
  for (const one of named) {
    const found = await exportOf(one)
    if (one.kind === 'pack') {
      refuse(faultsOf(one.name, found, [...own, ...packs]))
      packs.push(found as Pack)
    } else {
      refuse(featureFaultsOf(one.name, found, [...ownFeatures, ...features]))
      features.push(found as Feature)
    }
  }
  if (!isDemo(env, messengers, packs)) refuseUnpinned()
  for (const one of unpinned) warn(unpinnedWords(one))
  return { packs, features }
}

const unpinnedWords = ({ kind, name }: PinnedCode): string =>
  `The ${kind} ${name} is not pinned. Only the demo runs it so: look at its files, then: ${toolLine('packs', 'pin')}`

const unsealedWords = ({ kind, name }: PinnedCode): string =>
  `The ${kind} ${name} has no pin in the sealed policy, so nothing of it was run. Look at its files, and have its pin signed with the file: ${toolLine('packs', 'pin')} shows it.`

const refuse = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new ConfigError(problems)
}

const exportOf = async ({ kind, name, code }: PinnedCode): Promise<unknown> => {
  const entry = entryOf(code.folder)
  if (entry === undefined) {
    throw new ConfigError([
      `The ${kind} ${name} has no index.ts, no index.js and no main in its package.json.`,
    ])
  }
  if (!code.files.has(entry)) {
    throw new ConfigError([
      `The ${kind} ${name} begins with ${entry}, which is not in its folder: no pin covers that. Put the file there.`,
    ])
  }
  guardCode(code)
  try {
    const module = (await import(pathToFileURL(entry).href)) as Partial<Record<PinnedCode['kind'], unknown>>
    return module[kind]
  } catch (error) {
    throw new ConfigError(
      [`The ${kind} ${name} cannot be loaded: ${(error as Error).message}`],
      undefined,
      error,
    )
  }
}

/** The file that is loaded first, by its real path. */
const entryOf = (folder: string): string | undefined => {
  const { main } = Object(packageIn(folder)) as { main?: unknown }
  return [...(typeof main === 'string' ? [main] : []), 'index.ts', 'index.js']
    .map((file) => realPathOf(resolve(folder, file)))
    .find((file) => file !== undefined)
}

const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
