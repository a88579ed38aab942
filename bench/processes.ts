import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoadOrder, LoadReport } from './servers/load-generator.ts'

export type LoadGenerator = { run(order: LoadOrder): Promise<LoadReport>; close(): Promise<void> }

export const startLoadGenerator = async (): Promise<LoadGenerator> => {
  // So much room for young objects that it does not stop for them in the middle of a round.
  const execArgv = ['--min-semi-space-size=64', '--max-semi-space-size=128']
  const child = fork(join(import.meta.dirname, 'servers/load-generator.ts'), [], { execArgv })
  await once(child, 'message')
  return {
    run: async (order) => {
      child.send(order)
      const [report] = (await once(child, 'message')) as [LoadReport]
      return report
    },
    close: () => end(child),
  }
}

const here = join(import.meta.dirname, '..')

/** The flags of `npm start`, for whatever is measured. */
export const nodeFlags = (root = here): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return /^node (.*?)\s*src\/cli\/run\.js/.exec(scripts.start)?.[1]?.split(' ').filter(Boolean) ?? []
}

/** A server in its own process that says where it listens; `root` is the checkout that it belongs to. */
export const startServer = async (
  file: string,
  env: Record<string, string>,
  { root = here, profileTo }: { root?: string | undefined; profileTo?: string } = {},
): Promise<{ base: string; process: ChildProcess; stop(): Promise<void>; close(): Promise<void> }> => {
  const profiling = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`]
  const child = spawn(
    process.execPath,
    [...profiling, ...nodeFlags(root), join(root, 'src/cli/run.js'), file],
    {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        CONSOLE: 'off',
        LOG_LEVEL: 'error',
        NODE_ENV: 'production',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000)
  })
  const base = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      said += chunk
      const [, url] = /Server\s+(http:\/\/\S+)/.exec(said) ?? []
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(`${file} ended: ${complaint}`)))
  })
  return { base, process: child, stop: () => end(child, 'SIGTERM'), close: () => end(child) }
}

const end = async (child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}
