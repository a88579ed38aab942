import type { Definition } from '../../src/command/define.ts'
import { commandLineOf } from '../../src/command/line/print.ts'
import { paramsOf } from '../../src/command/params.ts'

/** A line that asks a command for this input, with whatever quotes the values need. */
export const lineFor = (
  { name, input, positional }: Pick<Definition, 'name' | 'input' | 'positional'>,
  values: Record<string, unknown>,
): string => commandLineOf(name, paramsOf(input, positional ?? []), values)
