import { z } from 'zod'
import { defined } from '../../defined.ts'
import type { AccountKeys, PlatformKeys } from '../../messenger/definition.ts'
import { notifyWays } from '../../model/change.ts'
import { namesPrivateHost } from '../../model/public-address.ts'
import { readNumber } from '../../model/read-number.ts'
import { readSshKey } from '../../model/ssh-signature.ts'
import { webhookTypes } from '../../model/webhook-events.ts'
import { workspaceIn } from '../../model/workspace.ts'
import { allServices, guessForms } from '../../services/endpoints/tables.ts'
import { isZone } from '../../view/zones.ts'
import { parseDuration } from '../duration.ts'
import { toPattern } from '../pattern.ts'
import type { Need } from '../policy.ts'

// Every key of bellhop.yml stands here and nowhere else. The message of each schema says what was
// expected; `shape.ts` puts what was found, and where, in front of it.

const zonePhrase = 'a time zone such as Europe/Berlin'
const zone = z.string(zonePhrase).refine(isZone, zonePhrase)
const durationPhrase = 'a duration such as 10s, 30m, 24h or 7d'
const requirePhrase = 'none, confirm, { approvals: 1, from: [role] }, { stages: [...] } or a list of these'

const text = z.string('a text').trim().min(1, 'a text that is not empty')
const texts = z.array(text, 'a list such as [one, two]')
const amount = z
  .union([z.number(), z.string()], 'a number')
  .transform((value, context) => {
    const read = typeof value === 'number' ? { ok: true as const, value, unit: null } : readNumber(value)
    if (read.ok && read.unit === null) return read.value
    const why = read.ok ? undefined : read.why
    context.issues.push({
      code: 'custom',
      message: why === undefined ? 'a number' : `one number: ${why}`,
      input: value,
    })
    return z.NEVER
  })
  .pipe(z.number().min(0, 'a number from 0 up'))
const name = z
  .string('a name such as finance')
  .regex(/^[A-Za-z0-9][\w.@-]*$/, 'a name of letters, digits, ".", "_", "-" and "@"')

const countPhrase = (most: number) => `a whole number from 1 to ${most}`
const count = (most: number) =>
  z.int(countPhrase(most)).min(1, countPhrase(most)).max(most, countPhrase(most))

const duration = z.string(durationPhrase).transform((value, context) => {
  const ms = parseDuration(value)
  if (ms !== null) return ms
  context.issues.push({ code: 'custom', message: durationPhrase, input: value })
  return z.NEVER
})

const sharePhrase = 'a share such as 1% or 2.5%, above 0% and below 100%'
const share = z.string(sharePhrase).transform((value, context) => {
  const percent = /^(\d{1,2}(?:\.\d{1,3})?) ?%$/.exec(value.trim())?.[1]
  if (Number(percent) > 0) return Number(percent) / 100
  context.issues.push({ code: 'custom', message: sharePhrase, input: value })
  return z.NEVER
})

const patterns = z.array(
  z.string('a command such as "campaign send", "campaign *" or "*"').transform(toPattern),
  'a list of commands such as [refund, "campaign *"]',
)
const commands = patterns.min(1, 'at least one command')

