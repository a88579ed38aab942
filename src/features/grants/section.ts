import { z } from 'zod'
import { approvals, needOf } from '../../kernel/policy/file/schema.ts'
import type { PolicySection } from '../../kernel/policy/file/sections.ts'
import { ruleOf } from '../../kernel/policy/file/sections.ts'
import {
  amount,
  commands,
  duration,
  keys,
  text,
  textList,
  wholeNumber,
} from '../../kernel/policy/file/values.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { digestOf } from '../../lib/codecs/canonical-json.ts'

const currencyPhrase = 'a currency in three capital letters, such as USD'

const grantRule = keys({
  name: text,
  run: commands.exactOptional(),
  approve: commands.exactOptional(),
  to: textList.default([]),
  require: approvals.transform((value) => needOf(value)),
  for: duration,
  upTo: amount.exactOptional(),
  inAll: amount.exactOptional(),
  currency: z
    .string(currencyPhrase)
    .regex(/^[A-Z]{3}$/, currencyPhrase)
    .exactOptional(),
  times: wholeNumber(1_000).exactOptional(),
})
  .refine(({ run, approve }) => (run === undefined) !== (approve === undefined), 'either run or approve')
  .refine(
    ({ approve, times }) => (approve === undefined) === (times === undefined),
    'times beside approve, and nowhere else: how many requests may be approved in advance',
  )
  .refine(
    ({ approve, upTo, inAll }) => approve !== undefined || (upTo === undefined && inAll === undefined),
    'upTo and inAll beside approve alone',
  )
  .refine(
    ({ upTo, inAll, currency }) => (upTo === undefined && inAll === undefined) === (currency === undefined),
    'a currency beside upTo or inAll, and nowhere else',
  )

/** Who may give what to whom, and within which bounds. */
export type GrantRule = z.output<typeof grantRule>

/** `grants` of bellhop.yml. Without it nobody can be given anything for a while. */
export const grantsSection: PolicySection<readonly GrantRule[]> = {
  key: 'grants',
  schema: z
    .array(grantRule, 'a list of grants')
    .max(50, 'at most 50 rules')
    .refine((rules) => new Set(rules.map(({ name }) => name)).size === rules.length, 'each name once')
    .default([]),
  words: {
    grants: 'Which rights people may be given for a while, and who gives them.',
    'grants.name': 'What the card of a grant and the audit log call it.',
    'grants.run': 'The commands that somebody may be given the right to run.',
    'grants.approve': 'The commands that may be approved in advance, by people who may approve them.',
    'grants.to': 'The roles of those who may have it; everybody whom the file lists if not said.',
    'grants.require': 'Whose approval a grant needs, besides what the policies ask of "grant create".',
    'grants.require.approvals': 'How many people must approve it.',
    'grants.require.from': 'The roles that they have.',
    'grants.require.sign': '"passkey": they sign it with a passkey.',
    'grants.for': 'How long a grant may last at most.',
    'grants.upTo': 'The largest sum that one request may be approved for in advance.',
    'grants.inAll': 'The largest sum of all of them.',
    'grants.currency': 'The currency of those sums.',
    'grants.times': 'How many requests may be approved in advance by one grant.',
  },
  names: (rules) => ({
    roles: rules.flatMap(({ to, require: { from } }, at) => [
      [['grants', at, 'to'], to] as [string[], string[]],
      [['grants', at, 'require', 'from'], [...from]] as [string[], string[]],
    ]),
    commands: rules.flatMap(({ run, approve }, at) => [
      [['grants', at, run === undefined ? 'approve' : 'run'], run ?? approve ?? []] as [string[], string[]],
    ]),
    demands: rules.map(({ require: need }, at) => ({
      path: ['grants', at, 'require'],
      commands: ['grant create'],
      need: { ...need, from: [...need.from] },
    })),
  }),
}

export const grantRulesOf = (policy: Partial<Policy>): readonly GrantRule[] => ruleOf(policy, grantsSection)

/** A grant rests on its rule as it was: one that says something else by now is another. */
export const ruleDigestOf = (rule: GrantRule): string => digestOf(rule)

/** What no grant covers, whatever the file says: rights, keys, people, the brake, decisions, and a command that can be any other. */
const uncovered = [
  'grant',
  'policy',
  'freeze',
  'unfreeze',
  'person',
  'away',
  'approval',
  'bellhop',
  'api',
  'job',
]

export const isCoverable = (command: string): boolean => !uncovered.includes(command.split(' ')[0] ?? '')
