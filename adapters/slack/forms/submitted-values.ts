import { z } from 'zod'
import type { Command } from '../../../src/kernel/command/define.ts'
import { coerce, type Raw } from '../../../src/kernel/command/line/coerce.ts'
import { readValues } from '../../../src/kernel/command/line/parse.ts'
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

/**
 * Everything that does not fit, by the blocks of the form, before anything slow is asked; none if all of it does. A form may
 * show some of the fields alone, and what the others lack is for the bot to say: Slack takes no error for a field that is not there.
 */
export const fieldErrors = (
  command: Command,
  values: Record<string, Raw>,
  { shown, hasFile = false }: { shown: readonly string[]; hasFile?: boolean },
): Record<string, string> => {
  const asked = command.params.filter((param) => shown.includes(blockIdOf(param)))
  const errors: Record<string, string> = {}
  for (const param of asked) {
    if (param.type === 'file' && hasFile) continue
    const raw = values[param.name]
    const coerced = raw === undefined ? undefined : coerce(param, raw)
    if (coerced?.ok === false) errors[blockIdOf(param)] = coerced.refusal.message
    else if (raw === undefined && param.required) errors[blockIdOf(param)] = 'This is needed.'
  }
  if (Object.keys(errors).length > 0) return errors
  const read = readValues(command, values)
  if (read.ok) {
    const missing = hasFile ? undefined : read.value.missing.find((param) => asked.includes(param))
    return missing === undefined ? {} : { [blockIdOf(missing)]: 'This is needed.' }
  }
  const field = asked.find(({ name }) => name === read.refusal.field) ?? asked[0]
  // A name in the place of an id is looked up before anybody can say that it does not fit.
  return field === undefined || field.kinds.length > 0 ? {} : { [blockIdOf(field)]: read.refusal.message }
}
