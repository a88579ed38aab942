import { z } from 'zod'
import { readSshKey } from '../../../lib/codecs/ssh-signature.ts'
import { defined } from '../../../lib/defined.ts'
import { allServices, guessForms } from '../../../lib/services/endpoints/tables.ts'
import type { PlatformKeys } from '../../messenger/definition.ts'
import { notifyWays } from '../../model/change.ts'
import { allOutsideGroups } from '../outside-groups.ts'
import type { Need } from '../policy.ts'
import { allPolicySections, schemaOf } from './sections.ts'
import {
  amount,
  byPlatform,
  commands,
  duration,
  keys,
  name,
  oneInEach,
  patterns,
  personEmail,
  phraseOf,
  share,
  text,
  textList,
  wholeNumber,
  zone,
} from './values.ts'
import { variable } from './variables.ts'

// The keys of bellhop.yml, but for those that belong to a feature.

const requirePhrase = 'none, confirm, { approvals: 1, from: [role] }, { stages: [...] } or a list of these'
/** The approval of so many people. */
export const approvals = keys({
  approvals: z.int('a whole number').min(1, 'a whole number from 1 up'),
  from: textList.exactOptional(),
  sign: z.literal('passkey', 'passkey').exactOptional(),
})

const stagesPhrase =
  'a list of stages such as [{ approvals: 1, from: [lead] }, { approvals: 1, from: [finance] }]'

/** Approvals one after the other. */
const stages = keys({ stages: z.array(approvals, stagesPhrase).min(1, stagesPhrase) })

/** One clause or a list of them; `none` is the list without any. */
const requirement = z
  .union(
    [
      z.enum(['none', 'confirm']),
      approvals,
      stages,
      z
        .array(
          z.union(
            [z.literal('confirm'), approvals, stages],
            'confirm, { approvals: 1, from: [role] } or { stages: [...] }',
          ),
        )
        .min(1, requirePhrase),
    ],
    requirePhrase,
  )
  .transform((value): Need[] =>
    [value].flat().flatMap((one): Need | Need[] => {
      if (one === 'none') return []
      if (one === 'confirm') return { kind: 'confirm' }
      return 'stages' in one
        ? one.stages.map((stage, at) => ({ ...needOf(stage), stage: at + 1 }))
        : needOf(one)
    }),
  )

export const needOf = ({ approvals: count, from = [], sign }: z.output<typeof approvals>) => ({
  kind: 'approvals' as const,
  count,
  from,
  ...defined({ sign }),
})

/** The further workspaces of each messenger that has them. */
const workspacesSchema = (platforms: readonly PlatformKeys[]) =>
  keys(
    byPlatform(platforms, ({ workspace }) =>
      workspace === undefined
        ? undefined
        : z.array(workspace.id, `a list of ${phraseOf(workspace.id)}`).default([]),
    ),
  )

export const personSchema = (platforms: readonly PlatformKeys[]) =>
  keys({
    id: name,
    name: text,
    ...(byPlatform(platforms, ({ account }) => oneInEach(account).exactOptional()) as object),
    roles: textList.default([]),
    email: personEmail.exactOptional(),
    zone: zone.exactOptional(),
    manager: text.exactOptional(),
  })

const tokenPhrase =
  '{ env: NAME }, the variable that holds it, { client: ID }, its id at the issuer, or { workflow: true } for workflows'

export const agentSchema = keys({
  id: name,
  name: text,
  owner: text,
  roles: textList.default([]),
  token: z.union(
    [variable(tokenPhrase), keys({ client: text }), keys({ workflow: z.literal(true, 'true') })],
    tokenPhrase,
  ),
  rate: wholeNumber(100_000).default(120),
  tools: z.enum(['all', 'few'], 'all or few').default('all'),
})

const groupsSchema = (platforms: readonly PlatformKeys[]) => {
  const rolesBy = ({ id, plural }: { id: z.ZodType<string, string>; plural: string }) =>
    z.record(id, textList, `a map of ${plural} to lists of roles`)
  const own = byPlatform(platforms, ({ group }) => group && rolesBy(group).default({}))
  const outside = allOutsideGroups().map((one) => [one.name, rolesBy(one).exactOptional()])
  const none = Object.fromEntries(Object.keys(own).map((platform) => [platform, {}]))
  return keys({ ...own, ...(Object.fromEntries(outside) as typeof own) }).default(none)
}

