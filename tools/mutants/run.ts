import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../../prove/random.ts'
import { createFolder, findPostgres, startCluster, stopCluster } from '../../test/harness/postgres.ts'
import { keepFigures, writeFigures } from './figures.ts'
import { judge, type Planted, type Verdict } from './judge.ts'
import { type Fault, faultsIn } from './operators.ts'
import { endProcesses } from './processes.ts'
import { readReach, testsReaching, type Width } from './reach.ts'
import { withSwitches } from './switches.ts'

/** The code that moves money or faces people, with the share of planted faults that its tests should notice. */
const parts: { name: string; files: string; goal: number }[] = [
  { name: 'src/kernel/policy', files: 'src/kernel/policy/**/*.ts', goal: 95 },
  { name: 'src/kernel/law', files: 'src/kernel/law/**/*.ts', goal: 95 },
  { name: 'src/kernel/cards', files: 'src/kernel/cards/**/*.ts', goal: 95 },
  { name: 'src/kernel/change', files: 'src/kernel/change/**/*.ts', goal: 95 },
  { name: 'src/kernel/request', files: 'src/kernel/request/**/*.ts', goal: 95 },
  { name: 'src/kernel/log', files: 'src/kernel/log/**/*.ts', goal: 95 },
  { name: 'src/lib/services/client', files: 'src/lib/services/client/**/*.ts', goal: 95 },
  {
    name: 'src/kernel/actors',
    files: 'src/kernel/{actors,claims,context,load,telling,times}/**/*.ts',
    goal: 90,
  },
  { name: 'src/kernel/store', files: 'src/kernel/store/**/*.ts', goal: 90 },
  { name: 'src/kernel/sayings', files: 'src/kernel/sayings/**/*.ts', goal: 90 },
  { name: 'adapters/*/render', files: 'adapters/*/render/**/*.ts', goal: 90 },
  { name: 'commands', files: 'commands/{refund,upgrade,campaign}/**/*.ts', goal: 90 },
  { name: 'verify.mjs', files: 'verify.mjs', goal: 90 },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    /** Test files or folders to try instead of those that reach a line, for a quick look at one file. */
    tests: { type: 'string' },
    /** Keeps the figures and writes them into docs/proof.md. */
    docs: { type: 'boolean', default: false },
  },
})
const random = createRandom(Number(values.seed.replaceAll('-', '')))
console.log(`seed ${values.seed}, ${values.sample} faults for each part (--sample all for every one)`)

const chosen =
  positionals.length === 0
    ? parts
    : positionals.map((name) => parts.find((part) => part.name === name) ?? { name, files: name, goal: 90 })
