import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Command } from '../../src/kernel/command/define.ts'
import { states } from '../../src/kernel/model/change.ts'
import { viewSchema } from '../../src/lib/view/view.ts'

type OutputSchema = NonNullable<Tool['outputSchema']>

/** Whether words from outside may stand in it. */
const mark = { customer_text: z.boolean(), notice: z.string().optional() }

/** A view without its buttons, which nobody can press here. What each kind of block holds is left to its reader: the schema stands in the list once for each tool. */
const shown = viewSchema
  .pick({ title: true, tone: true, change: true, footer: true })
  .extend({ blocks: z.array(z.looseObject({ kind: z.string() })) })

export const answeredData = shown.extend({ state: z.literal('answered'), more: z.boolean(), ...mark })

export const changeData = z.object({
  state: z.enum(states),
  id: z.string(),
  command: z.string(),
  needs: z.string().optional(),
  expires: z.string().optional(),
  message: z.string(),
  next: z.string(),
  look_ups: z.array(z.string()).optional(),
  card: shown,
  ...mark,
})

export const refusedData = z.object({
  state: z.literal('refused'),
  code: z.string(),
  message: z.string(),
  next: z.string(),
  field: z.string().optional(),
  retry_after_seconds: z.number().optional(),
  ...mark,
})

const kind = z.enum(['look-up', 'change'])
const about = { command: z.string(), summary: z.string(), kind }

export const foundData = z.object({ commands: z.array(z.object(about)) })

export const describedData = z.object({
  ...about,
  hints: z.record(z.string(), z.boolean()),
  arguments: z.looseObject({}),
  examples: z.array(z.string()),
})

/** Revisions before the current one want an object at the root, and readers of theirs know no newer draft. */
const schemaOf = (...kinds: [z.ZodObject, ...z.ZodObject[]]): OutputSchema => {
  const { $schema: _, ...schema } = z.toJSONSchema(z.union([...kinds, refusedData]), { target: 'draft-7' })
  return { type: 'object', ...schema } as OutputSchema
}

const ofQuery = schemaOf(answeredData)
/** A name with several meanings is answered with the choice. */
const ofChange = schemaOf(changeData, answeredData)

export const outputSchemaOf = ({ kind: one }: Pick<Command, 'kind'>): OutputSchema =>
  one === 'query' ? ofQuery : ofChange

export const changeGetOutput = schemaOf(changeData)

export const fewToolOutputs = {
  search_commands: schemaOf(foundData),
  describe_command: schemaOf(describedData),
  run_command: ofChange,
}