export const roleSchema = keys({
  run: patterns.default([]),
  approve: patterns.default([]),
  delegate: z.boolean('true or false').exactOptional(),
})

export const everyoneSchema = keys({ run: patterns.default([]) })

export const ruleSchema = keys({
  name: text,
  commands,
  amount: keys({
    from: amount.exactOptional(),
    over: amount.exactOptional(),
    upTo: amount.exactOptional(),
  }).exactOptional(),
  require: requirement,
  expiresIn: duration.exactOptional(),
  hold: duration.exactOptional(),
  canary: share.exactOptional(),
  notify: z.enum(notifyWays, 'channel, mention or direct').exactOptional(),
  remind: z.array(duration, 'a list of durations such as [10m, 1h]').exactOptional(),
  escalate: keys({ after: duration, to: textList.min(1, 'at least one role') }).exactOptional(),
  evidence: z.literal('required', 'required').exactOptional(),
  reason: z.literal('required', 'required').exactOptional(),
})

const currencyPhrase = 'a currency in three capital letters, such as USD'
const currency = z.string(currencyPhrase).regex(/^[A-Z]{3}$/, currencyPhrase)
const ratePhrase = 'how much one of it is worth in the currency of the budget, such as { EUR: 1.08 }'
const rate = z.number(ratePhrase).positive(ratePhrase)
const dayPhrase = 'the day of the rates, such as 2026-11-01'
const day = z
  .string(dayPhrase)
  .refine((written) => /^\d{4}-\d\d-\d\d$/.test(written) && !Number.isNaN(Date.parse(written)), dayPhrase)

export const budgetSchema = keys({
  name: text,
  commands,
  per: z.enum(['requester', 'everyone'], 'requester or everyone'),
  window: duration,
  limit: amount,
  rates: keys({ day, to: currency, of: z.record(currency, rate, ratePhrase) }).exactOptional(),
  // biome-ignore lint/suspicious/noThenProperty: the file says `then`, and nothing awaits a budget
  then: requirement,
})

const before = keys({
  line: text,
  /** Whoever the test is about, if not said. */
  as: text.exactOptional(),
  ago: duration.default(60_000),
})

const expectPhrase = 'rule, require, or refused: true'

/** A case for `npm run policy -- test`; the bot itself does nothing with it. */
export const testSchema = keys({
  name: text,
  as: text,
  line: text,
  before: z.array(before, 'a list of requests such as [{ line: refund pay_1 20, ago: 2h }]').default([]),
  spent: z.record(text, amount, 'a map of budgets to sums').default({}),
  expect: keys({
    rule: text.exactOptional(),
    require: requirement.exactOptional(),
    refused: z.literal(true, 'true').exactOptional(),
  }).refine((expected) => Object.keys(expected).length > 0, expectPhrase),
})

/** Tests in a file of their own, beside the policy file. */
export const testFileSchema = keys({ tests: z.array(testSchema, 'a list of tests') })

const reasonsPhrase = 'a list of at most 20 reasons of up to 75 characters'

/** What people pick from; each fits into an option of every platform's form. */
const reasonsSchema = z
  .array(z.string(reasonsPhrase).trim().min(1, reasonsPhrase).max(75, reasonsPhrase), reasonsPhrase)
  .max(20, reasonsPhrase)

export const bulkSchema = keys({
  chunk: wholeNumber(1_000).default(100),
  concurrency: wholeNumber(16).default(4),
  rate: wholeNumber(1_000).default(50),
})

/**
 * The fields of services that hold ids of other services, and which of them customers can write; where there can be one field
 * alone, its name is enough.
 */
const linksSchema = () => {
  const kinds = allServices().flatMap(({ links }) => links?.fields ?? [])
  const [first = ''] = kinds
  const phrase = `a list of ${kinds.join(', ') || 'nothing'}, or [] where nobody but your people writes them`
  return z.preprocess(
    (value) => (typeof value === 'string' ? { [first]: value } : value),
    keys({
      ...Object.fromEntries(kinds.map((kind) => [kind, text.exactOptional()])),
      customersWrite: z.array(z.enum(kinds, phrase), phrase).exactOptional(),
    }),
  )
}

