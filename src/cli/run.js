// Starts a TypeScript entry, or says in one sentence why it cannot. Plain JavaScript without dependencies, so that
// an old Node can read it and a missing install cannot break it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const [entry, ...args] = process.argv.slice(2)

const fault = installFault() || nodeFault() || entryFault()
if (fault) {
  process.stderr.write(`bellhop: ${fault}\n`)
  process.exitCode = 1
} else {
  const file = join(root, entry)
  process.argv = [process.argv[0], file, ...args]
  await import(pathToFileURL(file).href)
}

function nodeFault() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return undefined
  const cure = existsSync(join(root, 'node_modules', '.bin', 'node'))
    ? 'start it with npm start or npm run ..., which brings its own Node.'
    : 'install a newer one from https://nodejs.org.'
  return `this is Node ${process.versions.node} and Bellhop needs 22.18 or newer: ${cure}`
}

function installFault() {
  const manifest = read('package.json')
  const lock = read('package-lock.json')
  const installed = read('node_modules/.package-lock.json')
  if (!installed) return 'the packages are not installed: run npm ci.'
  // A container image may leave the lock file behind; what npm installed there came from it.
  if (!lock) return undefined
  const unlocked = unlockedName(manifest, lock.packages[''])
  if (unlocked) {
    return `package.json and package-lock.json disagree about ${unlocked}: run npm install and commit the lock file.`
  }
  const stale = stalePath(lock.packages, installed.packages)
  return stale && `${stale} is not installed as package-lock.json says: run npm ci.`
}

function unlockedName(manifest, locked) {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    const wanted = manifest[kind] || {}
    const held = locked[kind] || {}
    const name = Object.keys({ ...wanted, ...held }).find((each) => wanted[each] !== held[each])
    if (name) return name
  }
  return undefined
}

function stalePath(locked, installed) {
  // `npm ci --omit=dev` is a whole install too: development packages count only where some are installed.
  const withDev = Object.values(installed).some((each) => each.dev)
  return Object.keys(locked).find((path) => {
    if (path === '') return false
    const { version, optional, dev, devOptional } = locked[path]
    const here = installed[path]
    if (here) return here.version !== version
    return !optional && !devOptional && (!dev || withDev)
  })
}

function entryFault() {
  if (!entry) return 'say which file to run: node src/cli/run.js <entry.ts> [arguments].'
  return existsSync(join(root, entry)) ? undefined : `there is no ${entry} to run.`
}

function read(name) {
  const file = join(root, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
