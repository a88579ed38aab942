import { execFileSync, spawn } from 'node:child_process'
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
import { readNotes } from './notes.ts'
import { type Fault, faultsIn } from './operators.ts'
import type { Try } from './plant.ts'
import { readReach, testsReaching } from './reach.ts'
import { planted, withSwitches } from './switches.ts'

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
  },
})
const random = createRandom(Number(values.seed.replaceAll('-', '')))
console.log(`seed ${values.seed}, ${values.sample} faults for each part (--sample all for every one)`)

/** The process group of the tests, which must not outlive this process. */
let running: number | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (running !== undefined) process.kill(-running, 'SIGKILL')
    process.exit(1)
  })

type Planted = Fault & { id: number; tests: string[] }
type Verdict = { fault: Planted; by: string | null }

const chosen =
  positionals.length === 0
    ? parts
    : positionals.map((name) => parts.find((part) => part.name === name) ?? { name, files: name, goal: 90 })
const named = values.tests?.split(',').flatMap((path) => testsUnder(path))
const reach = named === undefined ? await readReach() : {}
const folder = createCopy()
const postgres = findPostgres()
const clusterFolder = createFolder()
const database =
  postgres && 'folder' in postgres ? await startCluster(postgres.bin, clusterFolder) : postgres?.url
try {
  for (const part of chosen) await tryPart(part)
} finally {
  await stopCluster(clusterFolder)
  rmSync(folder, { recursive: true, force: true })
}

async function tryPart({ name, files, goal }: (typeof parts)[number]): Promise<void> {
  const sample = sampled(globSync(files).flatMap((file) => faultsIn(file, readFileSync(file, 'utf8'))))
  const faults = sample.map((fault, at): Planted => {
    const tests = named ?? testsReaching(reach, fault.file, fault.start)
    return { ...fault, id: at + 1, tests }
  })
  for (const [file, its] of Map.groupBy(faults, (fault) => fault.file))
    writeFileSync(join(folder, file), withSwitches(readFileSync(file, 'utf8'), its))
  const verdicts = await judge(faults)
  for (const { file } of faults) cpSync(file, join(folder, file))
  for (const verdict of verdicts)
    if (verdict.by === null && !passesTypes(verdict.fault)) verdict.by = 'the types'
  report(name, goal, verdicts)
}

/** First all faults together in processes that load the sources once, then alone what was asked only while they were loaded. */
async function judge(faults: Planted[]): Promise<Verdict[]> {
  const noticedBy = new Map<number, string>()
  const ran = new Set<number>()
  const sound = new Set<string>()
  for (const [from, to] of [
    [0, 1],
    [1, 4],
    [4, 14],
    [14, 999],
  ] as const) {
    const wanted = faults.flatMap(({ id, tests }) =>
      noticedBy.has(id) ? [] : tests.slice(from, to).map((test): Try => [test, id]),
    )
    const byTest = Map.groupBy(wanted, ([test]) => test)
    for (const [test, fault, failed, itRan] of await tryAll([...byTest.values()])) {
      if (fault === 0) sound.add(test)
      else if (failed && !noticedBy.has(fault)) noticedBy.set(fault, test)
      if (itRan) ran.add(fault)
    }
    console.log(`tests ${from} to ${to} of each: ${noticedBy.size} of ${faults.length} noticed`)
  }
  for (const { id, tests } of faults.filter((fault) => !noticedBy.has(fault.id) && !ran.has(fault.id))) {
    const tries = tests
      .filter((test) => sound.has(test))
      .slice(0, 16)
      .map((test): Try => [test, id])
    const failed = (await runTries(tries, id)).find((note) => note.state === 'failed')
    if (failed) noticedBy.set(id, failed.test)
  }
  return faults.map((fault) => ({ fault, by: noticedBy.get(fault.id) ?? null }))
}

type Result = [test: string, fault: number, failed: boolean, ran: boolean]

