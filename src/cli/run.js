// Starts a TypeScript entry, or says in one sentence why it cannot. Plain JavaScript without dependencies, so
// that it also runs on an old Node and without installed packages.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const { createRequire, enableCompileCache, registerHooks } = nodeModule
const self = fileURLToPath(import.meta.url)
const root = join(dirname(self), '..', '..')
/** Whether npm installed Bellhop as a package, among its dependencies; otherwise it is a clone or the image. */
const isPackage = basename(dirname(root)) === 'node_modules'
const [entry, ...args] = process.argv.slice(2)
/** The entry of `bin/bellhop`, which may be started by any Node. */
const isCommand = entry === 'src/cli/bellhop.ts'

const ownNode = findOwnNode()
const fault = (!isPackage && installFault()) || entryFault()
if (fault) refuse(fault)
else if (isNewEnough()) await start()
else if ((process.env.npm_lifecycle_event || isCommand) && ownNode) startOnOwnNode()
else refuse(nodeFault())

function refuse(sentence) {
  process.stderr.write(`bellhop: ${sentence}\n`)
  process.exitCode = 1
}

async function start() {
  // Reuse compiled code from earlier starts; this halves the time until the bot is ready.
  if (enableCompileCache) enableCompileCache()
  if (registerHooks) findModulesOnce()
  const file = join(root, entry)
  process.argv = [process.argv[0], file, ...args]
  const tool = entry === 'src/main.ts' ? 'start' : /^src\/cli\/([a-z]+)\.ts$/.exec(entry)?.[1]
  if (tool && (args.includes('--help') || args.includes('-h'))) {
    const { answersHelp } = await import(urlOf(join(root, 'src/cli/bellhop/help.ts')))
    if (answersHelp(tool, args)) return
  }
  await import(urlOf(file))
}

/**
 * Node takes the types out of no file that has node_modules in its address. Spelled in another way, the address leads to
 * the same file, and whatever it imports by path inherits the spelling.
 */
function urlOf(path) {
  return pathToFileURL(path).href.replaceAll('/node_modules/', '/node%5Fmodules/')
}

function findOwnNode() {
  const name = `node-${process.platform}-${process.arch}`
  try {
    return createRequire(join(root, 'package.json')).resolve(`${name}/bin/node`)
  } catch {
    return undefined
  }
}

/**
 * An import by path names its file as it is, and a package is the same one for all our files. Node would look for each of
 * them anew, which takes a fifth of the start.
 */
function findModulesOnce() {
  const ours = urlOf(join(root, '/'))
  const theirs = `${ours}node_modules/`
  const entryUrl = urlOf(join(root, entry))
  const packages = new Map()
  // What packages load whole and need one file of, a hundred files in all: the words of zod's errors in fifty languages,
  // and types of Slack, of which two lists are left in JavaScript.
  const usedParts = {
    'zod/v4/locales/index.js': 'zod/v4/locales/en.js',
    '@slack/types/dist/index.js': '@slack/types/dist/message-metadata.js',
  }
  registerHooks({
    resolve(specifier, context, find) {
      const { parentURL = '' } = context
      if (specifier === entryUrl) return { url: entryUrl, format: 'module-typescript', shortCircuit: true }
      if (!parentURL.startsWith(ours)) return find(specifier, context)
      if (parentURL.startsWith(theirs)) {
        const isFile = specifier.startsWith('.') && specifier.endsWith('.js')
        const found = isFile
          ? { url: fileAt(specifier, parentURL), shortCircuit: true }
          : find(specifier, context)
        const part = usedParts[found.url.slice(theirs.length)]
        return part ? { ...found, url: theirs + part } : found
      }
      if (specifier.startsWith('.') || specifier.startsWith(ours)) {
        if (!specifier.endsWith('.ts')) return find(specifier, context)
        return { url: fileAt(specifier, parentURL), format: 'module-typescript', shortCircuit: true }
      }
      // A package may have one file for import and another for require.
      const key = [specifier, ...context.conditions].join(' ')
      if (!packages.has(key)) packages.set(key, { ...find(specifier, context), shortCircuit: true })
      return packages.get(key)
    },
  })
}

/** As `new URL` finds it, in a quarter of the time for a plain path such as `./name.js` or `../../folder/name.js`. */
function fileAt(specifier, parentURL) {
  let folder = parentURL.lastIndexOf('/')
  let rest = specifier.startsWith('./') ? 2 : 0
  for (; specifier.startsWith('../', rest); rest += 3) folder = parentURL.lastIndexOf('/', folder - 1)
  const isPlain =
    rest > 0 && specifier[rest] !== '.' && !specifier.includes('/.', rest) && !/[^\w@./-]/.test(specifier)
  return isPlain ? parentURL.slice(0, folder + 1) + specifier.slice(rest) : new URL(specifier, parentURL).href
}

/**
 * npm 11 puts the Node that was installed with the packages first on the PATH. npm 10, which comes with Node
 * 20, removes that link together with the package of the other platform, so an old Node can get here through
 * `npm start` too.
 */
function startOnOwnNode() {
  const { npm_lifecycle_event: _, ...env } = process.env
  env.PATH = dirname(ownNode) + delimiter + env.PATH
  const flags = process.execArgv.filter((flag) => flag.startsWith('--max-') || flag === '--preserve-symlinks')
  const child = spawn(ownNode, [...flags, self, entry, ...args], { stdio: 'inherit', env })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  // The terminal sends the signal to both processes; the child decides when to exit.
  process.on('SIGINT', () => {})
  child.on('exit', (code) => {
    process.exitCode = code === null ? 1 : code
  })
}

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 18)
}

function nodeFault() {
  const cure = ownNode
    ? 'start it with npm start or npm run ..., which uses its own Node.'
    : 'install a newer one from https://nodejs.org.'
  return `this is Node ${process.versions.node} and Bellhop needs 22.18 or newer: ${cure}`
}

function installFault() {
  const manifest = read('package.json')
  const lock = read('package-lock.json')
  const installed = read('node_modules/.package-lock.json')
  if (!installed) return 'the packages are not installed: run npm ci.'
  // A container image may leave out the lock file; the packages there were installed from it.
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
  // `npm ci --omit=dev` is a complete install too: development packages are checked only where some are
  // installed.
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
