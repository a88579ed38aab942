import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Lock, type Locked, missingOptional } from './gate/lock.ts'

const file = 'package-lock.json'

/**
 * npm leaves the binaries of other platforms out of the lock file when its registry does not have them, and
 * `npm ci` then refuses that lock file. This adds them, from the registry where possible and from their names
 * otherwise.
 */
const lock: Lock = JSON.parse(await readFile(file, 'utf8'))
const missing = missingOptional(lock)
const added = await Promise.all(
  missing.map(async ({ name, version, by }) => {
    const sibling = siblingOf(lock, by)
    const known = (await published(name, version)) ?? platformOf(name)
    return [`node_modules/${name}`, toLocked(version, known, sibling)] as const
  }),
)
lock.packages = Object.fromEntries(
  [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, 'en')),
)
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`)

const unverified = added.filter(([, { integrity }]) => !integrity).length
console.log(`${added.length} packages added to ${file}, ${unverified} of them without a digest to check.`)

/** A platform package of the same parent that npm did lock, as a template for the others. */
function siblingOf({ packages }: Lock, by: string): Locked {
  const names = Object.keys(packages[by]?.optionalDependencies ?? {})
  return names.map((name) => packages[`node_modules/${name}`]).find((locked) => locked?.os) ?? {}
}

async function published(name: string, version: string): Promise<Locked | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, '--json'])
    const { os, cpu, libc, license, engines, dist } = JSON.parse(stdout)
    return { os, cpu, libc, license, engines, integrity: dist.integrity }
  } catch {
    return undefined
  }
}

function platformOf(name: string): Locked {
  const words = name.replace(/^.*\//, '').replace('linuxmusl', 'linux-musl').split('-')
  const os = words.find((word) =>
    /^(aix|android|darwin|(free|net|open)bsd|linux|openharmony|sunos|win32)$/.test(word),
  )
  const cpu = words.find((word) => /^(arm|arm64|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)$/.test(word))
  if (!os || !cpu) throw new Error(`${name} is not in the registry, and its name does not say its platform`)
  // A package without a C library in its name is installed for both: slower, but never wrong.
  const libc = words.includes('musl') ? 'musl' : words.includes('gnu') ? 'glibc' : undefined
  return { os: [os], cpu: [cpu], ...(os === 'linux' && libc && { libc: [libc] }) }
}

/** The fields in the order in which npm writes them, so that the next npm run does not change them. */
function toLocked(version: string, known: Locked, { dev, license, peer, engines }: Locked): Locked {
  return {
    version,
    ...(known.integrity && { integrity: known.integrity }),
    ...(known.cpu && { cpu: known.cpu }),
    ...(dev && { dev }),
    ...(known.libc && { libc: known.libc }),
    ...((known.license ?? license) && { license: known.license ?? license }),
    optional: true,
    ...(known.os && { os: known.os }),
    ...(peer && { peer }),
    ...((known.engines ?? engines) && { engines: known.engines ?? engines }),
  } as Locked
}
