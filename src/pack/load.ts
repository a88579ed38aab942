import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pack } from '../command/pack.ts'
import { ConfigError, isDemo } from '../config.ts'
import type { Environment, MessengerDefinition } from '../messenger/definition.ts'
import { toolLine } from '../tool-words.ts'
import { faultsOf } from './check.ts'
import { digestOfPack, type NamedPack, namedPacks, pinnedPacks } from './lock.ts'

export type LoadOptions = {
  /** The packs that come with the bot, whose names are taken. */
  own: readonly Pack[]
  messengers: readonly MessengerDefinition[]
  warn(words: string): void
}

/**
 * The packs that bellhop.yml names. A pack is trusted code, so nothing of it runs before its files are what somebody pinned;
 * only the demo takes what nobody has pinned yet.
 */
export const loadPacks = async (
  env: Environment,
  { own, messengers, warn }: LoadOptions,
): Promise<Pack[]> => {
  const named = namedPacks(env)
  if (named.length === 0) return []
  const pinned = pinnedPacks(env)
  const unpinned = named.filter((one) => !pinned.has(one.named))
  const refuseUnpinned = () => refuse(unpinned.map(unpinnedWords))
  refuse(
    named
      .filter((one) => pinned.has(one.named) && pinned.get(one.named) !== digestOfPack(one.folder))
      .map(
        (one) =>
          `The pack ${one.named} has changed since it was pinned, so nothing of it was run. Look at what changed, then: ${toolLine('packs', 'pin')}`,
      ),
  )
  if (!isDemo(env, messengers, own)) refuseUnpinned()
  shareSurface()
  const packs: Pack[] = []
  for (const one of named) {
    const pack = await packAt(one)
    refuse(faultsOf(one.named, pack, [...own, ...packs]))
    packs.push(pack as Pack)
  }
  if (!isDemo(env, messengers, packs)) refuseUnpinned()
  for (const one of unpinned) warn(unpinnedWords(one))
  return packs
}

const unpinnedWords = ({ named }: NamedPack): string =>
  `The pack ${named} is not pinned. Only the demo runs it so: look at its files, then: ${toolLine('packs', 'pin')}`

const refuse = (problems: readonly string[]): void => {
  if (problems.length > 0) throw new ConfigError(problems)
}

const packAt = async ({ named, folder }: NamedPack): Promise<unknown> => {
  const file = entryOf(folder)
  if (file === undefined) {
    throw new ConfigError([`The pack ${named} has no index.ts, no index.js and no main in its package.json.`])
  }
  try {
    const module = (await import(pathToFileURL(file).href)) as { pack?: unknown }
    return module.pack
  } catch (error) {
    throw new ConfigError(
      [`The pack ${named} cannot be loaded: ${(error as Error).message}`],
      undefined,
      error,
    )
  }
}

const entryOf = (folder: string): string | undefined => {
  const about = join(folder, 'package.json')
  const { main } = existsSync(about)
    ? (JSON.parse(readFileSync(about, 'utf8')) as { main?: string })
    : { main: undefined }
  return [...(main === undefined ? [] : [main]), 'index.ts', 'index.js']
    .map((file) => resolve(folder, file))
    .find((file) => existsSync(file))
}

let isShared = false

/** Wherever a pack lies, `bellhop/pack` is this bot's own: a second copy would know none of its services. */
const shareSurface = (): void => {
  if (isShared) return
  isShared = true
  const url = new URL(`./surface${extname(import.meta.url)}`, import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'bellhop/pack' ? { url, shortCircuit: true } : next(specifier, context),
  })
}