const approvals = keys({
  approvals: z.int('a whole number').min(1, 'a whole number from 1 up'),
  from: texts.exactOptional(),
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

const needOf = ({ approvals: count, from = [], sign }: z.output<typeof approvals>) => ({
  kind: 'approvals' as const,
  count,
  from,
  ...defined({ sign }),
})

/** False where people go by their id in the file, as in the console. */
export const hasAccounts = (platform: PlatformKeys): platform is PlatformKeys & { accounts: AccountKeys } =>
  typeof platform.accounts === 'object'

/** An object with a key for each messenger that has something to say there. */
const byPlatform = <S extends z.ZodType>(
  platforms: readonly PlatformKeys[],
  schemaOf: (keys: AccountKeys, title: string) => S | undefined,
): Record<string, S> =>
  Object.fromEntries(
    platforms.filter(hasAccounts).flatMap(({ name, title, accounts }) => {
      const schema = schemaOf(accounts, title)
      return schema === undefined ? [] : [[name, schema]]
    }),
  )

/** What a schema says was expected. */
export const phraseOf = ({ _zod: { def } }: z.core.$ZodType): string | undefined => {
  const said: unknown = typeof def.error === 'function' ? def.error({} as never) : def.error
  return typeof said === 'string' ? said : undefined
}

/** One id, or a list of them: at most one in each workspace. */
const oneInEach = (id: z.ZodType<string, string>) => {
  const phrase = `${phraseOf(id)}, or a list with one for each workspace`
  return z
    .union([id, z.array(id, phrase).min(1, phrase)], phraseOf(id))
    .transform((given): string[] => [given].flat())
    .refine((ids) => new Set(ids.map(workspaceIn)).size === ids.length, phrase)
}

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
    roles: texts.default([]),
    zone: zone.exactOptional(),
    manager: text.exactOptional(),
  })

const tokenPhrase =
  '{ env: NAME }, the variable that holds it, { client: ID }, its id at the issuer, or { workflow: true } for workflows'

