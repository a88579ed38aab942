import type { Definition } from '../../src/command/define.ts'
import { commandLineOf } from '../../src/command/line/print.ts'
import { type Param, paramsOf } from '../../src/command/params.ts'

/** The line to type to run a command with this input, with quotes where they are needed. */
export const lineFor = (
  { name, input, positional }: Pick<Definition, 'name' | 'input' | 'positional'>,
  values: Record<string, unknown>,
): string => {
  const params = known.get(input) ?? paramsOf(input, positional ?? [])
  known.set(input, params)
  return commandLineOf(name, params, values)
}

/** Deriving them takes longer than everything else that a card is made of. */
const known = new WeakMap<Definition['input'], readonly Param[]>()
