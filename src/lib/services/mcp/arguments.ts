import { z } from 'zod'
import { isRecord } from '../read-answer.ts'
import type { McpTool } from './tool.ts'

/**
 * What is wrong with the arguments of a tool by the schema that was pinned. What it lacks is known before anything is sent, where
 * nobody could tell afterwards whether the server refused or failed.
 */
export const whyNotArguments = (tool: McpTool, given: unknown): readonly z.core.$ZodIssue[] => {
  const schema = known.get(tool) ?? schemaOf(tool)
  known.set(tool, schema)
  return schema.safeParse(given).error?.issues ?? []
}

const known = new WeakMap<McpTool, z.ZodType>()

const schemaOf = ({ inputSchema }: McpTool): z.ZodType => {
  try {
    return z.fromJSONSchema(withoutPatterns(inputSchema) as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    // A schema with words that are not known here checks nothing; the server does.
    return z.unknown()
  }
}

/** Patterns are programs that somebody else wrote, and formats are guesses: both are left to the server. */
const withoutPatterns = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, part]) => {
      const isWord = typeof part === 'string' && ['pattern', 'format', '$schema', '$id'].includes(key)
      return isWord || key === 'patternProperties' ? [] : [[key, withoutPatterns(part)]]
    }),
  )
}
