import { z } from 'zod'
import type { Command } from '../../../src/command/define.ts'
import { coerce, type Raw } from '../../../src/command/line/coerce.ts'
import { readValues } from '../../../src/command/line/parse.ts'
import { type SharedFile, sharedFilesIn } from '../api/file-download.ts'
import { blockIdOf, inputId, usualIdOf } from './command-form.ts'

/** What a filled-in input says, whichever element it is. */
const inputSchema = z.object({
  value: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
  selected_date: z.string().nullish(),
  files: z.unknown().optional(),
})
const stateSchema = z.object({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })

export const inputReaderOf = (state: unknown): ((blockId: string, actionId: string) => Raw | undefined) => {
  const read = stateSchema.safeParse(state)
  return (blockId, actionId) => {
    const input = inputSchema.safeParse(read.data?.values[blockId]?.[actionId])
    if (!input.success) return undefined
    const { value, selected_option, selected_options, selected_date } = input.data
    if (selected_options?.length) return selected_options.map((option) => option.value)
    const one = value ?? selected_option?.value ?? selected_date
    return one === null || one === undefined || one.trim() === '' ? undefined : one
  }
}

/** The file that was put into the form, and the field it is for. */
export const submittedFile = (
  command: Command,
  state: unknown,
): { name: string; file: SharedFile } | undefined => {
  const param = command.params.find(({ type }) => type === 'file')
  if (param === undefined) return undefined
  const input = stateSchema.safeParse(state).data?.values[blockIdOf(param)]?.[inputId]
  const [file] = sharedFilesIn(inputSchema.safeParse(input).data?.files)
  return file === undefined ? undefined : { name: param.name, file }
}

export const submittedValues = (command: Command, state: unknown): Record<string, Raw> => {
  const read = inputReaderOf(state)
  return Object.fromEntries(
    command.params.flatMap((param) => {
      const value = read(blockIdOf(param), inputId) ?? read(usualIdOf(param), inputId)
      return value === undefined ? [] : [[param.name, value]]
    }),
  )
}

/** Everything that does not fit, field by field, before anything slow is asked; none if all of it does. */
export const fieldErrors = (
  command: Command,
  values: Record<string, Raw>,
  hasFile = false,
): Record<string, string> => {
  const errors: Record<string, string> = {}
  for (const param of command.params) {
    if (param.type === 'file' && hasFile) continue
    const raw = values[param.name]
    const coerced = raw === undefined ? undefined : coerce(param, raw)
    if (coerced?.ok === false) errors[blockIdOf(param)] = coerced.refusal.message
    else if (raw === undefined && param.required) errors[blockIdOf(param)] = 'This is needed.'
  }
  if (Object.keys(errors).length > 0) return errors
  const read = readValues(command, values)
  if (read.ok) {
    const [missing] = hasFile ? [] : read.value.missing
    return missing === undefined ? {} : { [blockIdOf(missing)]: 'This is needed.' }
  }
  const field = command.params.find(({ name }) => name === read.refusal.field) ?? command.params[0]
  // A name in the place of an id is looked up before anybody can say that it does not fit.
  return field === undefined || field.kinds.length > 0 ? {} : { [blockIdOf(field)]: read.refusal.message }
}
