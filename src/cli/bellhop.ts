import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startedAsCommand, toolLine } from '../kernel/tool-words.ts'
import { didYouMean } from '../lib/view/did-you-mean.ts'
import { completions } from './bellhop/completion.ts'
import { answersHelp, helpOf, isHelp } from './bellhop/help.ts'
import { toolNamed, tools, toolUsageOf } from './bellhop/tools.ts'
import { exitCodes } from './exit-codes.ts'

/** Sized when the process starts; see src/lib/small-heap.ts. */
const startFlags = ['--max-semi-space-size=8', '--preserve-symlinks']

startedAsCommand()
const [first = 'start', ...rest] = process.argv.slice(2)
// The image was once told files: `docker run ... bellhop src/cli/doctor.ts`.
const asked = /^src\/cli\/([a-z]+)\.ts$/.exec(first)?.[1] ?? (first === 'src/main.ts' ? 'start' : first)
const name = isHelp(asked) ? 'help' : asked === '--version' ? 'version' : asked
const tool = toolNamed(name)
if (tool === undefined) {
  const near = didYouMean(name, Object.keys(tools))
  refuse(
    `There is no ${toolLine(name)}. ${near === undefined ? '' : `Did you mean ${toolLine(near)}? `}bellhop help lists everything; what the bot itself can do goes through bellhop say "<line>".`,
  )
} else if (name === 'help') tellHelp(rest.find((word) => !isHelp(word)))
else if (!answersHelp(name, rest) && (tool.isFree || isTaken(rest))) await run()

async function run(): Promise<void> {
  if (name === 'version') return console.log(versionOf())
  if (name === 'completion') return tellCompletion(rest[0] ?? '')
  const file = name === 'start' ? '../main.ts' : `./${name}.ts`
  if (name === 'start') startAgainWithFlags()
  process.argv = [process.argv[0] ?? '', file, ...rest]
  await import(new URL(file, import.meta.url).href)
}

function refuse(sentence: string): void {
  console.error(sentence)
  process.exitCode = exitCodes.refused
}

function tellHelp(about: string | undefined): void {
  const known = about === undefined ? undefined : toolNamed(about)
  if (about === undefined) {
    const width = Math.max(...Object.keys(tools).map(({ length }) => length))
    const lines = Object.entries(tools).map(([each, { summary }]) => `  ${each.padEnd(width)}  ${summary}`)
    const codes =
      'Each ends with 0 if it was done, 2 if it was refused, 3 if it waits for somebody and 4 if it failed; 1 is bad news from doctor or policy, and a start that could not be.'
    console.log(
      `bellhop <name> [...]\n\n${lines.join('\n')}\n\nbellhop <name> --help says more about one. ${codes}`,
    )
  } else if (known === undefined) refuse(`There is no ${toolLine(about)}: bellhop help lists everything.`)
  else console.log(helpOf(about, known))
}

/** Whether a tool that reads nothing else was given only what stands in the table. */
function isTaken(args: string[]): boolean {
  const { flags = {}, words = [] } = tool ?? {}
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, isValued]) => [
      flag,
      { type: isValued ? ('string' as const) : ('boolean' as const) },
    ]),
  )
  try {
    const { positionals } = parseArgs({ args, options, allowPositionals: words.length > 0 })
    if (words.length > 0 && (positionals.length !== 1 || !words.includes(positionals[0] ?? '')))
      throw new TypeError(`Say one of ${words.join(', ')}`)
    return true
  } catch (error) {
    refuse(`${(error as Error).message}. It is: ${toolUsageOf(name, tool ?? { summary: '' })}`)
    return false
  }
}

function tellCompletion(shell: string): void {
  process.stdout.write(completions[shell]?.() ?? '')
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return `bellhop ${version}, Node ${process.versions.node}`
}

/** In the same process, so that whoever started it signals the bot itself. */
function startAgainWithFlags(): void {
  const missing = startFlags.filter((flag) => !process.execArgv.includes(flag))
  if (missing.length === 0 || process.execve === undefined) return
  const script = fileURLToPath(new URL('../../bin/bellhop', import.meta.url))
  process.execve(process.execPath, [process.execPath, ...startFlags, script, 'start'])
}
