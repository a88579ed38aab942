import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createVitest, type TestSpecification } from 'vitest/node'
import type { Fault } from './operators.ts'

type Range = { startOffset: number; endOffset: number; count: number }
type Script = { url: string; functions: { ranges: Range[] }[] }
/** What one test file reaches: of each source file, the stretches that ran. */
type Reached = {
  digest: string
  ms: number
  files: Record<string, { digest: string; spans: [number, number][] }>
}
export type Reach = Record<string, Reached>

/**
 * The settings that decide what a run costs. Tried are the tests that run in one process, without browsers and tours of the
 * docs: the near ones with every fault, and the conversations through a messenger with those that the near ones let pass. Of
 * them no file that takes longer than this.
 */
const tried = {
  near: [
    'approvals',
    'audit',
    'bulk',
    'command',
    'commands',
    'core',
    'intent',
    'jobs',
    'model',
    'pipeline',
    'policy',
    'services',
    'storage',
    'things',
    'view',
    'worker',
    'slack/render',
    'discord/render',
  ],
  wide: ['console', 'discord', 'http', 'mcp', 'messenger', 'slack', 'webhooks'],
  longestFileMs: 40_000,
}
export type Width = 'near' | 'wide'
const isIn = (folders: readonly string[], test: string): boolean =>
  folders.some((folder) => test.startsWith(`test/${folder}/`))
const widthOf = (test: string): Width | undefined => {
  if (/replicas|outage|processes|restart|clients|conformance|\/page\/|\.planted-/.test(test)) return undefined
  return isIn(tried.near, test) ? 'near' : isIn(tried.wide, test) ? 'wide' : undefined
}

const kept = '.mutants'
const mapFile = join(kept, 'reach.json')

const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 16)

/** Which test files reach what; only test files that are new or changed since the last run are run again. */
export const readReach = async (): Promise<Reach> => {
  const known: Reach = existsSync(mapFile) ? JSON.parse(readFileSync(mapFile, 'utf8')) : {}
  const raw = join(process.cwd(), kept, 'raw')
  process.env.REACH_FOLDER = raw
  const vitest = await createVitest('test', {
    root: process.cwd(),
    config: 'tools/mutants/vitest.config.ts',
    reporters: [{}],
  })
  const nameOf = ({ moduleId }: TestSpecification) => moduleId.slice(process.cwd().length + 1)
  const all = (await vitest.globTestSpecifications()).filter((each) => widthOf(nameOf(each)) !== undefined)
  const unknown = all.filter((each) => known[nameOf(each)]?.digest !== digestOf(nameOf(each)))
  const result: Reach = {}
  for (const each of all) {
    const reached = known[nameOf(each)]
    if (reached && !unknown.includes(each)) result[nameOf(each)] = reached
  }
  // Some at a time, so that an interrupted run is not lost.
  for (let at = 0; at < unknown.length; at += 20) {
    const some = unknown.slice(at, at + 20)
    rmSync(raw, { recursive: true, force: true })
    mkdirSync(raw, { recursive: true })
    await vitest.runTestSpecifications(some)
    for (const each of some) {
      const reached = collect(join(raw, encodeURIComponent(nameOf(each))), nameOf(each))
      if (reached) result[nameOf(each)] = reached
    }
    rmSync(raw, { recursive: true, force: true })
    writeFileSync(mapFile, JSON.stringify(result))
  }
  await vitest.close()
  delete process.env.REACH_FOLDER
  return result
}

/**
 * The test files that ran the text of a fault. The sources are loaded once for many test files, so whatever reaches a file
 * counts as reaching what it does when it is loaded.
 */
export const testsReaching = (reach: Reach, width: Width, { file, start, isAtLoad }: Fault): string[] =>
  Object.entries(reach)
    .filter(([test, { files, ms }]) => {
      if (widthOf(test) !== width || ms > tried.longestFileMs) return false
      const reached = files[file]
      // Of a file that was changed since, every test that entered it may reach the place.
      if (!reached || isAtLoad || reached.digest !== digestOf(file)) return reached !== undefined
      return reached.spans.some(([from, to]) => from <= start && start < to)
    })
    .map(([name]) => name)

const collect = (folder: string, test: string): Reached | undefined => {
  if (!existsSync(join(folder, 'own.json'))) return undefined
  const records = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  const files: Reached['files'] = {}
  const root = pathToFileURL(`${process.cwd()}/`).href
  for (const { url, functions } of records.flatMap(({ result }) => result as Script[])) {
    const file = url.startsWith(root) ? url.slice(root.length) : ''
    if (!/^(?:src|packs|adapters|commands|verify\.mjs)/.test(file) || !existsSync(file)) continue
    files[file] ??= { digest: digestOf(file), spans: [] }
    files[file].spans.push(...spansOf(functions))
  }
  const ms = Math.max(...records.map((record) => record.ms ?? 0))
  return { digest: digestOf(test), ms, files }
}

/** Ranges of V8 lie inside each other, and the innermost decides. */
const spansOf = (functions: Script['functions']): [number, number][] => {
  const ranges = functions
    .flatMap((each) => each.ranges)
    .sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset)
  const marks = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))].sort(
    (one, other) => one - other,
  )
  const spans: [number, number][] = []
  const open: Range[] = []
  let next = 0
  for (const [at, mark] of marks.entries()) {
    while ((open.at(-1)?.endOffset ?? Number.POSITIVE_INFINITY) <= mark) open.pop()
    for (; ranges[next]?.startOffset === mark; next += 1) open.push(ranges[next] as Range)
    const end = marks[at + 1]
    if (end !== undefined && (open.at(-1)?.count ?? 0) > 0) {
      const last = spans.at(-1)
      if (last && last[1] === mark) last[1] = end
      else spans.push([mark, end])
    }
  }
  return spans
}

/** 0 for a test of the same folder, 1 for one of the same part, 2 for the others. */
export const distance = (test: string, file: string): number => {
  const folders = file.split('/').slice(1, -1)
  const under = `/${test.split('/').slice(1).join('/')}`
  if (folders.length > 0 && under.includes(`/${folders.join('/')}/`)) return 0
  return folders.some((folder) => under.includes(`/${folder}/`)) ? 1 : 2
}
