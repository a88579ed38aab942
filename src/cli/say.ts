import { createReadStream } from 'node:fs'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { pipeline } from 'node:stream/promises'
import { messengers } from '../../adapters/index.ts'
import { createCommands } from '../../commands/index.ts'
import { commandLineOf } from '../command/line/print.ts'
import { ConfigError, readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import type { Form, Intent, Reply } from '../messenger/inbound.ts'
import { discard } from '../messenger/spool.ts'
import { isConfirmOnly } from '../policy/clauses.ts'
import { personNamed } from '../policy/people.ts'
import { openRuntime, type Runtime } from '../runtime.ts'
import { DatabaseError } from '../storage/database/database.ts'
import { refusalView } from '../view/refusals.ts'
import { textOfView } from '../view/text.ts'
import { readArguments } from './say/arguments.ts'
import { takeFile } from './say/attached-file.ts'
import { createHistory } from './say/history.ts'
import { createTicker, tellEnd, watch } from './say/progress.ts'
import { createRowMenu } from './say/row-menu.ts'

/** 0 done, 2 refused, 3 waiting on somebody, 4 failed or unknown. */
const exitCodes = { done: 0, refused: 2, waiting: 3, failed: 4 } as const

const { line, as } = readArguments(process.argv.slice(2))
const registry = createCommands()
const rows = createRowMenu()
/** Outside the demo nobody decides here: the terminal takes everybody's word for who they are. */
let isDemo = false
try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof ConfigError) {
    console.error(error.message)
    process.exitCode = exitCodes.refused
  } else if (error instanceof DatabaseError) {
    console.error(`${error.message}. npm run doctor says more.`)
    process.exitCode = exitCodes.failed
  } else throw error
}

async function main(): Promise<number> {
  if (as === '') throw new ConfigError(['--as needs a person: write the id of one in bellhop.yml after it.'])
  const config = readConfig(process.env, registry.all, messengers)
  const { policy } = config
  isDemo = config.demo
  const person = as === undefined ? (policy.people[0]?.id ?? 'terminal') : personNamed(policy, as)
  const runtime = await openRuntime(config, {
    registry,
    log: createLog(process.env.LOG_LEVEL ?? 'silent'),
    startSandbox: async () => (await import('../../sandbox/sandbox.ts')).startSandbox(),
    tasks: false,
    progress: createTicker(),
  })
  try {
    await runtime.app.start()
    return line === undefined ? await converse(runtime, person) : await say(runtime, person, line)
  } finally {
    await runtime.close()
  }
}

async function say(runtime: Runtime, person: string, words: string): Promise<number> {
  const taken = takeFile(words)
  const reply: Reply = taken.ok
    ? await handle(runtime, person, { kind: 'line', ...taken.value })
    : { kind: 'refused', refusal: taken.refusal, view: refusalView(taken.refusal) }
  return tell(runtime, person, reply)
}

/** Shows what came of something, and stays with the job that it started. */
async function tell(runtime: Runtime, person: string, reply: Reply): Promise<number> {
  await print(reply)
  if (line === undefined) rows.offer('view' in reply ? reply.view.menu : undefined)
  const job = jobOf(reply)
  if (job === undefined) return codeOf(reply)
  const end = await watch(runtime, job, () =>
    handle(runtime, person, { kind: 'press', verb: 'pause', id: job }),
  )
  console.log(`\n${await tellEnd(runtime.store, end.job, process.stdout.isTTY)}`)
  if (end.job.state === 'paused' || end.job.state === 'waiting') {
    console.log(
      `\nContinue ${isDemo ? 'with' : 'in your messenger or in the console with'}: job resume ${job}`,
    )
    return exitCodes.waiting
  }
  return end.figures.failed + end.figures.unknown + end.figures.left > 0 ? exitCodes.failed : exitCodes.done
}

