import type { Try } from './notes.ts'
import type { Fault } from './operators.ts'
import { inParallel, runTries, type Tried } from './processes.ts'
import { distance, type Width } from './reach.ts'

/** A fault with the test files that come to it. */
export type Planted = Fault & { id: number; tests: string[] }
/** A fault, and the test file that noticed it. */
export type Verdict = { fault: Planted; by: string | null }

/** What tests may take with one fault, by what they took without it: first the nearest, in the end all that are affordable. */
const rounds: Record<Width, readonly number[]> = {
  near: [1_000, 5_000, 15_000, 45_000],
  wide: [1_000, 10_000],
}
/** How many test files are tried with one fault in a process of its own. */
const maxFromTheStart = 20
/** What reading a test file takes, whichever of its tests run. */
const msToOpen = 50
/** What one process is given at a time: starting it costs some seconds. */
const maxMsAtATime = 30_000

/** Of a test file the tests in which one fault would change something; all of them where that is so outside of its tests. */
type Reached = { test: string; cases?: number[]; ms: number }

/**
 * Each test file alone first, which tells how long each of its tests takes and which faults would change something in it; then
 * each fault with just those tests, until one has noticed it. The sources are loaded once for all of them, so what is decided then
 * is the same for each: a fault in that is tried at last, in a process of its own, and so is any that was not on when it was tried.
 */
export const judge = async (
  faults: Planted[],
  around: { width: Width; folder: string; database: string | undefined },
): Promise<Verdict[]> => {
  const alone = await runAlone([...new Set(faults.flatMap(({ tests }) => tests))], around)
  const longest = Object.fromEntries(alone.map(({ one, note }) => [one.test, note.longest]))
  const reached = reachedIn(alone)
  const noticedBy = new Map<number, string>()
  const ran = new Set<number>()
  /** The files in which a test needs those before it. */
  const needAll = new Set<string>()

  const limits = rounds[around.width]
  for (const [round, limit] of limits.entries()) {
    const before = limits[round - 1] ?? 0
    const tries = faults
      .filter(({ id, isAtLoad }) => !isAtLoad && !noticedBy.has(id))
      .flatMap(({ id, file, tests }) => {
        const rank = ({ test }: Reached) => distance(test, file)
        const nearest = tests
          .flatMap((test) => reached.get(id)?.get(test) ?? [])
          .sort((one, other) => rank(one) - rank(other) || one.ms - other.ms)
        let sum = 0
        return nearest.flatMap(({ test, cases, ms }, at) => {
          // The first one whatever it takes.
          sum += at === 0 ? 0 : ms
          return (at === 0 ? round === 0 : sum > before && sum <= limit)
            ? { test, fault: id, ms, ...(cases && { cases }) }
            : []
        })
      })
    await inParallel(inTurns(tries), tryInOneProcess)
    console.log(`${noticedBy.size} of ${faults.length} noticed by ${tries.length} tries at most`)
  }
  const isReached = ({ id, tests, isAtLoad }: Planted) => (isAtLoad ? tests.length > 0 : reached.has(id))
  await inParallel(
    faults.filter((fault) => isReached(fault) && !noticedBy.has(fault.id) && !ran.has(fault.id)),
    tryFromTheStart,
  )
  return faults.map((fault) => ({ fault, by: noticedBy.get(fault.id) ?? null }))

  /**
   * Behind each that notices the same tests without the fault: what a fault left behind must not count for the next. Where that
   * fails, a test needs those before it in its file, or the fault left something behind: all of the file then, and then alone.
   */
  async function tryInOneProcess(some: Try[]): Promise<void> {
    const tries = some
      .filter(({ fault }) => !noticedBy.has(fault))
      .map(({ cases, ...one }): Try => (needAll.has(one.test) ? one : { ...one, ...(cases && { cases }) }))
      .flatMap((one): Try[] => [one, { ...one, fault: 0, isCheck: true }])
    const tried = await runTries(tries, { ...around, longest })
    const doubtful: Try[] = []
    for (const [at, { one, note }] of tried.entries()) {
      if (one.isCheck) continue
      if (note.ran) ran.add(one.fault)
      if (note.state !== 'failed' || noticedBy.has(one.fault)) continue
      const check = tried[at + 1]
      if (check?.one.isCheck && check.note.state === 'failed') doubtful.push(one)
      else noticedBy.set(one.fault, one.test)
    }
    for (const { test, cases } of doubtful) if (cases) needAll.add(test)
    const inPart = doubtful.filter(({ cases }) => cases !== undefined)
    if (inPart.length > 0) await tryInOneProcess(inPart)
    for (const { test, fault } of doubtful.filter(({ cases }) => cases === undefined)) {
      if (noticedBy.has(fault)) continue
      const [planted, sound] = await runTries(
        [
          { test, fault },
          { test, fault: 0 },
        ],
        { ...around, longest },
      )
      if (sound?.note.state === 'passed' && planted?.note.state === 'failed') noticedBy.set(fault, test)
    }
  }

  async function tryFromTheStart({ id, file, tests, isAtLoad }: Planted): Promise<void> {
    const nearest = tests
      .filter((test) => longest[test] !== undefined && (isAtLoad || reached.get(id)?.has(test)))
      .sort((one, other) => distance(one, file) - distance(other, file))
    const tries = nearest.slice(0, maxFromTheStart).map((test): Try => ({ test, fault: id }))
    const tried = await runTries(tries, { ...around, longest, fromTheStart: id })
    const failed = tried.find(({ note }) => note.state === 'failed')
    if (failed) noticedBy.set(id, failed.one.test)
  }
}

