import {
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type PrimitiveSchemaDefinition,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Command } from '../../src/kernel/command/define.ts'
import { paramNamed } from '../../src/kernel/command/line/parse.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import { defined } from '../../src/lib/defined.ts'
import { fieldOf } from '../../src/lib/view/wording.ts'
import { declaredBy } from './tasks.ts'

/** The one form of a call. */
const formKey = 'values'

/** What a command needs and was not given under any of its names. */
export const missingParams = (command: Command, given: Record<string, unknown>): Param[] => {
  const names = new Set(Object.keys(given).map((name) => paramNamed(command, name)?.name))
  return command.params.filter(({ name, required }) => required && !names.has(name))
}

/** What somebody wrote into the client's form fills gaps, and changes nothing that the call says itself. */
export const withAnswers = (
  command: Command,
  given: Record<string, unknown>,
  answers: Record<string, unknown> | undefined,
): Record<string, unknown> => {
  if (answers === undefined) return given
  const keys = missingParams(command, given).map(({ name }) => fieldOf(name))
  const filled = keys.filter((key) => answers[key] !== undefined).map((key) => [key, answers[key]])
  return { ...given, ...Object.fromEntries(filled) }
}

/** Undefined before the client was asked; without values where whoever read the form gave none. */
export const readAnswers = ({ mcpReq }: ServerContext): { values?: Record<string, unknown> } | undefined => {
  const response = inputResponse(mcpReq.inputResponses, formKey)
  if (response.kind !== 'elicit') return undefined
  return response.action === 'accept' ? { values: response.content ?? {} } : {}
}

/** A form for the missing values, where the client of this request can show one and each value fits into one. */
export const askForValues = (
  context: ServerContext,
  missing: readonly Param[],
  message: string,
): InputRequiredResult | undefined => {
  const { elicitation } = declaredBy(context) ?? {}
  if (elicitation === undefined || (elicitation.url !== undefined && elicitation.form === undefined)) {
    return undefined
  }
  const fields = missing.map((param) => [fieldOf(param.name), fieldIn(param)] as const)
  const properties = Object.fromEntries(fields.flatMap(([key, field]) => (field ? [[key, field]] : [])))
  if (fields.length === 0 || fields.some(([, field]) => field === undefined)) return undefined
  const requestedSchema = { type: 'object' as const, properties, required: Object.keys(properties) }
  return inputRequired({
    inputRequests: { [formKey]: inputRequired.elicit({ message, requestedSchema }) },
  })
}

/** Forms of clients have texts, numbers, yes or no, and choices. */
const fieldIn = (param: Param): PrimitiveSchemaDefinition | undefined => {
  const { name, type, description, choices, min, max, maxLength, format } = param
  const about = { title: fieldOf(name).replaceAll('_', ' '), description }
  switch (type) {
    case 'file':
      return undefined
    case 'integer':
    case 'number':
      return { type, ...about, ...defined({ minimum: min, maximum: max }) }
    case 'boolean':
      return { type, ...about }
    case 'choice':
      return { type: 'string', enum: choices, ...about }
    case 'list':
      return choices.length > 0
        ? { type: 'array', items: { type: 'string', enum: choices }, ...about }
        : { type: 'string', ...about, description: `${description}, with commas between them` }
    case 'amount':
    case 'json':
    case 'text':
    case 'date':
      return { type: 'string', ...about, ...defined({ maxLength, format }) }
  }
}