const nothing = chosen.find(({ files }) => globSync(files).length === 0)
if (nothing !== undefined) {
  console.error(`"${nothing.name}" is no file, and no part: ${parts.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const named = values.tests?.split(',').flatMap((path) => testsUnder(path))
const reach = named === undefined ? await readReach() : {}
const folder = createCopy()
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const postgres = findPostgres()
const clusterFolder = createFolder()
/** Of its own; a server that the environment names is in there already. */
const database =
  postgres && 'folder' in postgres ? await startCluster(postgres.bin, clusterFolder) : undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    endProcesses()
    await stopCluster(clusterFolder)
    process.exit(1)
  })
try {
  for (const part of chosen) await tryPart(part)
  if (values.docs) writeFigures(parts)
} finally {
  await stopCluster(clusterFolder)
}

async function tryPart({ name, files, goal }: (typeof parts)[number]): Promise<void> {
  const sample = sampled(globSync(files).flatMap((file) => faultsIn(file, readFileSync(file, 'utf8'))))
  const withTests = (fault: Fault & { id: number }, width: Width): Planted => ({
    ...fault,
    tests: named ?? testsReaching(reach, width, fault),
  })
  const faults = sample.map((fault, at) => withTests({ ...fault, id: at + 1 }, 'near'))
  for (const [file, its] of Map.groupBy(faults, (fault) => fault.file))
    writeFileSync(join(folder, file), withSwitches(readFileSync(file, 'utf8'), its))
  const verdicts = await judge(faults, { width: 'near', folder, database })
  const passed = verdicts.filter(({ by }) => by === null)
  const again = named
    ? []
    : await judge(
        passed.map(({ fault }) => withTests(fault, 'wide')),
        { width: 'wide', folder, database },
      )
  for (const verdict of passed)
    verdict.by = again.find(({ fault }) => fault.id === verdict.fault.id)?.by ?? null
  for (const { file } of faults) cpSync(file, join(folder, file))
  const refused = refusedByTypes(verdicts.flatMap(({ fault, by }) => (by === null ? fault : [])))
  for (const verdict of verdicts) if (refused.includes(verdict.fault)) verdict.by = 'the types'
  report(name, goal, verdicts)
}

/** A copy of the project, in which faults are planted. */
function createCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'bellhop-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of files
    .trim()
    .split('\n')
    .filter((each) => existsSync(each))) {
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    cpSync(file, join(copy, file))
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Those that the compiler refuses: all together first, as it mostly refuses none. */
function refusedByTypes(faults: Planted[]): Planted[] {
  if (faults.length === 0 || passesTypes(faults)) return []
  if (!passesTypes([])) throw new Error('the types do not pass with nothing planted: run npm run check')
  return faults.filter((fault) => !passesTypes([fault]))
}

function passesTypes(faults: Planted[]): boolean {
  const files = [...Map.groupBy(faults, ({ file }) => file)]
  for (const [file, its] of files) {
    let text = readFileSync(file, 'utf8')
    let before = text.length
    for (const fault of its.toSorted((one, other) => other.start - one.start)) {
      if (fault.end > before) continue
      text = text.slice(0, fault.start) + fault.replacement + text.slice(fault.end)
      before = fault.start
    }
    writeFileSync(join(folder, file), text)
  }
  try {
    const own = ['--incremental', '--tsBuildInfoFile', '.types']
    execFileSync('node_modules/.bin/tsc', ['--noEmit', '-p', '.', ...own], { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    for (const [file] of files) cpSync(file, join(folder, file))
  }
}

function testsUnder(path: string): string[] {
  return path.endsWith('.test.ts') ? [path] : globSync(`${path}/**/*.test.ts`)
}

function report(name: string, goal: number, verdicts: Verdict[]): void {
  const survivors = verdicts.filter(({ by }) => by === null).map(({ fault }) => lineOf(fault))
  for (const survivor of survivors) console.log(`SURVIVED ${survivor}`)
  const noticed = verdicts.length - survivors.length
  console.log(`${name}: ${noticed} of ${verdicts.length} noticed, goal ${goal} of 100`)
  mkdirSync('.mutants', { recursive: true })
  const file = `.mutants/${name.replace(/\W+/g, '-')}-${values.seed}.txt`
  const lines = verdicts.map(({ fault, by }) => `${by ?? 'SURVIVED'}\t${lineOf(fault)}`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  if (!values.docs) return
  const seed = values.sample === 'all' ? 'all' : values.seed
  keepFigures(name, { seed, planted: verdicts.length, noticed, survivors })
}

function lineOf({ file, start, end, replacement, kind }: Fault): string {
  const text = readFileSync(file, 'utf8')
  const line = text.slice(0, start).split('\n').length
  const short = (words: string) => words.replace(/\s+/g, ' ').slice(0, 80)
  return `${file}:${line} ${kind}: ${short(text.slice(start, end))} -> ${short(replacement) || '(nothing)'}`
}

function sampled(faults: Fault[]): Fault[] {
  if (values.sample === 'all') return faults
  return faults
    .map((fault) => ({ fault, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, Number(values.sample))
    .map(({ fault }) => fault)
}
