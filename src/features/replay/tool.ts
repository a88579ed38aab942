import { readFileSync } from 'node:fs'
import type { PolicyTool } from '../../kernel/feature.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { wallTime } from '../../lib/clock.ts'
import { parseDuration } from '../../lib/codecs/duration.ts'
import { replayRequests } from './replay.ts'
import { replayView } from './view.ts'

const usage = toolLine('policy', 'replay new.yml [--since 90d] [--json]')

/** That a file is stricter or looser is not a mistake. */
export const replayTool: PolicyTool = {
  line: 'replay new.yml --since 90d [--json]',
  does: 'judges what happened by another file',
  run: async (args, { registry, source, withStore, refuse }) => {
    const { file, since, isJson } = optionsOf(args, refuse)
    const { load, from } = source()
    const reading = load(textIn(file, refuse))
    if (!reading.ok) return refuse(...reading.problems.map((problem) => problem.replace(from, file)))
    const found = await withStore((store) =>
      replayRequests({ store, registry, load }, reading.policy, { since: wallTime() - since }),
    )
    return isJson ? JSON.stringify(found) : replayView(found)
  },
}

type Refuse = Parameters<PolicyTool['run']>[1]['refuse']

const optionsOf = (
  args: readonly string[],
  refuse: Refuse,
): { file: string; since: number; isJson: boolean } => {
  const rest = [...args]
  const take = (flag: string): string | undefined => {
    const at = rest.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`))
    if (at === -1) return undefined
    const [given = '', next] = rest.slice(at)
    rest.splice(at, given === flag ? 2 : 1)
    return given === flag ? (next ?? '') : given.slice(flag.length + 1)
  }
  const isJson = rest.includes('--json')
  if (isJson) rest.splice(rest.indexOf('--json'), 1)
  const written = take('--since') ?? '90d'
  const since = parseDuration(written)
  if (since === null) return refuse(`--since ${written}: say how far back, such as 90d or 12h.`)
  const [file, surplus] = rest
  if (file === undefined || surplus !== undefined) return refuse(`Say which file to judge by: ${usage}`)
  return { file, since, isJson }
}

const textIn = (file: string, refuse: Refuse): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return refuse(`${file} cannot be read. Say which file to judge by: ${usage}`)
  }
}
