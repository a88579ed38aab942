import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Inbound, Reply } from '../../src/kernel/messenger/inbound.ts'
import type { Platform } from '../../src/kernel/model/change.ts'
import type { Verb } from '../../src/lib/view/view.ts'
import type { ChildSetup, FromChild, ToChild } from './child.ts'

/** A running child, as its parent drives it. */
export type ChildBot = {
  process: ChildProcess
  /** The reply, or `undefined` when the child was gone before it came. */
  handle(inbound: Inbound): Promise<Reply | undefined>
  kill(): Promise<void>
  gone: Promise<void>
}

/** All children share the key of the log. */
const logKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

export const startChildBot = async (
  setup: ChildSetup,
  database: { url?: string; dataDir?: string },
): Promise<ChildBot> => {
  const child = fork(join(import.meta.dirname, 'child.ts'), [], {
    env: {
      ...process.env,
      DATABASE_URL: database.url ?? '',
      DATA_DIR: database.dataDir ?? '',
      AUDIT_KEY: logKey,
      PROVE_CHILD: JSON.stringify(setup),
    },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const waiting = new Map<number, (reply: Reply | undefined) => void>()
  const gone = once(child, 'exit').then(() => {
    for (const resolve of waiting.values()) resolve(undefined)
    waiting.clear()
  })
  let calls = 0
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromChild) => {
      if ('ready' in message) return resolve()
      waiting.get(message.call)?.(message.reply)
      waiting.delete(message.call)
    })
    // One that is to die at a step may find that step in what an earlier one left.
    gone.then(() =>
      setup.killAt === null ? reject(new Error('a child ended before it was ready')) : resolve(),
    )
  })
  return {
    process: child,
    gone,
    handle: (inbound) => {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(undefined)
      const call = ++calls
      return new Promise((resolve) => {
        waiting.set(call, resolve)
        child.send({ call, inbound } satisfies ToChild, (error) => {
          if (error) resolve(undefined)
        })
      })
    },
    kill: async () => {
      child.kill('SIGKILL')
      await gone
    },
  }
}

let deliveries = 0

const inbound = (account: string, platform: Platform, intent: Inbound['intent']): Inbound => ({
  delivery: `prove-${process.pid}-${++deliveries}`,
  from: { platform, account, name: account, groups: [] },
  place: { channel: platform === 'slack' ? 'C0ROOM' : '300000000000000001', handle: null, direct: false },
  forms: false,
  intent,
})

export const lineBy = (account: string, line: string, platform: Platform = 'slack'): Inbound =>
  inbound(account, platform, { kind: 'line', line })

export const pressBy = (
  account: string,
  verb: Verb,
  id: string,
  {
    platform = 'slack',
    reason,
    pressedOn,
  }: { platform?: Platform; reason?: string; pressedOn?: string } = {},
): Inbound => ({ ...inbound(account, platform, { kind: 'press', verb, id, reason }), pressedOn })
