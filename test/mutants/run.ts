import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
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
import { createFolder, findPostgres, startCluster, stopCluster } from '../harness/postgres.ts'
import { keepFigures, writeFigures } from './figures.ts'
import { type Note, namePlanted, readNotes, type Try } from './notes.ts'
import { type Fault, faultsIn } from './operators.ts'
import { readReach, testsReaching, type Width } from './reach.ts'
import { withSwitches } from './switches.ts'

/** The code that moves money or faces people, with the share of planted faults that its tests should notice. */
const parts: { name: string; files: string; goal: number }[] = [
  { name: 'src/policy', files: 'src/policy/**/*.ts', goal: 95 },
  { name: 'src/approvals', files: 'src/approvals/**/*.ts', goal: 95 },
  { name: 'src/pipeline', files: 'src/pipeline/**/*.ts', goal: 95 },
  { name: 'src/audit', files: 'src/audit/**/*.ts', goal: 95 },
  { name: 'src/services/client', files: 'src/services/client/**/*.ts', goal: 95 },
  { name: 'src/core', files: 'src/core/**/*.ts', goal: 90 },
  { name: 'src/storage', files: 'src/storage/**/*.ts', goal: 90 },
  { name: 'src/intent', files: 'src/intent/**/*.ts', goal: 90 },
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

/** How many test files are tried with one fault in a process of its own. */
const mostFromTheStart = 20

/** The process group of the tests, which must not outlive this process. */
let running: number | undefined

type Planted = Fault & { id: number; tests: string[] }
type Verdict = { fault: Planted; by: string | null }

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
const database =
  postgres && 'folder' in postgres ? await startCluster(postgres.bin, clusterFolder) : postgres?.url
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, async () => {
    if (running !== undefined) process.kill(-running, 'SIGKILL')
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
  const verdicts = await judge(faults)
  const passed = verdicts.filter(({ by }) => by === null)
  const again = named ? [] : await judge(passed.map(({ fault }) => withTests(fault, 'wide')))
  for (const verdict of passed)
    verdict.by = again.find(({ fault }) => fault.id === verdict.fault.id)?.by ?? null
  for (const { file } of faults) cpSync(file, join(folder, file))
  const refused = refusedByTypes(verdicts.flatMap(({ fault, by }) => (by === null ? fault : [])))
  for (const verdict of verdicts) if (refused.includes(verdict.fault)) verdict.by = 'the types'
  report(name, goal, verdicts)
}

/**
 * Each test file alone first, which tells how long it takes and which faults it comes to; then with each of those, the quickest
 * first, until one has noticed it. The sources are loaded once for all of them, so what is decided then is the same for each: a
 * fault in that is tried at last, in a process of its own, and so is any with the files for which it was not on.
 */
async function judge(faults: Planted[]): Promise<Verdict[]> {
  const all = [...new Set(faults.flatMap(({ tests }) => tests))]
  const alone = await runTries(all.map((test): Try => [test, 0]))
  for (const { test } of alone.filter(({ state }) => state === 'failed'))
    console.log(`not tried, because it fails by itself here: ${test}`)
  const healthy = alone.filter(({ state }) => state === 'passed').sort((one, other) => one.ms - other.ms)
  console.log(
    `${healthy.length} test files, ${Math.round(healthy.reduce((sum, { ms }) => sum + ms, 0) / 1000)} s`,
  )
  const noticedBy = new Map<number, string>()
  const tried = new Set<string>()
  const tries = healthy.flatMap(({ test, asked }): Try[] => {
    const mine = faults.filter(
      ({ id, tests, isAtLoad }) => !isAtLoad && tests.includes(test) && asked.includes(String(id)),
    )
    // Healthy again behind them: what a fault left behind must not count for the next.
    return mine.length === 0 ? [] : [...mine.map(({ id }): Try => [test, id]), [test, 0]]
  })
  for (const [test, mine] of Map.groupBy(await runTries(tries, { healthy }), (note) => note.test)) {
    const isClean = mine.findLast(({ fault }) => fault === 0)?.state === 'passed'
    for (const { fault, state, ran: itRan } of mine.filter((note) => note.fault > 0)) {
      if (itRan) tried.add(namePlanted(test, fault))
      if (state !== 'failed' || noticedBy.has(fault)) continue
      if (isClean || (await isNoticedAlone(test, fault, healthy))) noticedBy.set(fault, test)
    }
  }
  console.log(`${noticedBy.size} of ${faults.length} noticed while the sources stay loaded`)
  const isReached = ({ id, tests, isAtLoad }: Planted) =>
    isAtLoad ? tests.length > 0 : healthy.some(({ asked }) => asked.includes(String(id)))
  for (const { id, tests } of faults.filter((fault) => isReached(fault) && !noticedBy.has(fault.id))) {
    // The nearest, which come first in what reaches it.
    const some = tests
      .filter((name) => !tried.has(namePlanted(name, id)))
      .flatMap((name) => healthy.find(({ test }) => test === name) ?? [])
      .slice(0, mostFromTheStart)
    const notes = await runTries(
      some.map(({ test }): Try => [test, id]),
      { healthy, fromTheStart: id },
    )
    const failed = notes.find((note) => note.state === 'failed')
    if (failed) noticedBy.set(id, failed.test)
  }
  for (const fault of faults) if (!isReached(fault)) console.log(`none of them comes to ${lineOf(fault)}`)
  return faults.map((fault) => ({ fault, by: noticedBy.get(fault.id) ?? null }))
}

/** Where something was left behind or the machine was busy: once more without the others, until a healthy try passes beside it. */
async function isNoticedAlone(test: string, fault: number, healthy: Note[]): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const tries: Try[] = [
      [test, fault],
      [test, 0],
    ]
    const [planted, sound] = await runTries(tries, { healthy })
    if (sound?.state === 'passed') return planted?.state === 'failed'
  }
  return false
}

