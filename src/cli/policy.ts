import { messengers } from '../../adapters/index.ts'
import { loadCommands } from '../../commands/load.ts'
import { ConfigError, readConfig, readPolicy } from '../config.ts'
import { DatabaseError } from '../storage/database/database.ts'
import { toolLine } from '../tool-words.ts'
import { exitCodes } from './exit-codes.ts'
import { explain } from './policy/explain.ts'
import { replayFile } from './policy/replay.ts'
import { printSchema } from './policy/schema.ts'
import { checkSeal, signFile } from './policy/sign.ts'
import { testFile } from './policy/test.ts'

/** `npm run policy -- explain | test | replay | sign | seal | schema`: exit code 0, 1 if the answer is bad news, 2 if it could not be given. */
const commands = {
  explain,
  test: testFile,
  replay: replayFile,
  sign: signFile,
  seal: checkSeal,
  schema: printSchema,
} as const

const usage = [
  toolLine('policy', 'explain "refund pay_1001 120" --as <person> [--file new.yml]'),
  toolLine('policy', 'test [bellhop.yml]'),
  toolLine('policy', 'replay new.yml --since 90d [--json]'),
  toolLine('policy', 'sign bellhop.yml --key ~/.ssh/id_ed25519'),
  toolLine('policy', 'seal [bellhop.yml]'),
  toolLine('policy', 'schema > bellhop.schema.json'),
].join('\n')

const [name = '', ...rest] = process.argv.slice(2)
try {
  if (name === '--help' || name === '-h') console.log(usage)
  else process.exitCode = await answer()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

async function answer(): Promise<number> {
  const run = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (run === undefined) throw new ConfigError([`There is no "${name}" here. Say one of:\n${usage}`])
  const registry = await loadCommands(messengers)
  return run(rest, {
    registry,
    config: () => readConfig(process.env, registry.all, messengers),
    policy: (file) => readPolicy(process.env, registry.all, messengers, file),
  })
}