const runAlone = async (
  tests: string[],
  around: { folder: string; database: string | undefined },
): Promise<Tried[]> => {
  const tries = tests.map((test) => ({ test, fault: 0, ms: maxMsAtATime / 10 }))
  // The first one twice: with it a process loads the sources, and that is not what the test takes.
  const warmed = inTurns(tries).map(([first, ...others]) => (first ? [first, first, ...others] : []))
  const tried = (await inParallel(warmed, (some) => runTries(some, around))).flatMap(
    ([, ...others]) => others,
  )
  for (const { one, note } of tried)
    if (note.state === 'failed') console.log(`not tried, because it fails by itself here: ${one.test}`)
  const passed = tried.filter(({ note }) => note.state === 'passed')
  const seconds = Math.round(passed.reduce((sum, { note }) => sum + note.ms, 0) / 1000)
  console.log(`${passed.length} test files, ${seconds} s`)
  return passed
}

/** By the fault, then by the test file. */
const reachedIn = (alone: Tried[]): Map<number, Map<string, Reached>> => {
  const result = new Map<number, Map<string, Reached>>()
  for (const { one, note } of alone) {
    const inCases = new Map<number, number[]>()
    for (const [at, { asked }] of note.cases.entries())
      for (const id of asked) inCases.set(Number(id), [...(inCases.get(Number(id)) ?? []), at])
    const msOf = (cases: number[]) => cases.reduce((sum, at) => sum + (note.cases[at]?.ms ?? 0), 0)
    const keep = (id: number, reached: Reached) =>
      result.set(id, (result.get(id) ?? new Map()).set(one.test, reached))
    for (const [id, cases] of inCases) keep(id, { test: one.test, cases, ms: msToOpen + msOf(cases) })
    for (const id of note.outside.map(Number)) keep(id, { test: one.test, ms: note.ms })
  }
  return result
}

/** What is tried with the same file stands together, in lists that one process comes through in good time. */
const inTurns = (tries: (Try & { ms: number })[]): Try[][] => {
  const turns: Try[][] = []
  let left = 0
  for (const { ms, ...one } of [...Map.groupBy(tries, ({ test }) => test).values()].flat()) {
    if (left < ms) {
      turns.push([])
      left = maxMsAtATime
    }
    turns.at(-1)?.push(one)
    left -= ms
  }
  return turns
}
