import type { Definition } from '../../src/command/define.ts'
import { paramsOf } from '../../src/command/params.ts'
import { lineOf } from '../../src/command/print.ts'

/** A line that asks a command for this input, with whatever quotes the values need. */
export const lineFor = (
  { name, input, positional }: Pick<Definition, 'name' | 'input' | 'positional'>,
  values: Record<string, unknown>,
): string => lineOf(name, paramsOf(input, positional ?? []), values)
