import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { findPackageJSON, registerHooks } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { z } from 'zod'
import { ConfigError } from '../start/config.ts'

/** The code of a pack or a feature: every file that may be loaded for it, by its real path, and one digest of them all. */
export type OutsideCode = { folder: string; digest: string; files: ReadonlyMap<string, string> }

/** The files of the folder, and those of the packages that it depends on, which may lie elsewhere. */
export const codeIn = (given: string): OutsideCode => {
  const folder = realpathSync(given)
  const files = new Map<string, string>()
  const own = linesOf(folder, '', files)
  const packages = [...dependenciesOf(folder)].flatMap(([at, name]) => linesOf(at, `${name}: `, files))
  const digest = createHash('sha256')
  for (const line of [...own, ...packages.toSorted()]) digest.update(line)
  return { folder, digest: `sha256-${digest.digest('hex')}`, files }
}

/** A line for each file, by its name: its digest. A link counts as what it leads to. */
const linesOf = (folder: string, before: string, files: Map<string, string>): string[] =>
  namesIn(folder, '', new Set()).map((name) => {
    // A name is one line of what the digest is of.
    if (/[\r\n]/.test(name))
      throw new ConfigError([
        `${JSON.stringify(join(folder, name))} has a line break in its name. Give the file another.`,
      ])
    const path = realpathSync(join(folder, name))
    const content = contentDigest(readFileSync(path))
    files.set(path, content)
    return `${content}  ${before}${name}\n`
  })

const namesIn = (folder: string, inside: string, above: ReadonlySet<string>): string[] => {
  const path = realpathSync(join(folder, inside))
  if (above.has(path)) return []
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== '.git')
    .flatMap((name) => {
      const at = inside === '' ? name : `${inside}/${name}`
      const stat = statSync(join(folder, at), { throwIfNoEntry: false })
      if (stat?.isDirectory()) return namesIn(folder, at, new Set([...above, path]))
      return stat?.isFile() ? [at] : []
    })
    .toSorted()
}

const dependent = z.looseObject({
  dependencies: z.record(z.string(), z.string()).catch({}),
  optionalDependencies: z.record(z.string(), z.string()).catch({}),
  peerDependencies: z.record(z.string(), z.string()).catch({}),
})

/** The folders of the packages that it depends on, and of those that these depend on, with their names. */
const dependenciesOf = (folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> => {
  const about = dependent.safeParse(packageIn(folder))
  if (!about.success) return found
  const { dependencies, optionalDependencies, peerDependencies } = about.data
  const names = Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })
  for (const name of names.filter((one) => one !== 'bellhop')) {
    const at = folderOfPackage(name, join(folder, 'package.json'))
    if (at === undefined || found.has(at)) continue
    found.set(at, name)
    dependenciesOf(at, found)
  }
  return found
}

/** The folder of a package as the code in a file would find it. */
export const folderOfPackage = (name: string, from: string): string | undefined => {
  try {
    const about = findPackageJSON(name, pathToFileURL(from))
    return about === undefined ? undefined : realpathSync(dirname(about))
  } catch {
    return undefined
  }
}

/** What its package.json says; undefined where there is none that can be read. */
export const packageIn = (folder: string): unknown => {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
}

const contentDigest = (content: string | NodeJS.ArrayBufferView): string =>
  createHash('sha256').update(content).digest('hex')

const running: OutsideCode[] = []

/**
 * From here on, the code imports nothing but that code as it was when its digest was made, `bellhop/pack` or `bellhop/feature`,
 * and what comes with Node. Wherever it lies, these are this bot's own: a second copy would know none of its services.
 */
export const guardCode = (code: OutsideCode): void => {
  running.push(code)
  if (running.length > 1) return
  const surfaces: Record<string, string> = { 'bellhop/pack': 'surface', 'bellhop/feature': 'feature-surface' }
  registerHooks({
    resolve: (specifier, context, next) => {
      const surface = surfaces[specifier]
      if (surface !== undefined) {
        const url = new URL(`./${surface}${extname(import.meta.url)}`, import.meta.url).href
        return { url, shortCircuit: true }
      }
      const found = next(specifier, context)
      const importer = fileOf(context.parentURL)
      const packs = running.filter(({ files }) => importer !== undefined && files.has(importer))
      if (packs.length === 0 || found.url.startsWith('node:')) return found
      const file = fileOf(found.url)
      if (file !== undefined && packs.some(({ files }) => files.has(file))) return found
      throw new Error(
        `${importer} imports ${specifier}, which its pin does not cover: it is neither in its folder nor in a package that package.json names under dependencies.`,
      )
    },
    load: (at, context, next) => {
      const loaded = next(at, context)
      const file = fileOf(at)
      const known = running.flatMap(({ files }) => (file === undefined ? [] : (files.get(file) ?? [])))
      if (file === undefined || known.length === 0) return loaded
      const source = loaded.source ?? readFileSync(file)
      if (
        known.includes(
          contentDigest(typeof source === 'string' ? source : new Uint8Array(source as ArrayBuffer)),
        )
      )
        return loaded
      throw new Error(`${file} has changed since it was looked at`)
    },
  })
}

/** By its real path, also where Node was told to keep links as they are written. */
const fileOf = (url: string | undefined): string | undefined => {
  if (!url?.startsWith('file:')) return undefined
  const path = fileURLToPath(new URL(url))
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
