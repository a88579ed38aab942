import { Console } from 'node:console'
import { resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { ownServices } from '../../packs/services.ts'
import { defined } from '../../src/lib/defined.ts'
import { useServices } from '../../src/lib/services/endpoints/tables.ts'

export type Ran = { code: number; out: string; err: string }

type Surroundings = {
  env?: Record<string, string>
  cwd?: string
  /** What is piped in. */
  typed?: string
}

class Exit extends Error {}

let runs = 0

/**
 * A tool of the command line, run in this process with arguments, an environment, a folder and streams of its own. To start a
 * process for each line takes a second of the processor; that each tool starts as one is tested once.
 */
export const runTool = async (
  name: string,
  args: readonly string[],
  { env = {}, cwd = process.cwd(), typed = '' }: Surroundings = {},
): Promise<Ran> => {
  const { PATH, TMPDIR } = process.env
  const told = { out: '', err: '' }
  const screen = (stream: keyof typeof told) =>
    new Writable({
      write: (piece, _, done) => {
        told[stream] += piece
        done()
      },
    })
  const [stdout, stderr] = [screen('out'), screen('err')]
  const tool = {
    argv: [process.execPath, resolve('src/cli', `${name}.ts`), ...args],
    env: { ...defined({ PATH, TMPDIR }), ...env },
    stdin: Readable.from(typed === '' ? [] : [typed]),
    stdout,
    stderr,
    exit: (code: number) => {
      process.exitCode = code
      throw new Exit()
    },
  }
  const { cwd: folderNow, restore } = standIn(tool, new Console(stdout, stderr))
  process.chdir(cwd)
  try {
    await import(`${resolve(folderNow, 'src/cli', name)}.ts?run=${++runs}`)
    return { code: Number(process.exitCode ?? 0), ...told }
  } catch (error) {
    if (error instanceof Exit) return { code: Number(process.exitCode ?? 0), ...told }
    throw error
  } finally {
    process.chdir(folderNow)
    restore()
    // Whatever packs its file named, the next test has the bot's own.
    useServices(ownServices)
  }
}

/** Puts parts of the process aside until they are restored. */
const standIn = (parts: Partial<Record<keyof NodeJS.Process, unknown>>, screen: Console) => {
  const kept = Object.keys(parts).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  )
  const { console: told } = globalThis
  const { exitCode } = process
  for (const [name, value] of Object.entries(parts))
    Object.defineProperty(process, name, { value, configurable: true, writable: true })
  globalThis.console = screen
  process.exitCode = undefined
  return {
    cwd: process.cwd(),
    restore: () => {
      for (const [name, before] of kept) if (before) Object.defineProperty(process, name, before)
      globalThis.console = told
      process.exitCode = exitCode
    },
  }
}
