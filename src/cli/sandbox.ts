import { parseArgs } from 'node:util'
import { messengers } from '../../adapters/index.ts'
import { type Pack, standInsOf } from '../kernel/command/pack.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { type RunningSandbox, startStandIns } from '../lib/sandbox/sandbox.ts'
import { loadCommandsOrExit } from './start/load-commands.ts'

const usage = `usage: ${toolLine('sandbox', '--port 4010')}`

try {
  const port = portOf(process.argv.slice(2))
  const { packs } = await loadCommandsOrExit(messengers)
  const sandbox = await startStandIns(await standInsOf(packs), { port, log: (line) => console.error(line) })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => sandbox.close())
  console.log(introductionOf(packs, sandbox))
} catch (error) {
  const sentence = sentenceOf(error as NodeJS.ErrnoException)
  if (!sentence) throw error
  console.error(sentence)
  process.exitCode = 1
}

function portOf(args: string[]): number {
  const { values } = parseArgs({ args, options: { port: { type: 'string', default: '4010' } } })
  return Number(values.port)
}

function introductionOf(packs: readonly Pack[], { services }: RunningSandbox): string {
  const exported = packs.flatMap(({ name, environment }) => {
    const settings = services[name]
    const values = Object.entries(environment.keys).map(
      ([field, key]) => `export ${key}=${settings?.[field]}`,
    )
    return [`export ${environment.baseUrl}=${settings?.baseUrl}`, ...values]
  })
  const [first] = Object.values(services)
  return [
    'The sandbox is running. Nothing here is real; Ctrl-C stops it.',
    '',
    ...exported,
    '',
    ...packs.flatMap((pack) => pack.tryIt?.(services[pack.name] ?? { baseUrl: '' }) ?? []),
    '',
    `Faults: POST ${new URL(first?.baseUrl ?? '').origin}/faults; requests so far: GET /wire; start over: POST /reset`,
  ].join('\n')
}

function sentenceOf({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code === 'EADDRINUSE') return `That port is in use; choose another one (${usage}).`
  if (code === 'EACCES') return `That port may not be opened by this account; choose another one (${usage}).`
  if (code === 'ERR_SOCKET_BAD_PORT') return `A port is a number from 0 to 65535 (${usage}).`
  return code?.startsWith('ERR_PARSE_ARGS') ? `${message} (${usage}).` : undefined
}
