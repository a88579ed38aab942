import type { Tool } from '@modelcontextprotocol/server'
import type { Command } from '../../src/kernel/command/define.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { fieldOf } from '../../src/lib/view/wording.ts'
import { outputSchemaOf } from './output-schemas.ts'

/** `subscriber get` -> `subscriber_get` */
export const toolNameOf = (command: string): string => command.replaceAll(' ', '_')

export const commandOfTool = ({ all }: Registry, tool: string): Command | undefined =>
  all.find(({ name }) => toolNameOf(name) === tool || name === tool)

/** Whether a tool asks for changes, which can take long. */
export const isChangeTool = (registry: Registry, tool: string): boolean => {
  const command = commandOfTool(registry, tool)
  return command !== undefined && asksForChange(command)
}

const asksForChange = ({ kind }: Command): boolean => kind === 'change' || kind === 'switch'

/** One tool for each of these commands. */
export const toolsOf = (commands: readonly Command[]): Tool[] =>
  commands.map((command) => ({
    name: toolNameOf(command.name),
    title: command.name,
    description: descriptionOf(command),
    inputSchema: inputSchemaOf(command),
    outputSchema: outputSchemaOf(command),
    annotations: hintsOf(command),
    ...(asksForChange(command) ? asTask : {}),
  }))

/** A client may have the answer of such a tool as a task. */
export const asTask = { execution: { taskSupport: 'optional' } } as const

/** Other messengers know these by their own means. */
export const callParams = {
  wait_seconds: {
    type: 'integer',
    minimum: 0,
    maximum: 50,
    description: 'How long to wait for people to decide before this answers; 0 if not given',
  },
  request_key: {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description: 'A key of your own for this request: the same call with the same key is the same request',
  },
} as const

type InputSchema = Tool['inputSchema']

export const inputSchemaOf = (command: Command): InputSchema => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(
      command.params.flatMap((param) =>
        [keyOf(param), ...param.also.map((flag) => fieldOf(flag))].map((key) => [key, propertyOf(param)]),
      ),
    ),
    ...(command.kind === 'query' ? {} : callParams),
  },
  required: command.params.filter(({ required }) => required).map(keyOf),
  additionalProperties: false,
})

export const hintsOf = ({ kind, name }: Command) => ({
  readOnlyHint: kind === 'query',
  destructiveHint: kind !== 'query' && !/ (create|add|import)$/.test(name),
  idempotentHint: kind === 'query',
  openWorldHint: true,
})

const keyOf = ({ name }: Pick<Param, 'name'>): string => fieldOf(name)

const descriptionOf = ({ kind, summary, examples }: Command): string => {
  const way = kind === 'query' ? '' : ' People decide about it: the answer says what it waits for.'
  return `${summary}.${way} As a line: ${examples[0]}`
}

const propertyOf = ({ type, description, choices, min, max, maxLength, format }: Param): object => {
  const about = { description }
  switch (type) {
    case 'integer':
    case 'number':
      return { type, ...about, ...given({ minimum: min, maximum: max }) }
    case 'amount':
      return { type: ['number', 'string'], ...about }
    case 'boolean':
      return { type, ...about }
    case 'choice':
      return { type: 'string', enum: choices, ...about }
    case 'list':
      return {
        type: 'array',
        items: { type: 'string', ...(choices.length > 0 ? { enum: choices } : {}) },
        ...about,
      }
    case 'json':
      return { type: ['object', 'array', 'string'], ...about }
    case 'file':
      return {
        type: 'object',
        properties: { name: { type: 'string' }, content: { type: 'string' } },
        required: ['name', 'content'],
        ...about,
      }
    case 'text':
    case 'date':
      return { type: 'string', ...about, ...given({ maxLength, format }) }
  }
}

const given = (fields: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
