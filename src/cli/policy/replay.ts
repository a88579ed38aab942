import { readFileSync } from 'node:fs'
import { ConfigError } from '../../config.ts'
import { replay } from '../../pipeline/explaining/replay/replay.ts'
import { replayView } from '../../pipeline/explaining/replay/view.ts'
import { parseDuration } from '../../policy/duration.ts'
import { openUpToDate } from '../../storage/database/open-up-to-date.ts'
import { createStore } from '../../storage/store.ts'
import { toolLine } from '../../tool-words.ts'
import { textOfView } from '../../view/text.ts'
import type { PolicyTool } from './explain.ts'

const usage = toolLine('policy', 'replay new.yml [--since 90d] [--json]')

/** Exit code 0 whatever is found: that a file is stricter or looser is not a mistake. */
export const replayFile = async (
  args: readonly string[],
  { registry, config: readAll }: PolicyTool,
): Promise<number> => {
  const { file, since, json } = optionsOf(args)
  const config = readAll()
  const text = textIn(file)
  const { load } = config.policySource
  const reading = load(text)
  if (!reading.ok)
    throw new ConfigError(reading.problems.map((problem) => problem.replace(config.policySource.from, file)))
  const db = await openUpToDate({ ...config.database })
  try {
    const store = createStore(db, { now: Date.now })
    const found = await replay({ store, registry, load }, reading.policy, { since: Date.now() - since })
    process.stdout.write(
      json
        ? `${JSON.stringify(found)}\n`
        : `${textOfView(replayView(found), { colour: process.stdout.isTTY })}\n`,
    )
    return 0
  } finally {
    await db.close()
  }
}

const optionsOf = (args: readonly string[]): { file: string; since: number; json: boolean } => {
  const rest = [...args]
  const take = (flag: string): string | undefined => {
    const at = rest.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`))
    if (at === -1) return undefined
    const [given = '', next] = rest.slice(at)
    rest.splice(at, given === flag ? 2 : 1)
    return given === flag ? (next ?? '') : given.slice(flag.length + 1)
  }
  const json = rest.includes('--json')
  if (json) rest.splice(rest.indexOf('--json'), 1)
  const written = take('--since') ?? '90d'
  const since = parseDuration(written)
  if (since === null) throw new ConfigError([`--since ${written}: say how far back, such as 90d or 12h.`])
  const [file, surplus] = rest
  if (file === undefined || surplus !== undefined)
    throw new ConfigError([`Say which file to judge by: ${usage}`])
  return { file, since, json }
}

const textIn = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ConfigError([`${file} cannot be read. Say which file to judge by: ${usage}`])
  }
}
