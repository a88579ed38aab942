import type { ReadContext } from '../../src/command/context.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import type { KnownPerson } from '../../src/model/known-person.ts'
import { type Link, type LinkEnd, type LinkKind, linkEnd } from '../../src/model/link.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { contactId } from '../../src/services/endpoints/request-fields.ts'
import { absolute } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'

export const whoParam = idOrNameOf('an address, a phone number or an id')
  .describe('Email address, phone number, or id of a subscriber, contact, customer or subscription')
  .meta({ rest: true, kind: ['subscriber', 'contact', 'customer', 'subscription'] })

/** What the words can stand for: an address or a number say it themselves, an id is what links know it as. */
export const endsNamed = async (
  who: string,
  links: Pick<ReadContext['links'], 'kindsOf'>,
): Promise<{ ends: LinkEnd[]; isKnown: boolean }> => {
  const email = who.includes('@') ? linkEnd('email', who) : undefined
  if (email !== undefined) return { ends: [email], isKnown: true }
  const kinds = await links.kindsOf(who).catch(() => [])
  const known = kinds.flatMap((kind) => linkEnd(kind, who) ?? [])
  if (known.length > 0) return { ends: known, isKnown: true }
  const phone = linkEnd('phone', who)
  if (phone !== undefined && !contactId.safeParse(who).success) return { ends: [phone], isKnown: true }
  const guessed: LinkKind[] = contactId.safeParse(who).success
    ? ['contact', 'subscriber']
    : ['customer', 'subscriber']
  return { ends: /\s/.test(who) ? [] : guessed.map((kind) => ({ kind, id: who })), isKnown: false }
}

/** The one id that a change of links starts from. */
export const oneEnd = async (
  who: string,
  links: Pick<ReadContext['links'], 'kindsOf'>,
): Promise<Result<LinkEnd>> => {
  const { ends, isKnown } = await endsNamed(who, links)
  const [end] = ends
  if (end !== undefined && ends.length === 1) return ok(end)
  return no(
    refusal(
      'not_found',
      isKnown ? `"${who}" is known as more than one thing.` : `Nobody is known by "${who}".`,
      {
        next: 'Say who by email address or phone number.',
      },
    ),
  )
}

/** "learned from the billing service, 3 Nov 2026, 09:30 UTC", or who said it, when, and who approved that. */
export const sourceWords = ({ provenance, isOff }: Pick<Link, 'provenance' | 'isOff'>): string => {
  if (provenance.kind === 'seen') {
    return `learned from ${serviceIn(provenance.source)}, ${absolute(provenance.at)}`
  }
  const { how, by, at, approved } = provenance
  const said =
    how === 'field' ? 'written into a field of the email service' : isOff ? 'cut by hand' : 'said by hand'
  return `${said} by ${by}, ${absolute(at)}${approved === null ? ', approved by nobody else' : `, approved by ${approved.by}, ${absolute(approved.at)}`}`
}

export const isSaid = (link: Link | undefined): boolean => link?.provenance.kind === 'said'

const serviceIn = (source: string): string => {
  const [service = ''] = source.split('.')
  return service === 'email' || service === 'billing' ? `the ${service} service` : 'the messaging service'
}

export const kindWords: Record<LinkKind, string> = {
  email: 'address',
  phone: 'number',
  subscriber: 'subscriber',
  contact: 'contact',
  customer: 'customer',
  subscription: 'subscription',
  payment: 'payment',
}

export const endWords = ({ kind, id }: LinkEnd): string =>
  kind === 'phone' ? `+${id}` : kind === 'email' ? id : `${kindWords[kind]} ${id}`

/** Of which kinds there should be one, and there are more. A subscription or a payment is one of many. */
export const contradictionsIn = ({ ends }: KnownPerson): string[] =>
  (['email', 'phone', 'subscriber', 'contact', 'customer'] as const).flatMap((kind) => {
    const all = ends.filter((one) => one.kind === kind)
    if (all.length < 2) return []
    const words = all.map((one) => `${endWords(one)}${one.link ? ` (${sourceWords(one.link)})` : ''}`)
    return [
      `Links disagree: more than one ${kindWords[kind]}, ${words.join(' and ')}. None of them is taken for the right one.`,
    ]
  })
