import { setTimeout as wait } from 'node:timers/promises'
import { type Logger, SocketModeReceiver } from '@slack/bolt'
import { defined } from '../../../src/defined.ts'
import type { Log } from '../../../src/log.ts'
import { backoffMs, pause } from '../../../src/retry.ts'
import { slackErrorFields } from '../api/errors.ts'

/** Socket Mode: Bolt's receiver, kept connected by us so that no outage at any moment ends the bot. */
export type SocketMode = {
  receiver: SocketModeReceiver
  start(): Promise<void>
  stop(): Promise<void>
  isConnected(): boolean
}

const helloWithinMs = 10_000

export const createSocketMode = ({
  appToken,
  apiUrl,
  log,
  boltLog,
}: {
  appToken: string
  apiUrl: string | undefined
  log: Log
  boltLog: Logger
}): SocketMode => {
  const receiver = new SocketModeReceiver({
    appToken,
    logger: boltLog,
    // Its own way back is five seconds late, and throws where nobody can catch when Slack refuses.
    autoReconnectEnabled: false,
    installerOptions: {
      // A copy of its own: the receiver writes into what it is given.
      clientOptions: {
        retryConfig: { retries: 0 },
        timeout: helloWithinMs,
        ...defined({ slackApiUrl: apiUrl }),
      },
    },
  })
  const { client } = receiver
  const stopping = new AbortController()
  let isConnected = false
  let running: Promise<void> | undefined
  client.on('disconnected', () => {
    isConnected = false
  })

  const connect = async (): Promise<void> => {
    const lost = new Promise<void>((resolve) => client.once('disconnected', () => resolve()))
    await within(helloWithinMs, client.start())
    isConnected = true
    log.info({}, 'Slack is connected over Socket Mode')
    await lost
    isConnected = false
  }
  const keepConnected = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await connect()
        failures = 0
      } catch (error) {
        failures++
        log.warn({ ...slackErrorFields(error), failures }, 'Socket Mode could not connect; trying again')
        void client.disconnect()
      }
      if (failures > 0) await pause(backoffMs(pauses, failures), stopping.signal)
    }
  }
  return {
    receiver,
    isConnected: () => isConnected,
    start: async () => {
      running = keepConnected()
      const until = Date.now() + 3_000
      while (!isConnected && Date.now() < until) await wait(20)
    },
    stop: async () => {
      stopping.abort()
      await within(2_000, client.disconnect()).catch(() => undefined)
      await Promise.race([running, wait(500)])
    },
  }
}

const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const late = new AbortController()
  try {
    return await Promise.race([
      work,
      wait(ms, undefined, { signal: late.signal }).then(() => {
        throw new Error('Slack did not answer in time')
      }),
    ])
  } finally {
    late.abort()
  }
}

const pauses = { firstMs: 500, longestMs: 30_000 }
