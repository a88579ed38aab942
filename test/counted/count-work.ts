import { Session } from 'node:inspector/promises'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the bot does for one job, counted: the same on every machine. */
export type Work = {
  /** How often a function of ours was entered. */
  functions: number
  /** How often SQLite was given a statement. */
  statements: number
  /** How often a line was taken to pieces, the law stepped, and the policy asked. */
  parsed: number
  stepped: number
  judged: number
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const isOurs = (file: string): boolean =>
  ['src', 'adapters', 'commands', 'packs'].some((folder) => file.startsWith(`${root}${folder}${sep}`)) &&
  !file.includes(`${sep}sandbox${sep}`)

/** Counts what so many jobs take of this process, each after what it needs; each figure is that of one of them. */
export const countWork = async (
  jobs: number,
  job: (at: number) => Promise<unknown>,
  before: (at: number) => Promise<unknown> = async () => undefined,
): Promise<Work> => {
  const session = new Session()
  session.connect()
  const work: Work = { functions: 0, statements: 0, parsed: 0, stepped: 0, judged: 0 }
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    for (let at = 0; at < jobs; at++) {
      await before(at)
      await session.post('Profiler.takePreciseCoverage')
      await job(at)
      const { result } = await session.post('Profiler.takePreciseCoverage')
      for (const { url, functions } of result) {
        if (!url.startsWith('file:') || !isOurs(fileURLToPath(url.replace(/\?.*$/, '')))) continue
        for (const { functionName, ranges } of functions) {
          const { count = 0, startOffset = 0 } = ranges[0] ?? {}
          // The body of a module is no function of ours.
          if (functionName === '' && startOffset === 0) continue
          work.functions += count
          const kind = kinds.find(([file, names]) => url.includes(file) && names.includes(functionName))?.[2]
          if (kind !== undefined) work[kind] += count
        }
      }
    }
  } finally {
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
  }
  const each = Object.entries(work).map(([what, count]) => [what, Math.round((10 * count) / jobs) / 10])
  return Object.fromEntries(each) as Work
}

const kinds: [file: string, names: string[], kind: keyof Work][] = [
  ['lib/sql/sqlite.ts', ['rows', 'run'], 'statements'],
  ['command/line/lexer.ts', ['lex'], 'parsed'],
  ['law/law.ts', ['follow'], 'stepped'],
  ['policy/evaluate.ts', ['evaluate'], 'judged'],
]
