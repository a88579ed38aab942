import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { messengers } from '../../adapters/index.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { readConfig } from '../../src/cli/start/config.ts'
import { openRuntime } from '../../src/cli/start/runtime.ts'
import type { Inbound, Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { buttonIdOf } from '../../src/kernel/model/shown.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { newFolder } from '../harness/bot-process.ts'
import { commandsWith } from '../harness/commands.ts'
import { openTestDatabase } from '../harness/database.ts'
import { demoPolicy } from '../harness/demo-policy.ts'
import { runTool } from '../harness/tool.ts'

/** A place for a bot: its environment, and nothing in it yet. */
export const newPlace = async (engine: Engine) => {
  const folder = newFolder()
  const database = engine === 'postgres' ? await openTestDatabase(engine, { empty: true }) : undefined
  const env = {
    DATA_DIR: join(folder, 'data'),
    BELLHOP_CONFIG: join(folder, 'bellhop.yml'),
    HELPER_TOKEN: 'h'.repeat(40),
    ...(database?.url === undefined ? {} : { DATABASE_URL: database.url }),
  }
  return { folder, env, close: async () => database?.close() }
}

/** With a witness in a folder that outlives every machine. */
export const writePolicy = ({ BELLHOP_CONFIG }: { BELLHOP_CONFIG: string }, witness: string): void =>
  writeFileSync(BELLHOP_CONFIG, `${demoPolicy}\nanchor: { every: 1h, folder: ${witness} }\n`)

/** The bot of a place, in this process, with services that outlive it. */
export const openMachine = async (env: Record<string, string>, sandbox: Sandbox) => {
  const registry = commandsWith()
  const config = readConfig(env, registry.all, messengers)
  const outliving: Sandbox = Object.create(sandbox, { close: { value: async () => undefined } })
  const runtime = await openRuntime(config, { registry, sandbox: outliving, log: createLog('silent') })
  await runtime.app.start()
  const handle = (account: string, intent: Inbound['intent']): Promise<Reply> =>
    runtime.app.handle({
      delivery: crypto.randomUUID(),
      from: { platform: 'terminal', account, name: account, groups: [] },
      place: { channel: null, handle: null, direct: true },
      forms: false,
      intent,
    })
  return {
    ...runtime,
    say: (line: string, person = 'p-support') => handle(person, { kind: 'line', line }),
    /** The button of the card as it is. */
    press: async (verb: 'confirm' | 'approve', id: string, person = 'p-support') => {
      const change = await runtime.store.changes.get(id)
      return handle(person, { kind: 'press', verb, id: change === null ? id : buttonIdOf(change) })
    },
  }
}

export const changeIn = (reply: Reply): Change => {
  if (reply.kind !== 'change') throw new Error(`no change: ${JSON.stringify(reply)}`)
  return reply.change
}

/** A tool of the command, as a person runs it. */
export const bellhop = (env: Record<string, string>, tool: string, ...args: string[]) =>
  runTool(tool, args, { env })
