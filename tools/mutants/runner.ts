import { appendFileSync, readFileSync } from 'node:fs'
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import type { Note, Try, TryOrder } from './notes.ts'

/** What the switches of the sources read and write. */
const shared = globalThis as { planted?: string; plantedRan?: boolean; plantedAsked?: Set<string> }
const { tries, longest }: TryOrder = JSON.parse(readFileSync(process.env.MUTANTS_ORDER as string, 'utf8'))
const noticed = new Set<number>()
/** The fault that the last try noticed, and with which of its tests. */
let suspected: { fault: number; upTo: number } | undefined

/**
 * Turns the switch of the fault on before a test file is read. What its tests may take follows from what they took when
 * nothing was planted, on the same machine and as busy.
 */
// biome-ignore lint/style/noDefaultExport: vitest asks for the default export of a runner
export default class PlantingRunner extends TestRunner {
  private at = 0
  private try: Try = { test: '', fault: 0 }
  private isSkipped = false
  private isFailed = false
  private began = 0
  private longest = 0
  /** Which test of the file it is. */
  private case = -1
  private caseBegan = 0
  private cases: { ms: number; asked: Set<string> }[] = []
  private outside = new Set<string>()

  /** Before its own file is read: `onCollectStart` comes after that. */
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup') return super.importFile(file, source)
    this.begin(Number(/-(\d+)\.test\.ts$/.exec(file)?.[1]))
    return this.isSkipped ? undefined : super.importFile(file, source)
  }

  private begin(at: number): void {
    this.at = at
    this.try = tries[at] as Try
    const { test, fault, isCheck } = this.try
    // One test file that notices is enough.
    this.isSkipped = isCheck ? suspected === undefined : noticed.has(fault)
    if (!isCheck) suspected = undefined
    this.isFailed = false
    this.began = Date.now()
    this.longest = 0
    this.case = -1
    this.cases = []
    this.outside = new Set()
    shared.planted = String(fault)
    shared.plantedRan = false
    shared.plantedAsked = this.outside
    process.env.PLANTED = String(fault)
    const limit = Math.max(6_000, 6 * (longest[test] ?? 10_000))
    Object.assign(this.config, { testTimeout: limit, hookTimeout: limit })
    this.config.expect.poll = { interval: 10, timeout: limit / 2 }
    this.note('began')
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    this.case += 1
    const { fault, cases, isCheck } = this.try
    const isChosen = cases === undefined || cases.includes(this.case)
    const isOver = isCheck ? this.case > (suspected?.upTo ?? 0) : this.isFailed && fault > 0
    if (!isChosen || isOver) test.mode = 'skip'
    this.caseBegan = Date.now()
    shared.plantedAsked = new Set()
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') {
      if (!this.isFailed && this.try.fault > 0) suspected = { fault: this.try.fault, upTo: this.case }
      this.isFailed = true
    }
    this.longest = Math.max(this.longest, test.result?.duration ?? 0)
    this.cases[this.case] = { ms: Date.now() - this.caseBegan, asked: shared.plantedAsked ?? new Set() }
    shared.plantedAsked = this.outside
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    const { fault, isCheck } = this.try
    const isFailed =
      !this.isSkipped && (this.isFailed || files.some(({ result }) => result?.state === 'fail'))
    if (isFailed && fault > 0) suspected ??= { fault, upTo: this.case }
    if (isCheck && !this.isSkipped && !isFailed) noticed.add(suspected?.fault ?? 0)
    shared.planted = '0'
    this.note(isFailed ? 'failed' : 'passed')
  }

  private note(state: Note['state']): void {
    const isSound = state !== 'began' && this.try.fault === 0 && !this.try.isCheck
    const note: Note = {
      at: this.at,
      state,
      ran: shared.plantedRan === true,
      outside: isSound ? [...this.outside] : [],
      cases: isSound
        ? Array.from(this.cases, (one) => ({ ms: one?.ms ?? 0, asked: [...(one?.asked ?? [])] }))
        : [],
      ms: Date.now() - this.began,
      longest: this.longest,
      pid: process.pid,
      cpu: process.cpuUsage().user / 1e6,
    }
    appendFileSync(process.env.MUTANTS_NOTES as string, `${JSON.stringify(note)}\n`)
  }
}
