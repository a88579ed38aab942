import { tokenOf } from './harness.ts'

/** The revisions that have tasks; the current one has them as an extension that the client declares with each request. */
export const eras = { modern: '2026-07-28', legacy: '2025-11-25' } as const
export type TestEra = keyof typeof eras

type Answer = {
  status: number
  result: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

export type Sending = { agent?: string; capabilities?: object; headers?: Record<string, string> }

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

/** One request as a client of that revision writes it, and its answer, whether it comes as JSON or as a stream. */
export const createRpc =
  (base: string) =>
  async (
    era: TestEra,
    method: string,
    params: Record<string, unknown> = {},
    { agent = 'helper', capabilities = tasks, headers = {} }: Sending = {},
  ): Promise<Answer> => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': eras.modern,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }
    const name = params.name ?? params.taskId ?? params.uri
    const answer = await fetch(`${base}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokenOf(agent)}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': eras[era],
        ...(era === 'modern' ? { 'mcp-method': method } : {}),
        ...(era === 'modern' && typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: era === 'modern' ? { ...params, _meta: envelope } : params,
      }),
    })
    const text = await answer.text()
    const data = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)))
      .find((message) => message.id === 1)
    return { status: answer.status, ...(data ?? JSON.parse(text)) }
  }
