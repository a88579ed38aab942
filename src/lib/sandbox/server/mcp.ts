import { revision } from '../../services/mcp/messages.ts'
import { isRecord } from '../../services/read-answer.ts'
import { jsonOf } from '../endpoint/fields.ts'
import type { ServiceRequest, ServiceResponse } from './respond.ts'

type Read =
  | { reply: ServiceResponse }
  | { call: ServiceRequest; toAnswer(reply: ServiceResponse): ServiceResponse }

/** A message to the stand-in of an MCP server: answered, or a call of a tool as the request for its row. */
export const readMcpMessage = (request: ServiceRequest): Read => {
  const message = request.method === 'POST' ? jsonOf(request.text) : undefined
  if (!isRecord(message)) return { reply: { status: 405, body: undefined, headers: {} } }
  const { id, method, params } = message
  if (id === undefined) return { reply: { status: 202, body: undefined, headers: {} } }
  const answered = (body: unknown): ServiceResponse => ({
    status: 200,
    body: { jsonrpc: '2.0', id, ...Object(body) },
    headers: {},
  })
  const { mcp, name: service } = request.standIn.service
  if (method === 'initialize') {
    const about = { capabilities: { tools: {} }, serverInfo: { name: `${service} stand-in`, version: '1' } }
    return { reply: answered({ result: { protocolVersion: revision, ...about } }) }
  }
  if (method === 'tools/list') return { reply: answered({ result: { tools: mcp?.tools ?? [] } }) }
  const { name, arguments: given = {} } = Object(params) as { name?: unknown; arguments?: unknown }
  if (method !== 'tools/call' || typeof name !== 'string')
    return { reply: answered({ error: { code: -32601, message: 'the stand-in offers tools alone' } }) }
  return {
    call: { ...request, path: `/${name}`, text: JSON.stringify(given) },
    toAnswer: (reply) => (reply.status === 200 ? answered({ result: reply.body }) : reply),
  }
}