/** What came of the tries. One that never ends, or that ends the process, has failed, and the others go on without it. */
async function runTries(
  tries: Try[],
  { healthy = [], fromTheStart = 0 }: { healthy?: Note[]; fromTheStart?: number } = {},
): Promise<Note[]> {
  if (tries.length === 0) return []
  const [order, notesFile] = [join(folder, '.tries.json'), join(folder, '.notes')]
  const longest = Object.fromEntries(healthy.map((note) => [note.test, note.longest]))
  writeFileSync(order, JSON.stringify({ tries, longest }))
  writeFileSync(notesFile, '')
  const child = spawn(process.execPath, ['test/mutants/plant.ts'], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...process.env,
      MUTANTS_NOTES: notesFile,
      MUTANTS_ORDER: order,
      NODE_COMPILE_CACHE: join(folder, '.compiled'),
      ...(database ? { TEST_DATABASE_URL: database } : {}),
      ...(fromTheStart ? { PLANTED: String(fromTheStart) } : {}),
    },
  })
  const end = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL')
    } catch {
      // None of the group is left.
    }
  }
  const ended = once(child, 'exit').then(end)
  running = child.pid
  const watch = setInterval(() => {
    const last = readNotes(notesFile).at(-1)
    if (last?.state === 'began' && cpuSecondsOf(last.pid) - last.cpu > 40) end()
  }, 2_000)
  await ended
  running = undefined
  clearInterval(watch)
  const notes = readNotes(notesFile)
  const done = notes.filter(({ state }) => state !== 'began')
  const last = notes.at(-1)
  if (last?.state !== 'began') return done
  const failed = [...done, { ...last, state: 'failed' as const }]
  const noticed = new Set(
    failed.flatMap(({ fault, state }) => (state === 'failed' && fault > 0 ? fault : [])),
  )
  const at = tries.findIndex(([test, fault]) => test === last.test && fault === last.fault)
  const left = tries.slice(at + 1).filter(([, fault]) => !noticed.has(fault))
  const others = fromTheStart ? [] : await runTries(left, { healthy })
  return [...failed, ...others]
}

/** What a process has computed, whatever else the machine does. */
function cpuSecondsOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
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