/** Each test file healthy, with each of its faults, and healthy again: what a fault left behind must not count for the next. */
async function tryAll(groups: Try[][]): Promise<Result[]> {
  const tries = groups.flatMap((group): Try[] => {
    const [test] = group[0] as Try
    return [[test, 0], ...group, [test, 0]]
  })
  const notes = Map.groupBy(await runTries(tries), ({ test }) => test)
  const results: Result[] = []
  for (const [test, mine] of notes) {
    const healthy = mine.filter(({ fault }) => fault === 0)
    const first = healthy[0]?.state === 'passed'
    const last = healthy.at(-1)?.state === 'passed'
    if (!first) {
      console.log(`not tried, because it fails by itself here: ${test}`)
      continue
    }
    results.push([test, 0, false, false])
    for (const { fault, state, ran } of mine.filter((note) => note.fault > 0)) {
      const failed = state === 'failed'
      // Something was left behind, or the machine was busy: each of them alone.
      const again =
        failed && !last
          ? await runTries([
              [test, 0],
              [test, fault],
            ])
          : undefined
      const still = again ? again.at(-1)?.state === 'failed' && again[0]?.state === 'passed' : failed
      results.push([test, fault, still, ran])
    }
  }
  return results
}

/** What came of the tries. One that never ends, or that ends the process, has failed, and the others go on without it. */
async function runTries(tries: Try[], fromTheStart = 0): Promise<ReturnType<typeof readNotes>> {
  if (tries.length === 0) return []
  const [order, notesFile] = [join(folder, '.tries.json'), join(folder, '.notes')]
  writeFileSync(order, JSON.stringify({ tries, bail: fromTheStart > 0 }))
  writeFileSync(notesFile, '')
  const child = spawn(process.execPath, ['test/mutants/plant.ts', order], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: {
      ...process.env,
      MUTANTS_NOTES: notesFile,
      NODE_COMPILE_CACHE: join(folder, '.compiled'),
      ...(database ? { TEST_DATABASE_URL: database } : {}),
      ...(fromTheStart ? { PLANTED: String(fromTheStart) } : {}),
    },
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  running = child.pid
  const watch = setInterval(() => {
    const last = readNotes(notesFile).at(-1)
    if (last?.state === 'began' && cpuSecondsOf(last.pid) - last.cpu > 40)
      process.kill(-(child.pid as number), 'SIGKILL')
  }, 2_000)
  await ended
  running = undefined
  clearInterval(watch)
  const notes = readNotes(notesFile)
  const done = notes.filter(({ state }) => state !== 'began')
  const last = notes.at(-1)
  if (last?.state !== 'began') return done
  const rest = tries.slice(tries.findIndex(([test, fault]) => test === last.test && fault === last.fault) + 1)
  const others = fromTheStart ? [] : await runTries(last.fault === 0 ? rest : [[last.test, 0], ...rest])
  return [...done, { ...last, state: 'failed' }, ...others]
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

function passesTypes(fault: Fault): boolean {
  const text = readFileSync(fault.file, 'utf8')
  const { start, end } = fault.whole
  writeFileSync(join(folder, fault.file), text.slice(0, start) + planted(text, fault) + text.slice(end))
  try {
    const own = ['--incremental', '--tsBuildInfoFile', '.types']
    execFileSync('node_modules/.bin/tsc', ['--noEmit', '-p', '.', ...own], { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    writeFileSync(join(folder, fault.file), text)
  }
}

function testsUnder(path: string): string[] {
  return path.endsWith('.test.ts') ? [path] : globSync(`${path}/**/*.test.ts`)
}

function report(name: string, goal: number, verdicts: Verdict[]): void {
  const survivors = verdicts.filter(({ by }) => by === null)
  const noticed = verdicts.length - survivors.length
  const share = verdicts.length === 0 ? 100 : Math.round((100 * noticed) / verdicts.length)
  for (const { fault } of survivors) console.log(`SURVIVED ${lineOf(fault)} (${fault.tests.length} tests)`)
  console.log(`${name.padEnd(22)} ${noticed} of ${verdicts.length} noticed, ${share}% (goal ${goal}%)`)
  mkdirSync('.mutants', { recursive: true })
  const file = `.mutants/${name.replaceAll('/', '-').replaceAll('*', 'all')}-${values.seed}.txt`
  const lines = verdicts.map(({ fault, by }) => `${by ?? 'SURVIVED'}\t${lineOf(fault)}`)
  writeFileSync(file, `${lines.join('\n')}\n`)
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
