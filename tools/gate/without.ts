import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { type Import, importsOf } from './imports.ts'

/** The only files that a feature leaves a line in. */
const lists = ['src/features/index.ts', 'commands/index.ts']

export const featureNames = (): string[] =>
  existsSync('src/features')
    ? readdirSync('src/features', { withFileTypes: true }).flatMap((one) =>
        one.isDirectory() ? one.name : [],
      )
    : []

/** What goes with features: their folders and tests, the features that need them, and the commands that import any of it. */
export const goneWith = (features: readonly string[], imports: readonly Import[]) => {
  const folders = new Set(features)
  const commands = new Set<string>()
  const isGone = (file: string): boolean =>
    commands.has(file) || folders.has(/^(?:src|test)\/features\/([\w-]+)\//.exec(file)?.[1] ?? '')
  for (let before = -1; before !== folders.size + commands.size; ) {
    before = folders.size + commands.size
    for (const { from, to } of imports) {
      if (!isGone(to) || isGone(from)) continue
      const other = /^src\/features\/([\w-]+)\//.exec(from)?.[1]
      if (other !== undefined) folders.add(other)
      // A file of another folder that needs one of its commands would not be the feature's own.
      const isItsOwn = to.startsWith('src/') || dirname(to) === dirname(from)
      if (/^commands\/[\w-]+\//.test(from) && isItsOwn) commands.add(from)
    }
  }
  return { isGone, commands: [...commands], others: [...folders].filter((one) => !features.includes(one)) }
}

/**
 * A feature can be deleted: nothing that is left imports what goes with it, and nothing is left that it alone used. Types are
 * checked once, without any feature: where each is imported by nobody else, what holds without all of them holds without one.
 */
export async function withoutFaults(tsc: string): Promise<string[]> {
  const features = featureNames()
  if (features.length === 0) return []
  const imports = await importsOf(tsc)
  const named = namesIn([...new Set(imports.map(({ from }) => from))])
  const faults = features.flatMap((feature) => {
    const { isGone } = goneWith([feature], imports)
    const left = imports
      .filter(({ from, to }) => isGone(to) && !isGone(from) && !lists.includes(from))
      .map(({ from, to }) => `${from} -> ${to}: without the feature ${feature} there is no such file`)
    return [
      ...new Set(left),
      ...leftOver(named, isGone).map((one) => `${one}: only the feature ${feature} uses it`),
    ]
  })
  if (faults.length > 0) return faults
  const { root, remove } = copyWithout(features, imports)
  const lines = await typesIn(root, tsc)
  remove()
  return lines.map((line) => `without any feature: ${line}`)
}

type Named = { from: string; to: string; name: string }

/** Which names each file takes from which other, as they are written. */
const namesIn = (files: readonly string[]): Named[] =>
  files.flatMap((from) =>
    [
      ...readFileSync(from, 'utf8').matchAll(
        /^(?:import|export) (?:type )?(\*(?: as \w+)?|\{[^}]*\}) from '(\.[^']+)'/gms,
      ),
    ].flatMap(([, names = '', to = '']) =>
      (names.startsWith('*') ? ['*'] : names.slice(1, -1).split(',')).map((one) => ({
        from,
        to: posix.join(dirname(from), to),
        name: one
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*/, ''),
      })),
    ),
  )

/** What packages from outside import, what stands alone, and libraries, which may know more than is asked of them. */
const isForAll = (file: string): boolean =>
  file.startsWith('src/lib/') ||
  file === 'verify.mjs' ||
  Object.values(JSON.parse(readFileSync('package.json', 'utf8')).exports ?? {}).includes(`./${file}`)

/** Exports that somebody used who is gone, and nobody else, their own file neither. */
const leftOver = (named: readonly Named[], isGone: (file: string) => boolean): string[] =>
  [...Map.groupBy(named, ({ to, name }) => `${to} ${name}`)].flatMap(([key, uses]) => {
    const [{ to, name }] = uses as [Named]
    const isUsed = isGone(to) || uses.some(({ from }) => !isGone(from)) || !existsSync(to)
    const isWhole = named.some((one) => one.to === to && one.name === '*' && !isGone(one.from))
    if (isUsed || isWhole || name === '' || isForAll(to)) return []
    return readFileSync(to, 'utf8').split(new RegExp(`\\b${name}\\b`)).length > 2 ? [] : [key]
  })

/** The project as git has it, in a folder of its own, without features. */
export const copyWithout = (features: readonly string[], imports: readonly Import[]) => {
  const { isGone } = goneWith(features, imports)
  const root = mkdtempSync(join(tmpdir(), 'bellhop-without-'))
  for (const file of trackedFiles()) {
    if (isGone(file)) continue
    mkdirSync(dirname(join(root, file)), { recursive: true })
    if (lists.includes(file)) writeFileSync(join(root, file), withoutLines(file, isGone))
    else copyFileSync(file, join(root, file))
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())

/** A list as it would be: neither the imports of what is gone, nor the names that they gave it. */
const withoutLines = (list: string, isGone: (file: string) => boolean): string => {
  const gone: string[] = []
  const text = readFileSync(list, 'utf8').replace(
    /^import (?:type )?\{([^}]*)\} from '(\.[^']+)'\n/gm,
    (line, names: string, to: string) => {
      if (!isGone(posix.join(dirname(list), to))) return line
      gone.push(...names.split(',').map((one) => one.trim().replace(/.* as /, '')))
      return ''
    },
  )
  return gone.reduce(
    (left, name) => left.replace(new RegExp(`\\s*(?:\\.{3})?\\b${name}\\b(?:\\(\\w*\\))?,?`, 'g'), ''),
    text,
  )
}

/** What the compiler says of a copy. What it remembers of one copy holds for the next, which lies as deep. */
export const typesIn = async (root: string, tsc: string): Promise<string[]> => {
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const kept = join(dirname(compilerOptions.tsBuildInfoFile), 'without.tsbuildinfo')
  const own = join(root, 'without.tsbuildinfo')
  if (existsSync(kept)) copyFileSync(kept, own)
  const lines = await outcomeOf(tsc, ['--noEmit', '--pretty', 'false', '--tsBuildInfoFile', own, '-p', root])
  if (lines.length === 0) copyFileSync(own, kept)
  return lines
}

/** What a tool prints when it fails; nothing when it passes. */
export const outcomeOf = (script: string, args: readonly string[], cwd?: string): Promise<string[]> =>
  new Promise((done) => {
    execFile(process.execPath, [script, ...args], { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const told = `${stdout}${stderr}`.trim()
      done(error ? [told || error.message] : [])
    })
  })
