import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { defined } from '../../src/lib/defined.ts'
import { countTimeOf } from '../../test/harness/own-time.ts'

/** The bot as people start it: its own process from `src/main.ts`. */
export type Replica = {
  process: ChildProcess
  base: string
  /** What it wrote to its log. */
  log: string[]
  kill(signal?: NodeJS.Signals): Promise<void>
  isAlive(): boolean
}

const startWithinMs = 120_000

const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
const machine = defined({ PATH, TMPDIR, NODE_COMPILE_CACHE })

/** `preload` is a module that is loaded into it first, and with which messages can be exchanged. */
export const startReplica = async (env: Record<string, string>, preload?: URL): Promise<Replica> => {
  const root = join(import.meta.dirname, '../..')
  const before = preload === undefined ? [] : ['--import', preload.href]
  const child = spawn(process.execPath, [...before, join(root, 'src/cli/run.js'), 'src/main.ts'], {
    cwd: root,
    env: { ...machine, PORT: '0', LOG_LEVEL: 'info', CONSOLE: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : (['ipc'] as const))],
  })
  if (child.pid !== undefined) countTimeOf(child.pid)
  const log: string[] = []
  child.stderr?.on('data', (chunk) => log.push(String(chunk)))
  const gone = once(child, 'exit')
  let said = ''
  const base = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('a replica did not start in time')), startWithinMs)
    child.stdout?.on('data', (chunk) => {
      said += chunk
      const [, url] = /Server\s+(http:\/\/\S+)/.exec(said) ?? []
      if (url === undefined) return
      clearTimeout(late)
      resolve(url)
    })
    gone.then(() => reject(new Error(`a replica ended at its start: ${log.join('')}`)))
  })
  return {
    process: child,
    base,
    log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    kill: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await gone
    },
  }
}
