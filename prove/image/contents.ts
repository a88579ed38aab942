import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Check } from './site.ts'
import { type Buildah, standIns } from './stand-ins.ts'

/** Looks at what the Dockerfile adds to its base. What the base brings is a stand-in here, and shows nothing. */
export const checkContents = async (buildah: Buildah, admitted: string[]): Promise<Check[]> => {
  const rootOf = async (image: string) => buildah('mount', await buildah('from', '--pull-never', image))
  const [root, base] = [await rootOf('bellhop'), await rootOf(standIns.distroless)]
  const inBase = new Set(entriesOf(base).map(({ path }) => path))
  const added = entriesOf(root).filter(({ path }) => !inBase.has(path))
  const files = added.filter(({ isDirectory }) => !isDirectory)
  const superfluous = [
    ...files.map(({ path }) => path).filter((path) => !isExpected(path, admitted)),
    ...developmentPackages().filter((path) => existsSync(join(root, path))),
  ]
  const writable = added.filter(({ isOpen }) => isOpen).map(({ path }) => path)
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    {
      what: 'it adds the sources, the packages and one Node to its base: no tests, no development packages',
      seen: superfluous.slice(0, 9).join(', ') || `${files.length} files, ${(size / 1e6).toFixed(0)} MB`,
      ok: superfluous.length === 0,
    },
    {
      what: 'nothing of it may be changed by anybody but root, except /data',
      seen: writable.join(', '),
      ok: writable.join() === 'data',
    },
  ]
}

type Entry = { path: string; bytes: number; isDirectory: boolean; isOpen: boolean }

const entriesOf = (root: string): Entry[] =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const { size, uid, mode } = lstatSync(path)
    const isOpen = !entry.isSymbolicLink() && (uid !== 0 || (mode & 0o022) !== 0)
    return { path: relative(root, path), bytes: size, isDirectory: entry.isDirectory(), isOpen }
  })

const forDevelopment = ['test', 'prove', 'bench', 'docs']

const isExpected = (path: string, admitted: string[]): boolean => {
  const [top, name = ''] = path.split('/')
  const isAdmitted = admitted.includes(name) && !forDevelopment.includes(name)
  return path === 'usr/local/bin/node' || (top === 'app' && (isAdmitted || name === 'node_modules'))
}

const developmentPackages = (): string[] => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  return Object.keys(packages)
    .filter((path) => packages[path]?.dev)
    .map((path) => join('app', path))
}
