import { randomUUID } from 'node:crypto'
import type { View } from '../../src/lib/view/view.ts'
import { until } from '../harness/until.ts'
import type { ConsoleHarness } from './harness.ts'

export type MessageJson = {
  id: string
  to: string | null
  by: { id: string; name: string } | null
  body:
    | { kind: 'line'; line: string }
    | { kind: 'view'; view: View & { actions: { verb: string; id: string; label: string }[] } }
  file?: { name: string; size: number }
}

type Answer = { status: number; body: Record<string, unknown> }

/** The page's own way to talk to the server, without a browser. */
export const createApiClient = ({ base }: Pick<ConsoleHarness, 'base'>) => {
  const read = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
  })
  const post = async (path: string, body: object): Promise<Answer> =>
    read(
      await fetch(`${base}/console/api/${path}`, {
        method: 'POST',
        headers: { origin: base, 'content-type': 'application/json' },
        body: JSON.stringify({ delivery: randomUUID(), ...body }),
      }),
    )
  return {
    get: async (path: string, query: Record<string, string> = {}): Promise<Answer> =>
      read(await fetch(`${base}/console/api/${path}?${new URLSearchParams(query)}`)),
    post,
    say: (line: string, as = 'p-support') => post('say', { line, as }),
    press: (action: { verb: string; id: string }, as: string, more: object = {}) =>
      post('press', { verb: action.verb, id: action.id, as, ...more }),
  }
}

type StreamEvent = { event: string; id: string; data: unknown }

/** A page's live connection: every event so far, and what the conversation looks like after them. */
export const openEventStream = async (
  { base }: Pick<ConsoleHarness, 'base'>,
  as: string,
  lastEventId?: string,
) => {
  const stop = new AbortController()
  const response = await fetch(`${base}/console/api/events?as=${as}`, {
    signal: stop.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  })
  const events: StreamEvent[] = []
  const reading = (async () => {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      events.push(...parts.flatMap(toEvent))
    }
  })().catch(() => undefined)

  const messages = (): MessageJson[] => {
    const byId = new Map<string, MessageJson>()
    for (const { event, data } of events) {
      if (event === 'all') byId.clear()
      for (const message of event === 'all' ? (data as MessageJson[]) : [data as MessageJson])
        byId.set(message.id, message)
    }
    return [...byId.values()]
  }
  const comes = <T>(find: () => T | undefined | false): Promise<T> =>
    until(() => {
      const found = find()
      if (found === undefined || found === false)
        throw new Error(`it did not come: ${JSON.stringify(events.slice(-3))}`)
      return found
    })
  if (lastEventId === undefined) await comes(() => events.length > 0)
  return {
    events,
    messages,
    comes,
    /** The latest message whose view fits. */
    view: (fits: (view: View) => boolean) =>
      comes(() => messages().findLast(({ body }) => body.kind === 'view' && fits(body.view))),
    close: async () => {
      stop.abort()
      await reading
    },
  }
}

const toEvent = (text: string): StreamEvent[] => {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
  const [event, id, data] = [field('event'), field('id'), field('data')]
  return event === undefined || id === undefined || data === undefined
    ? []
    : [{ event, id, data: JSON.parse(data) }]
}

export const viewIn = ({ body }: MessageJson) => {
  if (body.kind !== 'view') throw new Error('this message is a line')
  return body.view
}
