import type { ReadContext } from '../../src/kernel/command/context.ts'
import { idOrNameOf } from '../../src/kernel/command/id.ts'
import { endsOfKind, type KnownPerson } from '../../src/kernel/model/known-person.ts'
import { isOneWord, kindWordsOf, knownEndWords, sourceWords } from '../../src/kernel/things/link-words.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { kindsWith, traitsOf } from '../../src/lib/things/kinds.ts'
import { addressKind, type LinkEnd, type LinkKind, linkEnd, numberKind } from '../../src/lib/things/link.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { joinWords, sentence, type Words } from '../../src/lib/view/words.ts'

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
      isKnown ? `${asTyped(who)} is known as more than one thing.` : `Nobody is known by ${asTyped(who)}.`,
      {
        next: 'Say who by email address or phone number.',
      },
    ),
  )
}

/** The one address that links which may steer money lead to, and where it comes from; what one person alone said is nobody's name. */
export const addressOf = async (
  start: LinkEnd,
  { links }: Pick<ReadContext, 'links'>,
): Promise<{ address: string | null; addressFrom: { words: Words; isSaid: boolean } | null }> => {
  const [only, ...others] = endsOfKind(await links.payerOf(start), addressKind)
  if (only?.link === undefined || others.length > 0) return { address: null, addressFrom: null }
  return { address: only.id, addressFrom: { words: sourceWords(only.link), isSaid: isOneWord(only.link) } }
}

/** Whose it is in the words of a title: the address where one is known, else the id. */
export const ownerWords = async (start: LinkEnd, context: Pick<ReadContext, 'links'>): Promise<string> => {
  const { address, addressFrom } = await addressOf(start, context).catch(() => nobody)
  return address === null || addressFrom?.isSaid ? start.id : address
}
const nobody = { address: null, addressFrom: null }

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
