import { execFileSync, fork } from 'node:child_process'
import {
  cpSync,
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
import { type Fault, faultsIn } from './operators.ts'
import type { Order, Verdict } from './plant.ts'
import { readReach, testsReaching } from './reach.ts'

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
    copies: { type: 'string', default: '1' },
    /** Test files or folders to try instead of those that reach a line, for a quick look at one file. */
    tests: { type: 'string' },
  },
})
const random = createRandom(Number(values.seed.replaceAll('-', '')))
console.log(`seed ${values.seed}, ${values.sample} faults for each part (--sample all for every one)`)

const chosen =
  positionals.length === 0
    ? parts
    : positionals.map((name) => parts.find((part) => part.name === name) ?? { name, files: name, goal: 90 })
const named = values.tests?.split(',').flatMap((path) => testsUnder(path))
const reach = named === undefined ? await readReach() : {}
const orders: (Order & { part: string })[] = chosen.flatMap(({ name, files }) =>
  sampled(globSync(files).flatMap((file) => faultsIn(file, readFileSync(file, 'utf8')))).map((fault) => ({
    fault,
    part: name,
    tests: named ?? testsReaching(reach, fault.file, fault.start),
  })),
)
const partOf = new Map(orders.map(({ fault, part }) => [keyOf(fault), part]))
const verdicts: Verdict[] = []
const queue = [...orders]
await Promise.all(Array.from({ length: Number(values.copies) }, () => workInACopy()))
report()

/** A copy of the project, in which faults are planted one at a time. */
function workInACopy(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of files.trim().split('\n')) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
  const child = fork(join(folder, 'test/mutants/plant.ts'), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.on('message', (message: Verdict | 'ready') => {
      if (message !== 'ready') {
        verdicts.push(message)
        if (message.by === null)
          console.log(`${verdicts.length}/${orders.length} SURVIVED ${lineOf(message.fault)}`)
        else if (verdicts.length % 25 === 0) console.log(`${verdicts.length}/${orders.length}`)
      }
      child.send(queue.shift() ?? 'end')
    })
    child.on('exit', (code) => {
      rmSync(folder, { recursive: true, force: true })
      if (code === 0) resolve()
      else reject(new Error(`a copy ended with code ${code}`))
    })
  })
}

function testsUnder(path: string): string[] {
  return path.endsWith('.test.ts') ? [path] : globSync(`${path}/**/*.test.ts`)
}

function report(): void {
  const survivors = verdicts.filter(({ by }) => by === null)
  for (const { name, goal } of chosen) {
    const mine = verdicts.filter(({ fault }) => partOf.get(keyOf(fault)) === name)
    const noticed = mine.filter(({ by }) => by !== null).length
    const share = mine.length === 0 ? 100 : Math.round((100 * noticed) / mine.length)
    console.log(`${name.padEnd(22)} ${noticed} of ${mine.length} noticed, ${share}% (goal ${goal}%)`)
  }
  mkdirSync('.mutants', { recursive: true })
  writeFileSync('.mutants/survivors.txt', `${survivors.map(({ fault }) => lineOf(fault)).join('\n')}\n`)
  const noticers = Object.groupBy(verdicts, ({ by }) => by ?? 'nobody')
  const counts = Object.entries(noticers).map(([by, list]) => `${list?.length ?? 0} ${by}`)
  writeFileSync(
    '.mutants/noticed-by.txt',
    `${counts.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10)).join('\n')}\n`,
  )
  console.log(
    `${survivors.length} survived: .mutants/survivors.txt; who noticed the others: .mutants/noticed-by.txt`,
  )
}

function lineOf({ file, start, end, replacement, kind }: Fault): string {
  const text = readFileSync(file, 'utf8')
  const line = text.slice(0, start).split('\n').length
  const short = (words: string) => words.replace(/\s+/g, ' ').slice(0, 80)
  return `${file}:${line} ${kind}: ${short(text.slice(start, end))} -> ${short(replacement) || '(nothing)'}`
}

function keyOf({ file, start, end, replacement }: Fault): string {
  return [file, start, end, replacement].join(' ')
}

function sampled(faults: Fault[]): Fault[] {
  if (values.sample === 'all') return faults
  return faults
    .map((fault) => ({ fault, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .slice(0, Number(values.sample))
    .map(({ fault }) => fault)
}
