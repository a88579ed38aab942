import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigError } from '../config.ts'
import type { Environment } from '../messenger/definition.ts'
import { packsIn } from '../policy/file/packs-in.ts'

/** A pack that bellhop.yml names, and the folder that it is in. */
export type NamedPack = { named: string; folder: string }

const policyFileOf = (env: Environment): string => env.BELLHOP_CONFIG?.trim() || './bellhop.yml'

const lockFileOf = (env: Environment): string => join(dirname(policyFileOf(env)), 'packs.lock')

/** What `packs` in bellhop.yml names. What else is wrong with the file is told when its policy is read. */
export const namedPacks = (env: Environment): NamedPack[] => {
  const file = policyFileOf(env)
  if (!existsSync(file)) return []
  const named = packsIn(readFileSync(file, 'utf8'))
  const missing = named.filter((one) => folderOf(one, file) === undefined)
  if (missing.length > 0) {
    throw new ConfigError(
      missing.map((one) =>
        isPath(one)
          ? `The pack ${one} that ${file} names is not there. Paths are relative to that file: correct it, or take the pack out of packs.`
          : `The package ${one} that ${file} names under packs is not installed. Install it beside that file: npm install ${one}`,
      ),
    )
  }
  return named.map((one) => ({ named: one, folder: folderOf(one, file) as string }))
}

const isPath = (named: string): boolean => /^(\.{0,2}\/|[a-z]:)/i.test(named)

const folderOf = (named: string, file: string): string | undefined => {
  if (isPath(named)) {
    const folder = resolve(dirname(file), named)
    return existsSync(folder) ? folder : undefined
  }
  try {
    const found = findPackageJSON(named, pathToFileURL(resolve(file)))
    return found === undefined ? undefined : dirname(found)
  } catch {
    return undefined
  }
}

/** The digest of every file of a pack, by name and content; what it depends on is pinned by its own package lock. */
export const digestOfPack = (folder: string): string => {
  const digest = createHash('sha256')
  for (const file of filesIn(folder)) {
    const content = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
    digest.update(`${content}  ${file}\n`)
  }
  return `sha256-${digest.digest('hex')}`
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .filter((file) => !/(^|\/)(node_modules|\.git)\//.test(file))
    .toSorted()

/** The digests on record, by what bellhop.yml calls the packs. */
export const pinnedPacks = (env: Environment): ReadonlyMap<string, string> => {
  const file = lockFileOf(env)
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

/** Puts the packs as they are now on record, and says which. */
export const pinPacks = (env: Environment): string[] => {
  const lines = namedPacks(env).map(({ named, folder }) => `${digestOfPack(folder)}  ${named}`)
  const words = '# The packs as somebody looked at them. Written by: bellhop packs pin (npm run packs -- pin)'
  writeFileSync(lockFileOf(env), `${[words, ...lines].join('\n')}\n`)
  return lines
}
