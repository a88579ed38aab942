import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { pipeline } from 'node:stream/promises'
import { messengers } from '../../adapters/index.ts'
import { cardFor, viewerOf } from '../kernel/cards/pressable.ts'
import { commandOfLine } from '../kernel/command/line/parse.ts'
import { commandLineOf } from '../kernel/command/line/print.ts'
import { allFeatures, type Terminal } from '../kernel/feature.ts'
import { isConfirmOnly } from '../kernel/law/clauses.ts'
import { completeLine } from '../kernel/messenger/complete-line.ts'
import type { Form } from '../kernel/messenger/form.ts'
import type { Intent, Reply, Sender } from '../kernel/messenger/inbound.ts'
import { discard } from '../kernel/messenger/spool.ts'
import type { Change } from '../kernel/model/change.ts'
import { personNamed } from '../kernel/policy/people.ts'
import type { Policy } from '../kernel/policy/policy.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { createLog } from '../lib/log.ts'
import { DatabaseError } from '../lib/sql/database.ts'
import { askedWordsOf } from '../lib/view/button-labels.ts'
import { fewNames } from '../lib/view/format.ts'
import { refusalView } from '../lib/view/refusals.ts'
import { textOfView } from '../lib/view/text.ts'
import { exitCodes } from './exit-codes.ts'
import { osAccount } from './os-account.ts'
import { helpWords, readArguments } from './say/arguments.ts'
import { takeFile } from './say/attached-file.ts'
import { createHistory } from './say/history.ts'
import { createRowMenu } from './say/row-menu.ts'
import { createTicker } from './say/ticker.ts'
import { ConfigError } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommandsOrExit } from './start/load-commands.ts'
import { openRuntime, type Runtime } from './start/runtime.ts'
import { readStart } from './start/sealed-start.ts'

const { line, as, isHelp } = readArguments(process.argv.slice(2))
const registry = await loadCommandsOrExit(messengers)
const rows = createRowMenu((words) => commandOfLine(registry, words).ok)
/** Outside the demo nobody decides here: the terminal takes everybody's word for who they are. */
let isDemo = false
/** The button of the change that this person was asked to confirm. */
let confirmation: string | undefined
try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof ConfigError) {
    console.error(error.message)
    process.exitCode = exitCodes.refused
  } else if (error instanceof DatabaseError) {
    console.error(`${error.message}. ${toolLine('doctor')} says more.`)
    process.exitCode = exitCodes.failed
  } else throw error
}

async function main(): Promise<number> {
  if (isHelp) {
    console.log(helpWords())
    return exitCodes.done
  }
  if (as === '') throw new ConfigError(['--as needs a person: write the id of one in bellhop.yml after it.'])
  const read = await readStart(ownEnvironment(), registry.all, messengers)
  isDemo = read.demo
  const runtime = await openRuntime(read, {
    registry,
    log: createLog(ownEnvironment().LOG_LEVEL ?? 'silent'),
    tasks: false,
    progress: createTicker(),
  })
  try {
    const { policy } = runtime.config
    const person = as === undefined ? (policy.people[0]?.id ?? 'terminal') : personNamed(policy, as)
    if (as !== undefined && !policy.people.some(({ id }) => id === person))
      throw new ConfigError([nobodyHere(policy, as)])
    await runtime.app.start()
    if (line === undefined) return await converse(runtime, person)
    const code = await say(runtime, person, line)
    return confirmation !== undefined && isAsking() ? await askOnce(runtime, person, confirmation) : code
  } finally {
    await runtime.close()
  }
}

/** Whoever is at the machine may read the file, so they are told who is in it. */
function nobodyHere({ people }: Policy, as: string): string {
  const listed = fewNames(
    people.map(({ id, name }) => `${id} (${name})`),
    'nobody',
  )
  return `Nobody in bellhop.yml goes by "${as.slice(0, 40)}", or several people do. It lists ${listed}.`
}

async function say(runtime: Runtime, person: string, words: string): Promise<number> {
  const taken = takeFile(words)
  const reply: Reply = taken.ok
    ? await handle(runtime, person, { kind: 'line', ...taken.value })
    : { kind: 'refused', refusal: taken.refusal, view: refusalView(taken.refusal) }
  return tell(runtime, person, reply)
}

/** Shows what came of something, and stays with the work that it began. */
async function tell(runtime: Runtime, person: string, reply: Reply): Promise<number> {
  await print(runtime, person, reply)
  if (line === undefined) {
    const words = rows.offer('view' in reply ? reply.view : undefined)
    if (words.length > 0) console.log(`\n${words.join('\n')}`)
  }
  const terminal: Terminal = {
    store: runtime.store,
    run: (id) => runtime.app.run(id),
    press: (verb, id) => handle(runtime, person, { kind: 'press', verb, id }),
    place: isDemo ? 'with' : 'in your messenger or in the console with',
  }
  const [attending] = allFeatures().flatMap(({ attend }) => attend?.(terminal, reply) ?? [])
  if (attending === undefined) return codeOf(reply)
  const { words, exitCode } = await attending
  for (const one of words) console.log(`\n${one}`)
  return exitCodes[exitCode]
}

