import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import type { Note, TryOrder } from './notes.ts'

/** What the switches of the sources read and write. */
const shared = globalThis as { planted?: string; plantedRan?: boolean; plantedAsked?: Set<string> }
const { longest }: TryOrder = JSON.parse(readFileSync(process.env.MUTANTS_ORDER as string, 'utf8'))
const noticed = new Set<number>()

/**
 * Turns the switch of the fault on before a test file is read. What its tests may take follows from what they took when
 * nothing was planted, on the same machine and as busy.
 */
// biome-ignore lint/style/noDefaultExport: vitest asks for the default export of a runner
export default class PlantingRunner extends TestRunner {
  private current = { test: '', fault: 0, began: 0, longest: 0, isFailed: false, isSkipped: false }

  /** Before its own file is read: `onCollectStart` comes after that. */
  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    if (source === 'setup') return super.importFile(file, source)
    this.begin(relative(process.cwd(), file))
    return this.current.isSkipped ? undefined : super.importFile(file, source)
  }

  private begin(file: string): void {
    const [, name = '', number = '0'] = /^(.*)\.planted-(\d+)\w*\.test\.ts$/.exec(file) ?? []
    const [test, fault] = [`${name}.test.ts`, Number(number)]
    // One test file that notices is enough.
    const isSkipped = noticed.has(fault)
    this.current = { test, fault, began: Date.now(), longest: 0, isFailed: false, isSkipped }
    shared.planted = number
    shared.plantedRan = false
    shared.plantedAsked = new Set()
    process.env.PLANTED = number
    const limit = Math.max(6_000, 6 * (longest[test] ?? 10_000))
    Object.assign(this.config, { testTimeout: limit, hookTimeout: limit })
    this.config.expect.poll = { interval: 10, timeout: limit / 2 }
    this.note('began')
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.current.isFailed && this.current.fault > 0) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') this.current.isFailed = true
    this.current.longest = Math.max(this.current.longest, test.result?.duration ?? 0)
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    const { fault, isFailed, isSkipped } = this.current
    const failed = !isSkipped && (isFailed || files.some(({ result }) => result?.state === 'fail'))
    if (failed && fault > 0) noticed.add(fault)
    shared.planted = '0'
    this.note(failed ? 'failed' : 'passed')
  }

  private note(state: Note['state']): void {
    const { test, fault, began, longest: ms } = this.current
    const note: Note = {
      test,
      fault,
      state,
      ran: shared.plantedRan === true,
      asked: fault === 0 ? [...(shared.plantedAsked ?? [])] : [],
      ms: Date.now() - began,
      longest: ms,
      pid: process.pid,
      cpu: process.cpuUsage().user / 1e6,
    }
    appendFileSync(process.env.MUTANTS_NOTES as string, `${JSON.stringify(note)}\n`)
  }
}
