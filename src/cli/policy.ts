import { messengers } from '../../adapters/index.ts'
import { createCommands } from '../../commands/index.ts'
import { ConfigError, readConfig, readPolicy } from '../config.ts'
import { DatabaseError } from '../storage/database/database.ts'
import { explain } from './policy/explain.ts'
import { replayFile } from './policy/replay.ts'
import { testFile } from './policy/test.ts'

/** `npm run policy -- explain | test | replay`: exit code 0, 1 if the answer is bad news, 2 if it could not be given. */
const commands = { explain, test: testFile, replay: replayFile } as const

const usage = `npm run policy -- explain "refund pay_1001 120" --as <person> [--file new.yml]
npm run policy -- test [bellhop.yml]
npm run policy -- replay new.yml --since 90d [--json]`

const [name = '', ...rest] = process.argv.slice(2)
try {
  const run = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (run === undefined) throw new ConfigError([`There is no "${name}" here. Say one of:\n${usage}`])
  const registry = createCommands()
  process.exitCode = await run(rest, {
    registry,
    config: () => readConfig(process.env, registry.all, messengers),
    policy: (file) => readPolicy(process.env, registry.all, messengers, file),
  })
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
