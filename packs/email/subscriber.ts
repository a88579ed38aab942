import type { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { ifKnown, isRecord, type OpenRecord, recordIn } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { due, names, when } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs, theirWord } from '../../src/lib/view/outside.ts'
import { openFacts } from '../../src/lib/view/record-facts.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts } from '../../src/lib/view/view.ts'
import { joinWords, sentence, type Words } from '../../src/lib/view/words.ts'
import { subscriber } from './records.ts'

export type Subscriber = z.infer<typeof subscriber>

export const toSubscriber = (value: OpenRecord): Subscriber => subscriber.parse(value)

export const who = idOf('an email address or an id', 254)
  .refine(
    (value) => !value.includes('@') || emailAddress.safeParse(value).success,
    'that is not a valid email address',
  )
  // The service serves its statistics at the path of this id.
  .refine((value) => value !== 'stats', 'for statistics of all subscribers, run subscriber stats')
  .meta({ kind: 'subscriber' })

/** Reads by address if the value contains an @, otherwise by id, whose answer is not documented. */
export const readSubscriber = async (
  value: string,
  { email }: Pick<ReadContext, 'email'>,
): Promise<Result<Subscriber>> => {
  const found = value.includes('@')
    ? (await ifKnown(email.getSubscriber({ params: { email: value } })))?.data
    : subscriber.safeParse(
        recordIn((await ifKnown(email.getSubscriberById({ params: { id: value } })))?.data, 'subscriber'),
      ).data
  if (found !== undefined) return ok(found)
  const part = value.split('@')[0]?.split(/[+.]/)[0] || value
  return no(
    refusal('not_found', `There is no subscriber ${theirs(value)}.`, {
      next: `Check the spelling, or try subscriber find ${part}.`,
    }),
  )
}

/** Who is meant, as the endpoints of lists take it. */
export const keyOf = (who: string): { email: string } | { subscriberId: string } =>
  who.includes('@') ? { email: who } : { subscriberId: who }

export const nameOf = (one: Subscriber): string => [one.firstName, one.lastName].filter(Boolean).join(' ')

/** "Ada Lindqvist (ada@example.com)", or whichever of the two is known. */
export const personOf = (one: Subscriber, asked: string): string => {
  const name = nameOf(one)
  const address = one.email || asked
  return name === '' ? address : `${theirs(name)} (${theirs(address)})`
}

/** Facts that do not change while a card is shown, so no relative times. */
export const subscriberSummary = (one: Subscriber): Block => facts(summaryOf(one))

export const subscriberFacts = (one: Subscriber): Block =>
  facts({
    ...summaryOf(one),
    Mail: mailOf(one),
    Campaigns: names(
      one.campaignDetails?.flatMap((campaign) => campaign.campaignName ?? campaign.campaignId ?? []),
      '',
    ),
    Activity: openWords(one.activity?.slice(-3)),
    Workflows: openWords(one.automationWorkflows?.slice(0, 5)),
    Mobile: one.mobile,
    Place: names(
      [one.city, one.country].filter((place) => place && place !== 'Not Specified'),
      '',
    ),
    'Date of birth': one.dateOfBirth,
    ...openFacts(one.customFields ?? {}, ['company', 'position']),
    Source: one.source,
    Added: when(one.createdAt),
    Updated: when(one.updatedAt),
    'Will be deleted': due(one.deleteAfter),
    Id: one._id,
  })

/** "Buyer at Northwind Cycles" */
export const workOf = ({ customFields }: Subscriber): string | undefined => {
  const said = (name: string) => {
    const value = customFields?.[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [position, company] = [said('position'), said('company')]
  return position && company
    ? `${theirs(position)} at ${theirs(company)}`
    : (company ?? position) && theirs(company ?? position ?? '')
}

const summaryOf = (one: Subscriber) => ({
  Email: thing('subscriber', one.email, { name: nameOf(one) }),
  Name: nameOf(one),
  Status: one.status,
  'Lead score': one.leadScore,
  Suppressed: suppressionOf(one),
  Company: one.customFields?.company,
  Position: one.customFields?.position,
  Tags: names(one.tags),
  Lists: names(one.lists),
  Segments: names(one.segments),
})

/** The members of these lists are not documented. */
const openWords = (values: readonly unknown[] | null | undefined): Words =>
  joinWords(
    (values ?? [])
      .map((value) => (isRecord(value) ? Object.values(openFacts(value)) : [String(value)]))
      .map((texts) =>
        joinWords(
          texts.map((text) => (isTime(text) ? sentence`${when(text)}` : text)),
          ', ',
        ),
      ),
    '; ',
  )

const isTime = (word: string) => /^\d{4}-\d\d-\d\d(T|$)/.test(word)

/** "30 sent, 29 delivered, 18 opened (9 unique), 6 clicks (3 unique)" */
const mailOf = (one: Subscriber): string =>
  [
    counted(one.totalSent, 'sent'),
    counted(one.totalDelivered, 'delivered'),
    counted(one.totalOpens, 'opened', one.totalUniqueOpens),
    counted(one.totalClicks, 'clicked', one.totalUniqueClick),
  ]
    .filter(Boolean)
    .join(', ')

const counted = (count: number | null | undefined, word: string, unique?: number | null) => {
  if (count === null || count === undefined) return ''
  const times = `${formatNumber(count)} ${word}`
  return unique && unique !== count ? `${times} (${formatNumber(unique)} unique)` : times
}

const suppressionOf = ({ isSuppressed, suppressionDetail }: Subscriber) => {
  const { reason, type, createdAt } = suppressionDetail ?? {}
  if (isSuppressed !== true && !reason && !type) return undefined
  const why = [reason, type].filter(Boolean).join(', ')
  const since = createdAt ? sentence` (since ${when(createdAt)})` : ''
  return sentence`${isSuppressed === false ? 'no' : 'yes'}${why === '' ? '' : `: ${theirs(why)}`}${since}`
}

/** Reasons why somebody should not get email. */
export const standings = ['unsubscribed', 'bounced', 'complaint', 'suppressed'] as const
export type Standing = (typeof standings)[number]

/**
 * Undefined for somebody who may get email according to the record. A reason counts even when its flag is not
 * set.
 */
export const standingOf = (one: Subscriber): Standing | undefined => {
  const status = one.status?.trim().toLowerCase() ?? ''
  if (status === 'unsubscribed' || status === 'bounced') return status
  if (status === 'complaint' || status === 'complained' || status === 'spam') return 'complaint'
  if (one.isSuppressed) return 'suppressed'
  const why = one.suppressionDetail?.reason || one.suppressionDetail?.type
  return why && one.isSuppressed !== false ? 'suppressed' : undefined
}

/** "subscribed, opened 9 of 19 mails" */
export const subscriberLine = (one: Subscriber): string => {
  const sent = one.totalDelivered ?? one.totalSent ?? 0
  const opened = one.totalUniqueOpens ?? one.totalOpens
  const state = standingOf(one) ?? theirWord(one.status ?? 'known')
  if (sent === 0 || opened === undefined || opened === null) return state
  return `${state}, opened ${formatNumber(Math.min(opened, sent))} of ${plural(sent, 'mail')}`
}
