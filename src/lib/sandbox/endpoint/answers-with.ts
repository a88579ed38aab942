import type { Handler } from './handler.ts'

/** Answers with an example, in which stand the id that was asked for and the values that were sent. */
export const answersWith =
  (example: unknown): Handler<unknown> =>
  ({ params, body }) => ({ body: filled(structuredClone(example), params, body) })

const filled = (example: unknown, params: readonly string[], body: unknown): unknown => {
  if (!isObject(example)) return example
  const [only, ...others] = Object.values(example)
  const record = others.length === 0 && isObject(only) ? only : example
  if ('id' in record && params.length > 0) record.id = params.at(-1)
  if (isObject(body)) for (const [key, value] of Object.entries(body)) if (key in record) record[key] = value
  return example
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Answers as a tool of an MCP server did once. */
export const answersAsRecorded =
  (result: unknown): Handler<unknown> =>
  () => ({ body: structuredClone(result) })