function handle(runtime: Runtime, person: string, intent: Intent, forms = false): Promise<Reply> {
  return runtime.app.handle({
    delivery: crypto.randomUUID(),
    from: {
      platform: 'terminal',
      account: person,
      name: person,
      groups: [],
      ...(isDemo ? {} : { operator: osAccount() }),
    },
    place: { channel: null, handle: null, direct: true },
    forms,
    intent,
  })
}

/** A user id without an entry, as in a container, is named by its number. */
function osAccount(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The bulk job that a reply has started. */
function jobOf(reply: Reply): string | undefined {
  if (reply.kind === 'change') return reply.change.state === 'applied' ? reply.change.pinned?.set : undefined
  return reply.kind === 'answer' && reply.command === 'job resume' ? reply.view.actions?.[0]?.id : undefined
}

/** A prompt with history; an empty line, Ctrl-D or the end of piped input ends it. */
async function converse(runtime: Runtime, person: string): Promise<number> {
  const history = createHistory()
  const prompt = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: `${person}> `,
    history: history.read(),
    completer: complete,
  })
  let code: number = exitCodes.done
  let started = ''
  // Piped input may end while its last lines are still being answered.
  let isOpen = true
  prompt.once('close', () => {
    isOpen = false
  })
  try {
    prompt.prompt()
    for await (const words of prompt) {
      if (words.trim() === '' || words.trim() === 'exit') break
      const chosen = rows.choose(words)
      if (chosen === undefined) {
        history.add(words)
        code = await say(runtime, person, words)
      } else if ('words' in chosen) console.log(chosen.words)
      else {
        const reply = await handle(runtime, person, { kind: 'press', verb: 'act', id: chosen.press }, true)
        if (reply.kind === 'form') started = lineOf(reply.form)
        else code = await tell(runtime, person, reply)
      }
      if (isOpen) prompt.prompt()
      // The line to finish stands at the prompt, as if it had been typed.
      if (isOpen && started !== '') prompt.write(started)
      started = ''
    }
    return code
  } finally {
    prompt.close()
  }
}

/** A form as the line that it stands for, so far. */
function lineOf({ command, fields, values }: Form): string {
  return `${commandLineOf(command, fields, values)} `
}

function complete(typed: string): [string[], string] {
  return [registry.all.map(({ name }) => `${name} `).filter((name) => name.startsWith(typed)), typed]
}

async function print(reply: Reply): Promise<void> {
  if (reply.kind === 'repeated' || reply.kind === 'form' || reply.kind === 'share') return
  if (reply.kind === 'reason') {
    console.error(`${reply.title}: give a reason with --reason.`)
    return
  }
  const words = textOfView(reply.view, { colour: process.stdout.isTTY, numbered: line === undefined })
  if (reply.kind === 'refused') {
    console.error(words)
    return
  }
  if (reply.kind === 'answer' && reply.file !== undefined) {
    console.error(words)
    if (reply.file.path === undefined) process.stdout.write(reply.file.content)
    else await pipeline(createReadStream(reply.file.path), process.stdout, { end: false })
    await discard(reply.file)
    return
  }
  console.log(words)
  if (reply.kind === 'change' && reply.change.state === 'pending') {
    const verb = isConfirmOnly(reply.change.clauses) ? 'Confirm' : 'Approve'
    console.log(
      isDemo
        ? `\n${verb} it with: approval approve ${reply.change.id}`
        : `\n${verb} ${reply.change.id} in your messenger or in the console.`,
    )
  }
}

function codeOf(reply: Reply): number {
  if (reply.kind === 'refused' || reply.kind === 'reason') return exitCodes.refused
  // Scripts need the exit code to know whether the log is intact.
  if (reply.kind === 'answer' && reply.command === 'audit verify' && reply.view.tone === 'bad')
    return exitCodes.failed
  if (reply.kind === 'answer' && reply.isChoice) return exitCodes.refused
  if (reply.kind !== 'change') return exitCodes.done
  switch (reply.change.state) {
    case 'pending':
    case 'approved':
    case 'applying':
      return exitCodes.waiting
    case 'failed':
    case 'unknown':
    case 'voided':
      return exitCodes.failed
    default:
      return exitCodes.done
  }
}
