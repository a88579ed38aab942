import type { Tool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Command } from '../../src/kernel/command/define.ts'
import { didYouMean } from '../../src/lib/view/did-you-mean.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { fewToolOutputs } from './output-schemas.ts'
import { type CallResult, dataResult, refusedResult } from './results.ts'
import { asTask, callParams, hintsOf, inputSchemaOf } from './tools.ts'

const names = ['search_commands', 'describe_command', 'run_command'] as const
type FewTool = (typeof names)[number]

export const isFewTool = (tool: string): tool is FewTool => (names as readonly string[]).includes(tool)

const command = { type: 'string', description: 'The command, such as subscriber get' } as const
const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** A long list costs every call; these three find what it would hold. */
export const fewTools: Tool[] = [
  {
    name: 'search_commands',
    description: 'Find commands that this agent may run, by words of their names and summaries.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'Words to look for; all commands without any' } },
      additionalProperties: false,
    },
    outputSchema: fewToolOutputs.search_commands,
    annotations: reading,
  },
  {
    name: 'describe_command',
    description: 'Show the arguments of a command as a JSON schema, with examples.',
    inputSchema: {
      type: 'object',
      properties: { command },
      required: ['command'],
      additionalProperties: false,
    },
    outputSchema: fewToolOutputs.describe_command,
    annotations: reading,
  },
  {
    name: 'run_command',
    description:
      'Run a command. A look-up answers at once; about a change people decide, and the answer says what it waits for.',
    inputSchema: {
      type: 'object',
      properties: {
        command,
        arguments: { type: 'object', description: 'As describe_command shows them' },
        ...callParams,
      },
      required: ['command'],
      additionalProperties: false,
    },
    outputSchema: fewToolOutputs.run_command,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    ...asTask,
  },
]

type FewDeps = {
  commands: readonly Command[]
  commandNamed(name: string): Command | undefined
  run(command: Command, given: Record<string, unknown>): Promise<CallResult>
}

const search = z.strictObject({ query: z.string().max(500).default('') })
const describe = z.strictObject({ command: z.string().max(200) })
const runs = describe.extend({
  arguments: z.record(z.string(), z.unknown()).default({}),
  wait_seconds: z.unknown().optional(),
  request_key: z.unknown().optional(),
})

export const runFewTool = async (
  tool: FewTool,
  given: Record<string, unknown>,
  { commands, commandNamed, run }: FewDeps,
): Promise<CallResult> => {
  if (tool === 'search_commands') {
    const read = search.safeParse(given)
    if (!read.success) return badArguments(read.error)
    const words = read.data.query
      .toLowerCase()
      .split(/[\s_]+/)
      .filter(Boolean)
    const isMeant = ({ name, summary }: Command) =>
      words.every((word) => `${name} ${summary}`.toLowerCase().includes(word))
    const found = commands.filter(isMeant)
    return dataResult({
      commands: found.map((one) => ({
        command: one.name,
        summary: one.summary,
        kind: one.kind === 'query' ? 'look-up' : 'change',
      })),
    })
  }
  const read = (tool === 'run_command' ? runs : describe).safeParse(given)
  if (!read.success) return badArguments(read.error)
  const named = commandNamed(read.data.command)
  if (named === undefined || (tool === 'describe_command' && !commands.includes(named))) {
    return noSuchCommand(read.data.command, commands)
  }
  if (tool === 'describe_command') {
    return dataResult({
      command: named.name,
      summary: named.summary,
      kind: named.kind === 'query' ? 'look-up' : 'change',
      hints: hintsOf(named),
      arguments: inputSchemaOf(named),
      examples: [...named.examples],
    })
  }
  const { arguments: values, wait_seconds, request_key } = runs.parse(given)
  const own = { wait_seconds, request_key }
  const asked = Object.entries(own).filter(([, value]) => value !== undefined)
  return run(named, { ...values, ...Object.fromEntries(asked) })
}

const badArguments = (error: z.ZodError): CallResult => {
  const [issue] = error.issues
  const place = issue?.path.join('.')
  const words = issue?.message ?? 'they cannot be read'
  return refusedResult(
    refusal('bad_value', `The arguments do not fit: ${place ? `${place}: ` : ''}${words}.`),
  )
}

const noSuchCommand = (name: string, commands: readonly Command[]): CallResult => {
  const guess = didYouMean(
    name,
    commands.map((one) => one.name),
  )
  return refusedResult(
    refusal('unknown_command', `This agent has no command ${asTyped(name.slice(0, 60))}.`, {
      next: guess === undefined ? 'search_commands lists them.' : `Did you mean ${guess}?`,
    }),
  )
}