/** The fields whose form no document shows. */
export const guessesSchema = () =>
  keys(
    Object.fromEntries(
      Object.entries(guessForms()).map(([field, forms]) => [
        field,
        z.enum(forms, forms.join(', ').replace(/, (?=[^,]*$)/, ' or ')).exactOptional(),
      ]),
    ),
  )

const packPhrase = 'a folder such as ./parcels, a package, or { name: ./parcels, pin: sha256-... }'

/** A pack or a feature from outside. Its pin is the digest of its code. */
export const packSchema = z.union(
  [
    text.transform((name): { name: string; pin?: string | undefined } => ({ name })),
    keys({
      name: text,
      pin: z
        .string(packPhrase)
        .regex(/^sha256-[0-9a-f]{64}$/, packPhrase)
        .exactOptional(),
    }),
  ],
  packPhrase,
)

const keyPhrase =
  'a public key as OpenSSH writes it, such as "ssh-ed25519 AAAA... ada@example.com": Ed25519, ECDSA, RSA from 2048 bits on, or one on hardware (sk-)'

const followsPhrase = 'the digest of the version in force, 64 letters and digits'

/** Whose signatures a policy file needs before it is taken in. */
export const sealSchema = keys({
  keys: z
    .array(
      keys({ name, key: text.refine((line) => readSshKey(line) !== undefined, keyPhrase) }),
      'a list of keys such as [{ name: ada, key: "ssh-ed25519 AAAA..." }]',
    )
    .min(1, 'at least one key'),
  count: wholeNumber(20),
})
  .refine(
    ({ keys: named, count: least }) => least <= named.length,
    'a count that the number of keys can reach',
  )
  .refine(
    ({ keys: named }) =>
      new Set(named.map((one) => one.name)).size === named.length &&
      new Set(named.map(({ key }) => key.split(/\s+/)[1])).size === named.length,
    'each name and each key once: two signatures must be by two keys',
  )

/** What one person may do alone, in the place of two. */
export const emergencySchema = keys({
  from: textList.min(1, 'at least one role'),
  commands,
  upTo: amount.exactOptional(),
  for: duration.default(1_800_000),
})

export const fileSchema = (platforms: readonly PlatformKeys[]) =>
  keys({
    version: z.literal(1, '1, the only version there is'),
    people: z.array(personSchema(platforms), 'a list of people').default([]),
    agents: z.array(agentSchema, 'a list of agents').default([]),
    groups: groupsSchema(platforms),
    roles: z.record(name, roleSchema, 'a map of roles by name').default({}),
    everyone: everyoneSchema.default({ run: [] }),
    workspaces: workspacesSchema(platforms).default({}),
    approvals: keys(
      byPlatform(platforms, ({ channel }) => channel && oneInEach(channel).exactOptional()),
    ).default({}),
    administrators: textList.default([]),
    policies: z.array(ruleSchema, 'a list of policies').default([]),
    budgets: z.array(budgetSchema, 'a list of budgets').default([]),
    duplicates: keys({ window: duration }).exactOptional(),
    unseen: z.enum(['ask', 'pass'], 'ask or pass').default('ask'),
    reasons: reasonsSchema.default([]),
    zone: zone.default('UTC'),
    bulk: bulkSchema.default({ chunk: 100, concurrency: 4, rate: 50 }),
    links: linksSchema().default({}),
    guesses: guessesSchema().default({}),
    packs: z.array(packSchema, 'a list of packs').default([]),
    features: z.array(packSchema, 'a list of features').default([]),
    follows: z
      .string(followsPhrase)
      .regex(/^[0-9a-f]{64}$/, followsPhrase)
      .exactOptional(),
    seal: sealSchema.exactOptional(),
    emergency: emergencySchema.exactOptional(),
    ...(Object.fromEntries(allPolicySections().map((one) => [one.key, schemaOf(one, platforms)])) as object),
    tests: z.array(testSchema, 'a list of tests').default([]),
  })

export type FileSchema = ReturnType<typeof fileSchema>
export type PolicyFile = z.output<FileSchema>
export type PolicyTest = z.output<typeof testSchema>
