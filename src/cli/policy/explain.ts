import { userInfo } from 'node:os'
import type { Registry } from '../../command/registry.ts'
import { type Config, ConfigError } from '../../config.ts'
import { askerOf } from '../../core/authorization.ts'
import { createLog } from '../../log.ts'
import { explainLine } from '../../pipeline/explain.ts'
import { personNamed } from '../../policy/people.ts'
import { openRuntime } from '../../runtime.ts'
import { refusalView } from '../../view/refusals.ts'
import { textOfView } from '../../view/text.ts'
import { readArguments } from '../say/arguments.ts'

export type PolicyTool = { registry: Registry; config: Config }

export const explain = async (args: readonly string[], { registry, config }: PolicyTool): Promise<number> => {
  const { line, as } = readArguments(args)
  if (line === undefined || as === '') {
    throw new ConfigError([
      'Say what to explain: npm run policy -- explain "refund pay_1001 120" --as <person>',
    ])
  }
  const { policy } = config
  const person = as === undefined ? (policy.people[0]?.id ?? 'terminal') : personNamed(policy, as)
  if (!policy.people.some(({ id }) => id === person)) {
    throw new ConfigError([
      `Nobody in ${config.policySource.from} goes by "${person}". Name one of: ${policy.people.map(({ id }) => id).join(', ')}.`,
    ])
  }
  const runtime = await openRuntime(config, {
    registry,
    log: createLog(process.env.LOG_LEVEL ?? 'silent'),
    startSandbox: async () => (await import('../../../sandbox/sandbox.ts')).startSandbox(),
    tasks: false,
  })
  try {
    const { core } = runtime.app
    const asker = askerOf(policy, {
      platform: 'terminal',
      account: person,
      name: person,
      groups: [],
      operator: userInfo().username,
    })
    const explained = await explainLine(
      core,
      { ...asker, name: policy.people.find(({ id }) => id === person)?.name ?? person },
      line,
    )
    const view = explained.ok ? explained.value : refusalView(explained.refusal)
    console[explained.ok ? 'log' : 'error'](textOfView(view, { colour: process.stdout.isTTY }))
    return explained.ok ? 0 : 2
  } finally {
    await runtime.close()
  }
}
