import type { ReadContext } from '../../src/command/context.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import { kindsWith, traitsOf } from '../../src/model/kinds.ts'
import { endsOfKind, type KnownEnd, type KnownPerson } from '../../src/model/known-person.ts'
import {
  addressKind,
  type Link,
  type LinkEnd,
  type LinkKind,
  linkEnd,
  numberKind,
} from '../../src/model/link.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { serviceWords } from '../../src/services/endpoints/tables.ts'
import { when } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { joinWords, sentence, type Words } from '../../src/view/words.ts'

/** Whatever a person is told by: an address, a number, or an id of what they have one or a few of. */
export const whoParamFor = () => {
  const kinds = kindsWith(({ perPerson }) => perPerson === 'one' || perPerson === 'some')
  const named = [kinds.slice(0, -1).join(', '), ...kinds.slice(-1)].join(' or ')
  return idOrNameOf('an address, a phone number or an id')
    .describe(`Email address, phone number, or id of a ${named}`.slice(0, 100))
    .meta({ rest: true, kind: kinds })
}

/** What the words can stand for: an address or a number say it themselves, an id is what links know it as. */
export const endsNamed = async (
  who: string,
  links: Pick<ReadContext['links'], 'kindsOf'>,
): Promise<{ ends: LinkEnd[]; isKnown: boolean }> => {
  const address = who.includes('@') ? linkEnd(addressKind, who) : undefined
  if (address !== undefined) return { ends: [address], isKnown: true }
  const kinds = await links.kindsOf(who).catch(() => [])
  const known = kinds.flatMap((kind) => linkEnd(kind, who) ?? [])
  if (known.length > 0) return { ends: known, isKnown: true }
  const number = linkEnd(numberKind, who)
  const kindsByForm = kindsWith(({ idForm }) => idForm?.test(who) === true)
  const isOnlyId = kindsByForm.some((kind) => traitsOf(kind).knownBy === 'number')
  if (number !== undefined && !isOnlyId) return { ends: [number], isKnown: true }
  // What looks like nothing else is tried first.
  const guessed = kindsByForm.toSorted((one, other) => rankOf(one) - rankOf(other))
  return { ends: /\s/.test(who) ? [] : guessed.map((kind) => ({ kind, id: who })), isKnown: false }
}

const rankOf = (kind: LinkKind): number => (traitsOf(kind).knownBy === 'address' ? 1 : 0)

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
export const sourceWords = (link: Pick<Link, 'provenance' | 'isOff'>): Words => {
  const { provenance } = link
  if (provenance.kind === 'seen') return sentence`${sourceName(link)}, ${when(provenance.at)}`
  const { at, approved } = provenance
  return sentence`${sourceName(link)}, ${when(at)}${approved === null ? ', approved by nobody else' : sentence`, approved by ${approved.by}, ${when(approved.at)}`}`
}

/** The same without when. */
export const sourceName = ({ provenance, isOff }: Pick<Link, 'provenance' | 'isOff'>): string => {
  if (provenance.kind === 'seen') return `learned from ${serviceIn(provenance.source)}`
  const { how, by } = provenance
  const said = how === 'field' ? 'written into a field of a service' : isOff ? 'cut by hand' : 'said by hand'
  return `${said} by ${by}`
}

/** The one address that links which may steer money lead to, and where it comes from; what was said is nobody's name. */
export const addressOf = async (
  start: LinkEnd,
  { links }: Pick<ReadContext, 'links'>,
): Promise<{ address: string | null; addressFrom: { words: Words; isSaid: boolean } | null }> => {
  const [only, ...others] = endsOfKind(await links.payerOf(start), addressKind)
  if (only?.link === undefined || others.length > 0) return { address: null, addressFrom: null }
  return { address: only.id, addressFrom: { words: sourceWords(only.link), isSaid: isSaid(only.link) } }
}

/** Whose it is in the words of a title: the address where one is known, else the id. */
export const ownerWords = async (start: LinkEnd, context: Pick<ReadContext, 'links'>): Promise<string> => {
  const { address, addressFrom } = await addressOf(start, context).catch(() => nobody)
  return address === null || addressFrom?.isSaid ? start.id : address
}
const nobody = { address: null, addressFrom: null }

export const isSaid = (link: Link | undefined): boolean => link?.provenance.kind === 'said'

const serviceIn = (source: string): string => serviceWords(source.split('.')[0] ?? source)

export const kindWordsOf = (kind: LinkKind): string =>
  kind === addressKind ? 'address' : kind === numberKind ? 'number' : kind

export const endWords = ({ kind, id }: LinkEnd): string =>
  kind === numberKind ? `+${id}` : kind === addressKind ? id : `${kindWordsOf(kind)} ${id}`

/** The same with where it is known from. */
export const knownEndWords = ({ link, ...end }: KnownEnd): Words =>
  link ? sentence`${endWords(end)} (${sourceWords(link)})` : endWords(end)

/** Of which kinds there should be one, and there are more. */
export const contradictionsIn = ({ ends }: KnownPerson): Words[] =>
  ([addressKind, numberKind] as LinkKind[])
    .concat(kindsWith(({ perPerson }) => perPerson === 'one'))
    .flatMap((kind) => {
      const all = ends.filter((one) => one.kind === kind)
      if (all.length < 2) return []
      const words = all.map((one) => knownEndWords(one))
      return [
        sentence`Links disagree: more than one ${kindWordsOf(kind)}, ${joinWords(words, ' and ')}. None of them is taken for the right one.`,
      ]
    })
