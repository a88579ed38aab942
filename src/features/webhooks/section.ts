import { z } from 'zod'
import { type PolicySection, ruleOf } from '../../kernel/policy/file/sections.ts'
import { keys, webAddress } from '../../kernel/policy/file/values.ts'
import { variable } from '../../kernel/policy/file/variables.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { namesPrivateHost } from '../../lib/codecs/public-address.ts'
import { type WebhookRule, webhookTypes } from './event.ts'

const hookPhrase = 'an address such as https://example.com/bellhop, without a user or password'
const eventsPhrase = `"*", or some of ${webhookTypes.join(', ')}`
const secretPhrase = '{ env: NAME }, the variable that holds the secret of the hook'

/** A hook is told over a connection that nobody reads, unless it is in a network of one's own. */
const webhookSchema = keys({
  url: webAddress(hookPhrase),
  events: z
    .array(z.enum([...webhookTypes, 'change.*', '*'], eventsPhrase), eventsPhrase)
    .min(1, eventsPhrase)
    .default(['*']),
  secret: variable(secretPhrase),
  private: z.boolean('true or false').exactOptional(),
}).refine(
  ({ url, private: isPrivate = false }) =>
    isPrivate || (/^https:/i.test(url) && !namesPrivateHost(new URL(url).hostname)),
  'a public https address, or "private: true" beside it for one in a network of your own',
)

/** `webhooks` of bellhop.yml. */
export const webhooksSection: PolicySection<readonly WebhookRule[]> = {
  key: 'webhooks',
  schema: z
    .array(webhookSchema, 'a list of webhooks')
    .max(8, 'at most 8 webhooks')
    .refine((hooks) => new Set(hooks.map(({ url }) => url)).size === hooks.length, 'each address once')
    .default([]),
  words: {
    webhooks: 'Who is told of each step of a change, over HTTPS and signed.',
    'webhooks.url': 'Where it is told.',
    'webhooks.events': 'The steps that it is told of; all of them if not said.',
    'webhooks.secret': 'What the messages are signed with.',
    'webhooks.secret.env': 'The environment variable that holds the secret.',
    'webhooks.private': 'Whether the address may be on this machine or in a network of your own.',
  },
  doubts: (hooks, env) => {
    const secretOf = ({ secret }: WebhookRule) => env[secret.env]?.replace(/^whsec_/, '') ?? `{${secret.env}}`
    return [...Map.groupBy(hooks, secretOf).values()]
      .filter(({ length }) => length > 1)
      .map((same) => {
        const places = same.map(({ url }) => new URL(url).origin).join(', ')
        return `The webhooks ${places} have one secret, so whoever receives one can write to the others in our name: give each a variable and a secret of its own.`
      })
  },
  missing: (hooks, env) =>
    hooks.flatMap(({ url, secret }) => {
      const given = env[secret.env]
      const bytes = given === undefined ? 0 : Buffer.from(given.replace(/^whsec_/, ''), 'base64').length
      const isGood = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(given ?? '') && bytes >= 24 && bytes <= 64
      if (isGood) return []
      const what = given === undefined ? 'is missing' : 'is no such secret'
      return [
        `${secret.env}, the secret of the webhook ${new URL(url).origin}, ${what}: set it to whsec_ and 24 to 64 bytes in base64; echo "whsec_$(openssl rand -base64 32)" makes one.`,
      ]
    }),
}

export const hooksOf = (policy: Partial<Policy>): readonly WebhookRule[] => ruleOf(policy, webhooksSection)
