import { appendFileSync } from 'node:fs'
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import type { Note } from './notes.ts'

const shared = globalThis as {
  planted?: string
  plantedRan?: boolean
  plantedAsked?: Set<string> | undefined
  healthy?: Map<string, { longest: number; asked: Set<string> }>
}

/**
 * Turns the switch of the fault on before a test file is read. The first turn of each is a healthy one, and the time that it
 * takes is the measure of what the others may take: on a busy machine all of them take longer.
 */
// biome-ignore lint/style/noDefaultExport: vitest asks for the default export of a runner
export default class PlantingRunner extends TestRunner {
  private current = { test: '', fault: 0, began: 0, failed: false }
  private longest = 0
  /** The healthy try never came to the place of the fault. */
  private isIdle = false

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    const [, name = '', fault = '0'] = /^(.*)\.planted-(\d+)\w*\.test\.ts$/.exec(file.name) ?? []
    this.current = { test: `${name}.test.ts`, fault: Number(fault), began: Date.now(), failed: false }
    this.longest = 0
    shared.planted = fault
    shared.plantedRan = false
    process.env.PLANTED = fault
    shared.healthy ??= new Map()
    const usual = shared.healthy.get(this.current.test)
    shared.plantedAsked = usual === undefined ? new Set() : undefined
    this.isIdle = this.current.fault > 0 && usual?.asked.has(fault) === false
    const limit = usual === undefined ? 60_000 : Math.max(4_000, 6 * usual.longest)
    Object.assign(this.config, { testTimeout: limit, hookTimeout: limit })
    this.config.expect.poll = { interval: 10, timeout: limit / 2 }
    this.note('began')
  }

  override importFile(file: string, source: 'collect' | 'setup'): unknown {
    return this.isIdle ? undefined : super.importFile(file, source)
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    // One failure is enough.
    if (this.current.failed && this.current.fault > 0) test.mode = 'skip'
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    if (test.result?.state === 'fail') this.current.failed = true
    this.longest = Math.max(this.longest, test.result?.duration ?? 0)
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files)
    const failed =
      !this.isIdle && (this.current.failed || files.some(({ result }) => result?.state === 'fail'))
    if (shared.plantedAsked !== undefined)
      shared.healthy?.set(this.current.test, { longest: this.longest, asked: shared.plantedAsked })
    shared.plantedAsked = undefined
    shared.planted = '0'
    this.note(failed ? 'failed' : 'passed')
  }

  private note(state: Note['state']): void {
    const { test, fault, began } = this.current
    const note: Note = {
      test,
      fault,
      state,
      ran: shared.plantedRan === true,
      ms: Date.now() - began,
      pid: process.pid,
      cpu: process.cpuUsage().user / 1e6,
    }
    appendFileSync(process.env.MUTANTS_NOTES as string, `${JSON.stringify(note)}\n`)
  }
}
