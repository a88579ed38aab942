import { setImmediate as breathe } from 'node:timers/promises'
import { z } from 'zod'
import type { Subscriber } from '../../packs/email/subscriber.ts'
import { type Standing, standingOf, standings } from '../../packs/email/subscriber.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { everybody, type Filters } from '../subscriber/everybody.ts'
import { lookUp } from '../subscriber/known.ts'

/** Who was left out and why, and a summary of the remaining recipients. */
export const report = z.object({
  invalid: z.int(),
  duplicates: z.int(),
  unsubscribed: z.int(),
  bounced: z.int(),
  complaint: z.int(),
  suppressed: z.int(),
  /** Recipients who are not subscribers. */
  strangers: z.int(),
  /** Reasons not to send that the requester chose to ignore with --include. */
  included: z.array(z.enum(standings)),
  invalidSample: z.array(z.string()),
  /** The first of those who are left out by their standing, and of those who are no subscribers; what was stored earlier names none. */
  leftOut: z.array(z.object({ email: z.string(), why: z.enum(standings) })).nullish(),
  notSubscribers: z.array(z.string()).nullish(),
  domains: z.array(z.object({ name: z.string(), count: z.int() })),
})
export type Report = z.infer<typeof report>

/** Checking many addresses takes CPU time, so after this many the event loop gets a turn. */
const breathEvery = 2_000

/** The largest number of recipients for one send; all of them are in memory while duplicates are removed. */
const maxRecipients = 250_000

/** So many are named in the details. */
const maxNamed = 200

export const emailsParam = z
  .array(z.string())
  .min(1, 'at least one email address is needed')
  .refine((given) => given.every(isEmail), {
    error: ({ input }) => `not valid as email addresses: ${invalidOf(input as string[])}`,
  })

export const includeParam = z.array(z.enum(standings, `only these can be included: ${standings.join(', ')}`))

/** Equal for the same people, whatever the order and spelling of their addresses. */
export const recipientsKey = (given: readonly string[]): string[] => [...new Set(given.map(keyOf))].sort()

/** Everybody in a list of addresses who may get email, each once. */
export const fromAddresses = async (
  given: readonly string[],
  include: readonly Standing[],
  context: Pick<ReadContext, 'email'>,
): Promise<Result<Collected>> => {
  const { people, add, counts } = createCollection()
  for (const [at, email] of given.entries()) {
    add(email)
    if (people.size > maxRecipients) return no(tooMany())
    if (at % breathEvery === 0) await breathe()
  }
  const { suppressed } = await lookUp(people, context, (key, one) => {
    know(people.get(key), one)
  })
  return toCollected(people, counts, include, suppressed)
}

/** Everybody who matches the filters and may get email. */
export const fromFilters = async (
  filters: Filters,
  include: readonly Standing[],
  context: Pick<ReadContext, 'email'>,
): Promise<Result<Collected>> => {
  const { people, add, counts } = createCollection()
  const suppressed = new Set<string>()
  for await (const page of everybody(filters, context)) {
    for (const key of page.suppressed) suppressed.add(key)
    for (const one of page.people) {
      know(add(one.email ?? ''), one)
    }
    if (people.size > maxRecipients) return no(tooMany())
  }
  return toCollected(people, counts, include, suppressed)
}

export type Collected = { emails: string[]; report: Report }

type Person = { email: string; id: string; standing: Standing | undefined; isKnown: boolean }
type Counts = { invalid: number; duplicates: number; invalidSample: string[] }

const know = (person: Person | undefined, one: Subscriber): void => {
  if (person === undefined) return
  person.isKnown = true
  person.id = one._id?.toLowerCase() ?? ''
  person.standing = standingOf(one)
}

const createCollection = () => {
  const people = new Map<string, Person>()
  const counts: Counts = { invalid: 0, duplicates: 0, invalidSample: [] }
  /** The person, unless the address is invalid or a duplicate. */
  const add = (given: string): Person | undefined => {
    const email = given.trim()
    const key = keyOf(email)
    if (people.has(key)) {
      counts.duplicates++
      return undefined
    }
    if (!isEmail(email)) {
      counts.invalid++
      if (counts.invalidSample.length < 5) counts.invalidSample.push(email.slice(0, 60) || 'empty')
      return undefined
    }
    const person: Person = { email, id: '', standing: undefined, isKnown: false }
    people.set(key, person)
    return person
  }
  return { people, add, counts }
}

const toCollected = (
  people: ReadonlyMap<string, Person>,
  counts: Counts,
  include: readonly Standing[],
  suppressed: ReadonlySet<string>,
): Result<Collected> => {
  const left: Record<Standing, number> = { unsubscribed: 0, bounced: 0, complaint: 0, suppressed: 0 }
  const domains = new Map<string, number>()
  const emails: string[] = []
  const leftOut: NonNullable<Report['leftOut']> = []
  const notSubscribers: string[] = []
  let strangers = 0
  for (const [key, person] of people) {
    const isSuppressed = suppressed.has(key) || suppressed.has(person.id)
    const standing = person.standing ?? (isSuppressed ? 'suppressed' : undefined)
    if (standing !== undefined && !include.includes(standing)) {
      left[standing]++
      if (leftOut.length < maxNamed) leftOut.push({ email: person.email, why: standing })
      continue
    }
    emails.push(person.email)
    if (!person.isKnown) {
      strangers++
      if (notSubscribers.length < maxNamed) notSubscribers.push(person.email)
    }
    const domain = key.slice(key.lastIndexOf('@') + 1)
    domains.set(domain, (domains.get(domain) ?? 0) + 1)
  }
  const found: Report = {
    ...counts,
    ...left,
    strangers,
    leftOut,
    notSubscribers,
    included: [...include],
    domains: [...domains]
      .map(([name, count]) => ({ name, count }))
      .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
      .slice(0, 5),
  }
  if (emails.length > 0) return ok({ emails, report: found })
  const why = leftOutWords(found)
  return no(
    refusal('bad_recipients', `Nobody is left to send to${why === '' ? '' : `: ${why}`}.`, {
      next: (as) =>
        Object.values(left).some((count) => count > 0)
          ? `To send to them anyway, add ${as.flag('include')}.`
          : 'Check the filters or the file.',
    }),
  )
}

/** "1 invalid (ada), 1 bounced" */
export const leftOutWords = (found: Report): string =>
  [
    ...(found.invalid > 0
      ? [`${formatNumber(found.invalid)} invalid (${found.invalidSample.join(', ')})`]
      : []),
    ...standings.flatMap((standing) =>
      found[standing] > 0 ? [`${formatNumber(found[standing])} ${standingWords[standing]}`] : [],
    ),
  ].join(', ')

export const standingWords: Record<Standing, string> = {
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
  complaint: 'complained',
  suppressed: 'suppressed',
}

const tooMany = () =>
  refusal(
    'bad_recipients',
    `These are more than ${formatNumber(maxRecipients)} people, which is the limit for one send.`,
    { next: 'Narrow the filters, or split the file.' },
  )

/**
 * The part before the @ could be case-sensitive, but nobody wants to get an email twice because of a capital
 * letter.
 */
const keyOf = (email: string): string => email.toLowerCase()

function isEmail(given: string): boolean {
  return emailAddress.safeParse(given).success
}

const invalidOf = (given: readonly string[]) =>
  given
    .filter((one) => !isEmail(one))
    .slice(0, 5)
    .join(', ')
