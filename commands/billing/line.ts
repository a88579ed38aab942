import type { Definition } from '../../src/command/define.ts'
import { commandLineOf } from '../../src/command/line/print.ts'
import { paramsOf } from '../../src/command/params.ts'

/** The line to type to run a command with this input, with quotes where they are needed. */
export const lineFor = (
  { name, input, positional }: Pick<Definition, 'name' | 'input' | 'positional'>,
  values: Record<string, unknown>,
): string => commandLineOf(name, paramsOf(input, positional ?? []), values)
