import type { Command } from '../define.ts'
import type { Param } from '../params.ts'

/** `refund <payment-id> [amount] [--refund-type refund|refund_credit]` */
export const usageOf = (command: Pick<Command, 'name' | 'params'>): string =>
  [command.name, hintOf(command.params)].filter(Boolean).join(' ')

export const hintOf = (params: readonly Param[]): string =>
  params
    .map((param) => {
      const value = param.positional ? `<${param.flag}>` : `--${param.flag} ${placeholderOf(param)}`
      if (param.required) return value
      return `[${param.positional ? param.flag : value}]`
    })
    .join(' ')

const placeholderOf = (param: Param): string => {
  if (param.type === 'choice') return param.choices.join('|')
  if (param.type === 'list') return 'a,b'
  if (param.type === 'boolean') return 'yes|no'
  if (param.type === 'integer' || param.type === 'number') return 'n'
  if (param.type === 'json') return 'json'
  if (param.type === 'file') return 'file'
  if (param.type === 'date') return 'yyyy-mm-dd'
  return 'text'
}
