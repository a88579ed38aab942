import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { type BenchEnvironment, slackSecret } from './environment.ts'
import type { startServer } from './processes.ts'

export type Server = Awaited<ReturnType<typeof startServer>>

/** `about` is the payment that it asks to refund. */
type Card = { ts: string; about: string; button: string; isSettled: boolean }

/** Slack as both see it: which answers have come, and what stands on each card. */
export const createPlatform = () => {
  const answers = new Map<string, () => void>()
  const cards = new Map<string, Card>()
  const waiting = new Set<() => void>()
  const onCall = (path: string, body: string, id: string): void => {
    const method = path.split('/').at(-1) ?? ''
    if (path.includes('/response/')) answers.get(method)?.()
    if (method !== 'chat.postMessage' && method !== 'chat.update') return
    const read = body.startsWith('{')
      ? (JSON.parse(body) as Record<string, unknown>)
      : Object.fromEntries(new URLSearchParams(body))
    const blocks = typeof read.blocks === 'string' ? read.blocks : JSON.stringify(read.blocks)
    const button = /"action_id":"((?:bh:)?approve[^"]*)"/.exec(blocks)
    if (method === 'chat.update') {
      const card = cards.get(String(read.ts))
      if (card !== undefined) card.isSettled = button === null
    } else if (button !== null) {
      const value = /"value":"([^"]*)"/.exec(blocks)?.[1]
      cards.set(`${id}.1`, {
        ts: `${id}.1`,
        about: /pay_\w+/.exec(blocks)?.[0] ?? '',
        button: JSON.stringify({ action_id: button[1], value }),
        isSettled: false,
      })
    }
    for (const look of waiting) look()
  }
  return {
    onCall,
    answered: (number: string): Promise<void> =>
      new Promise((resolve) => {
        answers.set(number, () => {
          answers.delete(number)
          resolve()
        })
      }),
    cards,
    until: async (isTrue: () => boolean): Promise<void> => {
      if (isTrue()) return
      await new Promise<void>((resolve) => {
        const look = () => {
          if (!isTrue()) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    },
  }
}

const agent = new Agent({ pipelining: 1, connections: 32 })
let serial = 0
export const next = (): string => `${process.pid}${++serial}`

export const send = async ({ base }: Server, body: string): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', slackSecret).update(`v0:${timestamp}:${body}`).digest('hex')
  const answer = await request(`${base}/slack/events`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hash}`,
    },
    body,
  })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`a delivery was answered with ${answer.statusCode}`)
}

/** Milliseconds of processor time that the process has used; the kernel counts in hundredths of a second. */
export const cpuOf = ({ process: { pid } }: Server): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export const commandOf = (
  command: string,
  text: string,
  number: string,
  { responseUrl }: BenchEnvironment,
): string =>
  new URLSearchParams({
    team_id: 'T0',
    channel_id: 'C0ROOM',
    channel_name: 'general',
    user_id: 'U0SUPPORT',
    user_name: 'sam',
    command,
    text,
    api_app_id: 'A0',
    response_url: responseUrl.replace('{number}', number),
    trigger_id: number,
  }).toString()

export const clickOn = ({ ts, button }: Card, number: string, { responseUrl }: BenchEnvironment): string => {
  const payload = {
    type: 'block_actions',
    team: { id: 'T0' },
    user: { id: 'U0FINANCE', username: 'fay', team_id: 'T0' },
    api_app_id: 'A0',
    container: { type: 'message', message_ts: ts, channel_id: 'C0ROOM', is_ephemeral: false },
    trigger_id: number,
    channel: { id: 'C0ROOM', name: 'general' },
    message: { ts },
    response_url: responseUrl.replace('{number}', number),
    actions: [{ type: 'button', block_id: 'b', action_ts: number, ...(JSON.parse(button) as object) }],
  }
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}
