import { readFile } from 'node:fs/promises'

type Versions = Record<string, string>

export type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  dev?: boolean
  optional?: boolean
  peer?: boolean
  license?: string
  deprecated?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  engines?: Versions
  dependencies?: Versions
  devDependencies?: Versions
  optionalDependencies?: Versions
}

export type Lock = { packages: Record<string, Locked> }

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/** What would make an install differ from machine to machine, or fail on another one, as a line each. */
export async function lockFaults(): Promise<string[]> {
  const manifest: Locked = JSON.parse(await readFile('package.json', 'utf8'))
  const lock: Lock = JSON.parse(await readFile('package-lock.json', 'utf8'))
  return [
    ...looseVersions(manifest),
    ...disagreements(manifest, lock.packages[''] ?? {}),
    ...Object.entries(lock.packages).flatMap(([path, locked]) => [
      ...entryFaults(path, locked),
      ...supplyFaults(path, locked),
    ]),
    ...missingOptional(lock).map(
      ({ name, by }) => `${by} can need ${name}, which is not locked: npm run lock`,
    ),
  ]
}

/** Licences under which a package may run with ours as it is. LGPL is libvips, which is loaded and not part of it. */
const licences: ReadonlySet<string> = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'PSF-2.0',
  'LGPL-3.0-or-later',
])

/** What whoever runs the bot would have to know of a package that runs with it. */
export function supplyFaults(path: string, { dev = false, license, deprecated }: Locked): string[] {
  if (path === '' || dev) return []
  const strange = (license ?? 'none').split(' AND ').filter((one) => !licences.has(one))
  return [
    ...strange.map((one) => `${path} has the licence ${one}: nobody has looked at it yet`),
    ...(deprecated === undefined ? [] : [`${path} is deprecated: ${deprecated}`]),
  ]
}

/** The optional packages, mostly other platforms' binaries, that `npm ci` asks for and the lock does not list. */
export function missingOptional({ packages }: Lock): { name: string; version: string; by: string }[] {
  return Object.entries(packages).flatMap(([by, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(by, name).some((path) => packages[path]))
      .map(([name, version]) => ({ name, version, by })),
  )
}

/** Where Node would look for a package that the one at `path` imports, nearest first. */
function placesOf(path: string, name: string): string[] {
  const steps = path.split(/\/?node_modules\//).slice(1)
  return Array.from({ length: steps.length + 1 }, (_, up) =>
    [...steps.slice(0, steps.length - up), name].map((step) => `node_modules/${step}`).join('/'),
  )
}

function looseVersions(manifest: Locked): string[] {
  return kinds
    .flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `package.json asks for ${name} ${version}: write one exact version`)
}

function disagreements(manifest: Locked, root: Locked): string[] {
  return kinds.flatMap((kind) => {
    const wanted = manifest[kind] ?? {}
    const held = root[kind] ?? {}
    return Object.keys({ ...wanted, ...held })
      .filter((name) => wanted[name] !== held[name])
      .map(
        (name) =>
          `${name} is ${wanted[name]} in package.json and ${held[name]} in package-lock.json: npm install`,
      )
  })
}

function entryFaults(path: string, { version, resolved, integrity, os }: Locked): string[] {
  if (path === '') return []
  const faults: string[] = []
  if (!version) faults.push(`${path} has no version`)
  if (resolved) faults.push(`${path} names a download address: another registry could not serve it`)
  // A mirror may not carry the binaries of other platforms, and then nobody here can know their digests.
  if (!integrity && !os) faults.push(`${path} has no integrity`)
  return faults
}
