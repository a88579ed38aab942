import type { ReadContext } from '../../src/command/context.ts'
import { idOrNameOf } from '../../src/command/id.ts'
import { kindsWith, traitsOf } from '../../src/model/kinds.ts'
import { endsOfKind, type KnownPerson } from '../../src/model/known-person.ts'
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
import { absolute } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'

/** Whatever a person is told by: an address, a number, or an id of what they have one or a few of. */
export const whoParamFor = () => {
  const kinds = kindsWith(({ perPerson }) => perPerson === 'one' || perPerson === 'some')
  const named = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(kinds)
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
export const sourceWords = ({ provenance, isOff }: Pick<Link, 'provenance' | 'isOff'>): string => {
  if (provenance.kind === 'seen') {
    return `learned from ${serviceIn(provenance.source)}, ${absolute(provenance.at)}`
  }
  const { how, by, at, approved } = provenance
  const said = how === 'field' ? 'written into a field of a service' : isOff ? 'cut by hand' : 'said by hand'
  return `${said} by ${by}, ${absolute(at)}${approved === null ? ', approved by nobody else' : `, approved by ${approved.by}, ${absolute(approved.at)}`}`
}

/** The one address that links which may steer money lead to, and where it comes from; what was said is nobody's name. */
export const addressOf = async (
  start: LinkEnd,
  { links }: Pick<ReadContext, 'links'>,
): Promise<{ address: string | null; addressFrom: { words: string; isSaid: boolean } | null }> => {
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

/** Of which kinds there should be one, and there are more. */
export const contradictionsIn = ({ ends }: KnownPerson): string[] =>
  ([addressKind, numberKind] as LinkKind[])
    .concat(kindsWith(({ perPerson }) => perPerson === 'one'))
    .flatMap((kind) => {
      const all = ends.filter((one) => one.kind === kind)
      if (all.length < 2) return []
      const words = all.map((one) => `${endWords(one)}${one.link ? ` (${sourceWords(one.link)})` : ''}`)
      return [
        `Links disagree: more than one ${kindWordsOf(kind)}, ${words.join(' and ')}. None of them is taken for the right one.`,
      ]
    })
