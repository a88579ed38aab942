import { parseBounded } from '../../codecs/bounded-json.ts'
import { isRecord, type OpenRecord } from '../read-answer.ts'

/** A message of JSON-RPC 2.0; one without an id is not answered. */
export type RpcMessage = { jsonrpc: '2.0'; id?: number; method: string; params?: OpenRecord }

/** The revision that is spoken; a server that wants an earlier one says which, and is spoken to in that. */
export const revision = '2025-11-25'

/** As many values as an answer of five megabytes holds. */
const bounds = { values: 500_000 }

/** What a server wrote, if it is a message at all. */
export const messageIn = (text: string): OpenRecord | undefined => {
  try {
    const message = parseBounded(text, bounds)
    return isRecord(message) ? message : undefined
  } catch {
    return undefined
  }
}

export const isAnswerTo = (id: number | undefined, message: OpenRecord): boolean =>
  id !== undefined && message.id === id && message.method === undefined

export const saysToolsChanged = ({ method, id }: OpenRecord): boolean =>
  method === 'notifications/tools/list_changed' && id === undefined

/** Takes server-sent events apart as they come: gives the data of each, once it is whole, and says how much is not whole yet. */
export const createEventReader = (onData: (text: string) => void) => {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  return (chunk: Buffer): number => {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) onData(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
    }
    return rest.length + data.reduce((sum, one) => sum + one.length, 0)
  }
}
