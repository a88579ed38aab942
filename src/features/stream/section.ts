import { z } from 'zod'
import { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
import { keys, text } from '../../kernel/policy/file/values.ts'
import { variable } from '../../kernel/policy/file/variables.ts'
import type { Policy } from '../../kernel/policy/policy.ts'

const syslogPhrase = 'an address such as tls://logs.example.com:6514 or tcp://logs.example.com:601'
const httpsPhrase = 'an address such as https://logs.example.com/bellhop, without a user or password'

/** One receiver. */
const streamSchema = keys({
  file: text.exactOptional(),
  https: z
    .string(httpsPhrase)
    .refine((value) => {
      if (!URL.canParse(value)) return false
      const { protocol, hostname, username, password } = new URL(value)
      const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
      return username + password === '' && (protocol === 'https:' || (protocol === 'http:' && isHere))
    }, httpsPhrase)
    .exactOptional(),
  syslog: z
    .string(syslogPhrase)
    .refine((value) => /^(tls|tcp):\/\/[^/@\s]+$/.test(value) && URL.canParse(value), syslogPhrase)
    .exactOptional(),
  token: variable('{ env: NAME }').exactOptional(),
  addresses: z.boolean('true or false').default(false),
})
  .refine(
    ({ file, https, syslog }) => [file, https, syslog].filter((one) => one !== undefined).length === 1,
    'one receiver: file, https or syslog',
  )
  .refine(({ https, token }) => token === undefined || https !== undefined, 'a token only beside https')

export type StreamRule = z.infer<typeof streamSchema>

/** `stream` of bellhop.yml. */
export const streamSection: PolicySection<StreamRule | undefined> = {
  key: 'stream',
  schema: streamSchema.optional(),
  words: {
    stream: 'Who is given every entry of the audit log.',
    'stream.file': 'A file that entries are appended to.',
    'stream.https': 'An address that entries are posted to.',
    'stream.syslog': 'A server that takes syslog.',
    'stream.token': 'What the receiver at https is shown.',
    'stream.token.env': 'The environment variable that holds it.',
    'stream.addresses': 'Whether entries are whole, with what names customers in them.',
  },
  missing: (rule, env) => {
    const token = rule?.token?.env
    return token === undefined || env[token] !== undefined || env[`${token}_FILE`] !== undefined
      ? []
      : [`${token}, the token of the stream in bellhop.yml, is missing: set it, or leave token out.`]
  },
}

/** Undefined where nobody is given the log. */
export const streamOf = (policy: Partial<Policy>): StreamRule | undefined => ruleOf(policy, streamSection)