function senderOf(person: string): Sender {
  return {
    platform: 'terminal',
    account: person,
    name: person,
    groups: [],
    ...(isDemo ? {} : { operator: osAccount() }),
  }
}

function handle(runtime: Runtime, person: string, intent: Intent, forms = false): Promise<Reply> {
  return runtime.app.handle({
    delivery: crypto.randomUUID(),
    from: senderOf(person),
    place: { channel: null, handle: null, direct: true },
    forms,
    // A single line is often that of a program, which nobody reads.
    canBeAsked: line === undefined,
    intent,
  })
}

/** A prompt with history; an empty line, Ctrl-D or the end of piped input ends it. */
async function converse(runtime: Runtime, person: string): Promise<number> {
  const history = createHistory()
  const prompt = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: `${person}> `,
    history: history.read(),
    completer: (typed: string) => complete(runtime, person, typed),
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
      const answered = confirmation === undefined ? undefined : pressOf(words, confirmation)
      confirmation = undefined
      const chosen = answered === undefined ? rows.choose(words) : undefined
      if (answered !== undefined) code = await tell(runtime, person, await handle(runtime, person, answered))
      else if (chosen === undefined) {
        history.add(words)
        code = await say(runtime, person, words)
      } else if ('words' in chosen) console.log(chosen.words)
      else {
        const reply = await handle(runtime, person, { kind: 'press', ...chosen.press }, true)
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

async function complete(runtime: Runtime, person: string, typed: string): Promise<[string[], string]> {
  const { from, items } = await completeLine(runtime.app.bot, senderOf(person), typed, maxCompletions)
  return [items.map(({ text }) => text), typed.slice(from)]
}

/** As many as fit on a screen. */
const maxCompletions = 40

async function print(runtime: Runtime, person: string, reply: Reply): Promise<void> {
  if (reply.kind === 'repeated' || reply.kind === 'form' || reply.kind === 'share') return
  if (reply.kind === 'reason') {
    console.error(`${reply.title}: write it with --${askedWordsOf(reply.verb).flag}.`)
    return
  }
  const words = textOfView(reply.view, {
    colour: process.stdout.isTTY,
    numbered: line === undefined,
    details: reply.kind === 'answer',
    // What is piped is read by programs.
    isWhole: !process.stdout.isTTY,
    zone: runtime.app.core.policy.zone,
    now: wallTime(),
  })
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
  if (reply.view.actions?.some(({ verb }) => verb === 'next')) {
    console.error(
      `\nThere is more: ${line === undefined ? 'type next page.' : 'the same line with --page and a higher number has it.'}`,
    )
  }
  if (reply.kind === 'change' && reply.change.state === 'pending') {
    console.log(`\n${await nextWords(runtime, person, reply.change)}`)
  }
}

/** What can be done about a waiting change here, by whom; what is this person's own to confirm is asked at the prompt. */
async function nextWords(runtime: Runtime, person: string, change: Change): Promise<string> {
  const isConfirm = isConfirmOnly(change.clauses)
  if (!isDemo) return `${isConfirm ? 'Confirm' : 'Approve'} ${change.id} in your messenger or in the console.`
  const reads = runtime.app.bot.readsOf(senderOf(person))
  const { actions: own = [] } = cardFor(change, await viewerOf(reads, change), wallTime())
  confirmation = own.find(({ verb }) => verb === 'confirm')?.id
  if (confirmation !== undefined) {
    return isAsking() ? 'Confirm it? Type y or n.' : `Confirm it with: approval approve ${change.id}`
  }
  if (own.some(({ verb }) => verb === 'approve')) return `Approve it with: approval approve ${change.id}`
  const others = (await reads.records.deciders())(change)
  return `${fewNames(others, 'Nobody')} can approve it${others.length === 0 ? '' : `, with: approval approve ${change.id}`}`
}

/** Whether somebody is there to answer. */
function isAsking(): boolean {
  return line === undefined || process.stdin.isTTY
}

/** The question after a single line; whatever is neither yes nor no leaves the change waiting. */
async function askOnce(runtime: Runtime, person: string, id: string): Promise<number> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  const press = pressOf(await prompt.question('> ').finally(() => prompt.close()), id)
  return press === undefined ? exitCodes.waiting : tell(runtime, person, await handle(runtime, person, press))
}

/** What was answered to the question whether to confirm. */
function pressOf(words: string, id: string): Intent | undefined {
  const typed = words.trim().toLowerCase()
  if (typed === 'y' || typed === 'yes') return { kind: 'press', verb: 'confirm', id }
  return typed === 'n' || typed === 'no' ? { kind: 'press', verb: 'cancel', id } : undefined
}

function codeOf(reply: Reply): number {
  if (reply.kind === 'refused' || reply.kind === 'reason') return exitCodes.refused
  if (reply.kind === 'answer' && reply.isChoice) return exitCodes.refused
  if (reply.kind === 'answer') return reply.exitCode ?? exitCodes.done
  if (reply.kind !== 'change') return exitCodes.done
  switch (reply.change.state) {
    case 'pending':
    case 'approved':
    case 'applying':
    case 'held':
    case 'accepted':
      return exitCodes.waiting
    case 'failed':
    case 'unknown':
    case 'voided':
      return exitCodes.failed
    default:
      return exitCodes.done
  }
}
