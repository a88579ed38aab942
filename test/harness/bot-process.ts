import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { defined } from '../../src/lib/defined.ts'
import { dataFolder } from './run-folders.ts'

export type Ended = { code: number | null; signal: NodeJS.Signals | null; ms: number }

/** A process of this project that was really started. */
export type BotProcess = {
  out(): string
  err(): string
  /** What matched, as soon as it was printed. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** As a terminal or an init system would: to everything that was started. */
  send(signal: NodeJS.Signals): void
  ended: Promise<Ended>
}

type Options = {
  command?: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
  uid?: number
  gid?: number
}

const node = process.execPath

/** Nothing of the machine's own configuration reaches it: only what the test says. */
export const startProcess = ({
  command = node,
  args = entry('src/main.ts'),
  env,
  ...rest
}: Options = {}): BotProcess => {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const child = spawn(command, args, {
    ...rest,
    env: { ...defined({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const told = { out: '', err: '' }
  const waiting = new Set<() => void>()
  const hear = (stream: keyof typeof told) => (chunk: Buffer) => {
    told[stream] += chunk
    for (const look of waiting) look()
  }
  child.stdout.on('data', hear('out'))
  child.stderr.on('data', hear('err'))
  const began = performance.now()
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ms: performance.now() - began }))
  })
  const send = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // It is gone already.
    }
  }
  onTestFinished(() => send('SIGKILL'))
  return {
    out: () => told.out,
    // That a process stood still is about the machine, when it is busy with others.
    err: () => told.err.replaceAll(/^.*"the process stood still.*\n/gm, ''),
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(told.out)
          if (found !== null) resolve(found)
        }
        waiting.add(look)
        look()
        ended.then(
          () => reject(new Error(`it ended without printing ${pattern}: ${told.out}${told.err}`)),
          reject,
        )
      }),
    send,
    ended,
  }
}

/** For NODE_OPTIONS: the process prints LOADED for each module that it loads whose address matches. */
export const namingModules = (pattern: RegExp): string => {
  const hook = `import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) {
  if (${pattern}.test(url)) process.stdout.write('LOADED ' + url + '\\n')
  return next(url, context)
} })`
  return `--import=data:text/javascript,${encodeURIComponent(hook).replaceAll("'", '%27')}`
}

export const entry = (file: string, ...args: string[]): string[] => ['src/cli/run.js', file, ...args]

/** The bot on a free port, without the console, ready to be asked. */
export const startBot = async (env: Record<string, string>): Promise<BotProcess & { base: string }> => {
  const started = startProcess({ env: { CONSOLE: 'off', PORT: '0', ...env } })
  const [, base = ''] = await started.printed(/Server +(http:\S+)\n[\s\S]*Stop with Ctrl-C/)
  return { ...started, base }
}

export const stopProcess = async ({ send, ended }: BotProcess, signal: NodeJS.Signals = 'SIGTERM') => {
  const asked = performance.now()
  send(signal)
  const { code } = await ended
  return { code, ms: performance.now() - asked }
}

/** What it says when it does not start. */
export const refusedStart = async (env: Record<string, string>, cwd?: string) => {
  const started = startProcess({ env, ...defined({ cwd }) })
  const { code } = await started.ended
  return { code, out: started.out(), lines: started.err().trimEnd().split('\n') }
}

export const newFolder = (): string => {
  const folder = mkdtempSync(join(dataFolder(), 'bellhop-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
