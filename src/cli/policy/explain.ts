import { userInfo } from 'node:os'
import { actorOf } from '../../kernel/actors/authorization.ts'
import type { Registry } from '../../kernel/command/registry.ts'
import { explainLine } from '../../kernel/request/look-ups/explain.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { createLog } from '../../lib/log.ts'
import { refusalView } from '../../lib/view/refusals.ts'
import { textOfView } from '../../lib/view/text.ts'
import { readArguments } from '../say/arguments.ts'
import { type Config, ConfigError, type readPolicy } from '../start/config.ts'
import { ownEnvironment } from '../start/environment.ts'
import { openRuntime } from '../start/runtime.ts'

export type PolicyDesk = {
  registry: Registry
  /** Everything that a start would read. */
  config(): Config
  /** The policy alone: that of the file in use, or of another one. */
  policy(file?: string): ReturnType<typeof readPolicy>
}

export const explain = async (args: readonly string[], tool: PolicyDesk): Promise<number> => {
  const { file, rest } = candidateIn(args)
  const { line, as } = readArguments(rest)
  if (line === undefined || as === '' || file === '') {
    throw new ConfigError([
      `Say what to explain: ${toolLine('policy', 'explain "refund pay_1001 120" --as <person> [--file new.yml]')}`,
    ])
  }
  const config = tool.config()
  const { policy } = file === undefined ? config : tool.policy(file)
  const runtime = await openRuntime(
    { ...config, policy },
    {
      registry: tool.registry,
      log: createLog(ownEnvironment().LOG_LEVEL ?? 'silent'),
      tasks: false,
    },
  )
  const { policy: judgedBy } = runtime.config
  try {
    const operator = userInfo().username
    const actor = actorOf(judgedBy, {
      platform: 'terminal',
      account: '',
      name: operator,
      groups: [],
      operator,
    })
    const explained = await explainLine(runtime.app.core, actor, line, as ?? judgedBy.people[0]?.id ?? '')
    const view = explained.ok ? explained.value : refusalView(explained.refusal)
    console[explained.ok ? 'log' : 'error'](textOfView(view, { colour: process.stdout.isTTY }))
    return explained.ok ? 0 : 2
  } finally {
    await runtime.close()
  }
}

/** Another file to judge by. A line of several words could have a --file of its own, so there the line must be quoted. */
const candidateIn = (args: readonly string[]): { file?: string; rest: readonly string[] } => {
  const at = args.findIndex((arg) => arg === '--file' || arg.startsWith('--file='))
  if (at === -1) return { rest: args }
  const [given = '', next = ''] = args.slice(at)
  const isApart = given === '--file'
  const rest = args.toSpliced(at, isApart ? 2 : 1)
  const words = readArguments(rest).line
  if (words !== undefined && !rest.includes(words)) {
    throw new ConfigError([
      'Put the line in quotes: --file outside of them names the policy file to judge by.',
    ])
  }
  return { file: isApart ? next : given.slice('--file='.length), rest }
}
