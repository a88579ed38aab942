import { numberText } from '../../../lib/codecs/read-number.ts'
import type { Definition } from '../define.ts'
import { type Param, paramsOf } from '../params.ts'
import { escapeItem } from './items.ts'

/** The line to type for this input; `parse` reads it back as the same input. */
export const commandLineOf = (
  name: string,
  params: readonly Param[],
  input: Record<string, unknown>,
): string => {
  const given = params.filter((param) => input[param.name] !== undefined)
  const gap = params.findIndex((param) => param.positional && input[param.name] === undefined)
  const parts = given.map((param) => {
    const value = quote(valueTextOf(param, input[param.name]))
    const byPosition = param.positional && (gap === -1 || params.indexOf(param) < gap)
    return byPosition ? value : `--${param.flag} ${value}`
  })
  return [name, ...parts].join(' ')
}

export const valueTextOf = (param: Param, value: unknown): string => {
  // As it was typed, or as it was read.
  if (param.type === 'json') return typeof value === 'string' ? value : JSON.stringify(value)
  if (param.type === 'file') return (value as { name: string }).name
  if (param.type === 'list') return (value as unknown[]).map((item) => escapeItem(String(item))).join(',')
  return typeof value === 'number' ? numberText(value) : String(value)
}

const plain = /^[\p{L}\p{N}_.@+:/%#*!?&=][\p{L}\p{N}_.@+:/%#*!?&=,-]*(?<!,)$/u

const quote = (value: string): string =>
  plain.test(value) || /^-\d[\d.]*$/.test(value)
    ? value
    : `"${value.replace(/[\\"”“<]/gu, (char) => `\\${char}`)}"`

/** The line to type to run a command with this input, with quotes where they are needed. */
export const lineFor = (
  { name, input, positional }: Pick<Definition, 'name' | 'input' | 'positional'>,
  values: Record<string, unknown>,
): string => commandLineOf(name, paramsOf(input, positional ?? []), values)
