import { messengers } from '../../../adapters/index.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { exitCodes } from '../exit-codes.ts'
import { ConfigError } from '../start/config.ts'
import { policyJsonSchema } from './json-schema.ts'

/** bellhop.yml as JSON Schema, for editors. */
export const schemaText = (): string => `${JSON.stringify(policyJsonSchema(messengers), null, 2)}\n`

/** `bellhop policy schema`. */
export const printSchema = async (rest: readonly string[]): Promise<number> => {
  if (rest.length > 0) throw new ConfigError([`It takes nothing more: ${toolLine('policy', 'schema')}`])
  process.stdout.write(schemaText())
  return exitCodes.done
}
