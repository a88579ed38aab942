import { serviceWords } from '../../lib/services/endpoints/tables.ts'
import { addressKind, type Link, type LinkEnd, type LinkKind, numberKind } from '../../lib/things/link.ts'
import { when } from '../../lib/view/format.ts'
import { theirs } from '../../lib/view/outside.ts'
import { sentence, type Words } from '../../lib/view/words.ts'
import type { KnownEnd } from '../model/known-person.ts'

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

/** Somebody here said it, and nobody else has approved it; what two vouch for is as good as seen. */
export const isOneWord = (link: Link | undefined): boolean =>
  link?.provenance.kind === 'said' && link.provenance.approved === null

const serviceIn = (source: string): string => serviceWords(source.split('.')[0] ?? source)

export const kindWordsOf = (kind: LinkKind): string =>
  kind === addressKind ? 'address' : kind === numberKind ? 'number' : kind

export const endWords = ({ kind, id }: LinkEnd): string =>
  kind === numberKind
    ? `+${theirs(id)}`
    : kind === addressKind
      ? theirs(id)
      : `${kindWordsOf(kind)} ${theirs(id)}`

/** The same with where it is known from. */
export const knownEndWords = ({ link, ...end }: KnownEnd): Words =>
  link ? sentence`${endWords(end)} (${sourceWords(link)})` : endWords(end)