export const agentSchema = keys({
  id: name,
  name: text,
  owner: text,
  roles: texts.default([]),
  token: z.union(
    [
      keys({ env: z.string(tokenPhrase).regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable') }),
      keys({ client: text }),
      keys({ workflow: z.literal(true, 'true') }),
    ],
    tokenPhrase,
  ),
  rate: count(100_000).default(120),
  tools: z.enum(['all', 'few'], 'all or few').default('all'),
})

const groupsSchema = (platforms: readonly PlatformKeys[]) => {
  const shape = byPlatform(platforms, ({ group }) =>
    group === undefined
      ? undefined
      : z.record(group.id, texts, `a map of ${group.plural} to lists of roles`).default({}),
  )
  return keys(shape).default(Object.fromEntries(Object.keys(shape).map((platform) => [platform, {}])))
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
  escalate: keys({ after: duration, to: texts.min(1, 'at least one role') }).exactOptional(),
  evidence: z.literal('required', 'required').exactOptional(),
  reason: z.literal('required', 'required').exactOptional(),
})

export const budgetSchema = keys({
  name: text,
  commands,
  per: z.enum(['requester', 'everyone'], 'requester or everyone'),
  window: duration,
  limit: amount,
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
  chunk: count(1_000).default(100),
  concurrency: count(16).default(4),
  rate: count(1_000).default(50),
})

/** The fields of services that hold ids of other services; where there can be one alone, its name is enough. */
const linksSchema = () => {
  const kinds = allServices().flatMap(({ links }) => links?.fields ?? [])
  const [first = ''] = kinds
  return z.preprocess(
    (value) => (typeof value === 'string' ? { [first]: value } : value),
    keys(Object.fromEntries(kinds.map((kind) => [kind, text.exactOptional()]))),
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

const address = (phrase: string) =>
  z.string(phrase).refine((value) => {
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
    const { username, password } = new URL(value)
    return username + password === ''
  }, phrase)
const authority = address('an address such as https://freetsa.org/tsr, without a user or password')

/** Each witness is optional, but one there must be. */
export const anchorSchema = (platforms: readonly PlatformKeys[]) => {
  const channels = byPlatform(platforms, ({ channel }) => channel?.exactOptional())
  const witnesses = ['folder', 'tsa', ...Object.keys(channels)]
  return keys({
    every: duration.default(3_600_000),
    folder: text.exactOptional(),
    tsa: authority.exactOptional(),
    ...(channels as object),
  }).refine(
    (anchor) => witnesses.some((witness) => Object.hasOwn(anchor, witness)),
    `at least one witness: ${witnesses.join(', ')}`,
  )
}

const keyPhrase =
  'a public key as OpenSSH writes it, such as "ssh-ed25519 AAAA... ada@example.com": Ed25519, ECDSA, RSA from 2048 bits on, or one on hardware (sk-)'

/** Whose signatures a policy file needs before it is taken in. */
export const sealSchema = keys({
  keys: z
    .array(
      keys({ name, key: text.refine((line) => readSshKey(line) !== undefined, keyPhrase) }),
      'a list of keys such as [{ name: ada, key: "ssh-ed25519 AAAA..." }]',
    )
    .min(1, 'at least one key'),
  count: count(20),
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
  from: texts.min(1, 'at least one role'),
  commands,
  upTo: amount.exactOptional(),
  for: duration.default(1_800_000),
})

const syslogPhrase = 'an address such as tls://logs.example.com:6514 or tcp://logs.example.com:601'
const httpsPhrase = 'an address such as https://logs.example.com/bellhop, without a user or password'

/** Who is given every entry of the audit log: one receiver. */
export const streamSchema = keys({
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
  token: keys({
    env: z.string('{ env: NAME }').regex(/^[A-Za-z_]\w*$/, 'the name of an environment variable'),
  }).exactOptional(),
  addresses: z.boolean('true or false').default(false),
})
  .refine(
    ({ file, https, syslog }) => [file, https, syslog].filter((one) => one !== undefined).length === 1,
    'one receiver: file, https or syslog',
  )
  .refine(({ https, token }) => token === undefined || https !== undefined, 'a token only beside https')

const hookPhrase = 'an address such as https://example.com/bellhop, without a user or password'
const eventsPhrase = `"*", or some of ${webhookTypes.join(', ')}`
const secretPhrase = '{ env: NAME }, the variable that holds the secret of the hook'

/** A hook is told over a connection that nobody reads, unless it is in a network of one's own. */
export const webhookSchema = keys({
  url: address(hookPhrase),
  events: z
    .array(z.enum([...webhookTypes, 'change.*', '*'], eventsPhrase), eventsPhrase)
    .min(1, eventsPhrase)
    .default(['*']),
  secret: keys({ env: z.string(secretPhrase).regex(/^[A-Za-z_]\w*$/, secretPhrase) }),
  private: z.boolean('true or false').exactOptional(),
}).refine(
  ({ url, private: isPrivate = false }) =>
    isPrivate || (/^https:/i.test(url) && !namesPrivateHost(new URL(url).hostname)),
  'a public https address, or "private: true" beside it for one in a network of your own',
)

export const webhooksSchema = z
  .array(webhookSchema, 'a list of webhooks')
  .max(8, 'at most 8 webhooks')
  .refine((hooks) => new Set(hooks.map(({ url }) => url)).size === hooks.length, 'each address once')

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
    administrators: texts.default([]),
    policies: z.array(ruleSchema, 'a list of policies').default([]),
    budgets: z.array(budgetSchema, 'a list of budgets').default([]),
    duplicates: keys({ window: duration }).exactOptional(),
    unseen: z.enum(['ask', 'pass'], 'ask or pass').default('ask'),
    reasons: reasonsSchema.default([]),
    zone: zone.default('UTC'),
    bulk: bulkSchema.default({ chunk: 100, concurrency: 4, rate: 50 }),
    links: linksSchema().default({}),
    guesses: guessesSchema().default({}),
    packs: z.array(text, 'a list of packs').default([]),
    seal: sealSchema.exactOptional(),
    emergency: emergencySchema.exactOptional(),
    anchor: anchorSchema(platforms).exactOptional(),
    stream: streamSchema.exactOptional(),
    webhooks: webhooksSchema.default([]),
    tests: z.array(testSchema, 'a list of tests').default([]),
  })

export type FileSchema = ReturnType<typeof fileSchema>
export type PolicyFile = z.output<FileSchema>
export type PolicyTest = z.output<typeof testSchema>

/** An object of exactly these keys; an unknown one is an issue of its own that carries the known ones. */
function keys<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const known = Object.keys(shape)
  const unknown = z.custom(() => false, { error: 'one of', params: { known } })
  const object = z.object(shape, `a map with the keys ${known.join(', ')}`).catchall(unknown)
  return object as unknown as z.ZodObject<S, z.core.$strict>
}
