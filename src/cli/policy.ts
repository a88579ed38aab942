import { messengers } from '../../adapters/index.ts'
import { features } from '../features/index.ts'
import type { PolicyTool } from '../kernel/feature.ts'
import { openUpToDate } from '../kernel/store/database/open-up-to-date.ts'
import { createStore } from '../kernel/store/store.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { DatabaseError } from '../lib/sql/database.ts'
import { textOfView } from '../lib/view/text.ts'
import { asksHelp } from './bellhop/help.ts'
import { exitCodes } from './exit-codes.ts'
import { explain, type PolicyDesk } from './policy/explain.ts'
import { printSchema } from './policy/schema.ts'
import { checkSeal, signFile } from './policy/sign.ts'
import { testFile } from './policy/test.ts'
import { ConfigError, readConfig, readPolicy } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommands } from './start/load-commands.ts'

const ofFeatures = Object.fromEntries(features.flatMap(({ policyTools = {} }) => Object.entries(policyTools)))

/** `npm run policy -- explain | test | sign | seal | schema`, and what features add: exit code 0, 1 if the answer is bad news, 2 if it could not be given. */
const commands: Readonly<Record<string, (rest: readonly string[], desk: PolicyDesk) => Promise<number>>> = {
  explain,
  test: testFile,
  ...Object.fromEntries(
    Object.entries(ofFeatures).map(([word, tool]) => [word, (rest, desk) => useTool(tool, rest, desk)]),
  ),
}

/** These need no commands: they look at a text before anybody has vouched for the packs that it names. */
const plain = {
  sign: (rest: readonly string[]) => signFile(rest, ownEnvironment()),
  seal: (rest: readonly string[]) => checkSeal(rest, ownEnvironment()),
  schema: printSchema,
} as const

const usages: Readonly<Record<string, readonly [line: string, does: string]>> = {
  explain: [
    'explain "refund pay_1001 120" --as <person> [--file new.yml]',
    'says what the policy asks of a line',
  ],
  test: ['test [bellhop.yml]', 'runs the tests that stand in the file'],
  ...Object.fromEntries(Object.entries(ofFeatures).map(([word, { line, does }]) => [word, [line, does]])),
  sign: ['sign bellhop.yml --key ~/.ssh/id_ed25519', 'adds your signature to the seal of the file'],
  seal: ['seal [bellhop.yml]', 'says whether the file may come into force'],
  schema: ['schema > bellhop.schema.json', 'prints what editors complete the file by'],
}
const usage = Object.values(usages)
  .map(([line]) => toolLine('policy', line))
  .join('\n')

const [name = '', ...rest] = process.argv.slice(2)
try {
  if (asksHelp([name, ...rest])) console.log(helpOf())
  else process.exitCode = await answer()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

function helpOf(): string {
  const [line, does] = (Object.hasOwn(usages, name) && usages[name]) || []
  return line === undefined ? usage : `${toolLine('policy', line)}\n\nIt ${does}.`
}

async function answer(): Promise<number> {
  if (Object.hasOwn(plain, name)) return plain[name as keyof typeof plain](rest)
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (run === undefined) throw new ConfigError([`There is no "${name}" here. Say one of:\n${usage}`])
  const registry = await loadCommands(messengers)
  return run(rest, {
    registry,
    config: () => readConfig(ownEnvironment(), registry.all, messengers),
    policy: (file) => readPolicy(ownEnvironment(), registry.all, messengers, file),
  })
}

async function useTool(tool: PolicyTool, rest: readonly string[], desk: PolicyDesk): Promise<number> {
  const found = await tool.run(rest, {
    registry: desk.registry,
    source: () => desk.config().policySource,
    withStore: async (use) => {
      const db = await openUpToDate({ ...desk.config().database })
      try {
        return await use(createStore(db, { now: wallTime }))
      } finally {
        await db.close()
      }
    },
    refuse: (...problems) => {
      throw new ConfigError(problems)
    },
  })
  console.log(typeof found === 'string' ? found : textOfView(found, { colour: process.stdout.isTTY }))
  return 0
}
