import { z } from 'zod'
import { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
import { keys, text } from '../../kernel/policy/file/values.ts'
import { variable } from '../../kernel/policy/file/variables.ts'
import type { Policy } from '../../kernel/policy/policy.ts'

const urlPhrase =
  'an address such as https://models.example.com/v1/chat/completions, without a user or password'

/** Over a connection that nobody reads, or to a model on this machine. */
const isSafe = (value: string): boolean => {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return username + password === '' && (protocol === 'https:' || (protocol === 'http:' && isHere))
}

const readerSchema = keys({
  url: z.string(urlPhrase).refine(isSafe, urlPhrase),
  model: text.max(100, 'at most 100 characters'),
  token: variable('{ env: NAME }, the variable that holds the token of the model').exactOptional(),
})

export type ReaderRule = z.infer<typeof readerSchema>

/** `reader` of bellhop.yml. */
export const readerSection: PolicySection<ReaderRule | undefined> = {
  key: 'reader',
  schema: readerSchema.optional(),
  words: {
    reader:
      'The model that may propose a line for a sentence that was not understood. Without it, no model takes part.',
    'reader.url':
      'Where it is asked: such as https://models.example.com/v1/chat/completions, or any address of the same form.',
    'reader.model': 'Its name, which stands on each draft that it proposed.',
    'reader.token': 'What it is shown.',
    'reader.token.env': 'The environment variable that holds it.',
  },
  missing: (rule, env) => {
    const token = rule?.token?.env
    return token === undefined || env[token] !== undefined || env[`${token}_FILE`] !== undefined
      ? []
      : [`${token}, the token of the reader in bellhop.yml, is missing: set it, or leave token out.`]
  },
}

/** Undefined where no model is asked. */
export const readerOf = (policy: Partial<Policy>): ReaderRule | undefined => ruleOf(policy, readerSection)
