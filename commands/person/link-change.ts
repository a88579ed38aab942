import { z } from 'zod'
import { type ChangeCommand, defineChange } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { endWords, kindWordsOf, knownEndWords } from '../../src/kernel/things/link-words.ts'
import { no, ok } from '../../src/lib/result.ts'
import { allServices } from '../../src/lib/services/endpoints/tables.ts'
import { kindsWith, traitsOf } from '../../src/lib/things/kinds.ts'
import {
  isSameEnd,
  type LinkEnd,
  type LinkKind,
  type LinkPair,
  linkEnd,
  pairOf,
} from '../../src/lib/things/link.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import type { ThingKind } from '../../src/lib/view/thing.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { sentence, wordsSchema } from '../../src/lib/view/words.ts'
import { oneEnd, whoParamFor } from './who.ts'

export const endSchema = z.object({
  kind: z.string() as unknown as z.ZodType<LinkKind, LinkKind>,
  id: z.string(),
})

/** The kinds that can be set by hand, those that money goes by first. */
const kindsByHand = (): ThingKind[] =>
  kindsWith(({ byHand }) => byHand !== undefined).toSorted((one, other) => rankOf(one) - rankOf(other))

const rankOf = (kind: ThingKind): number => (traitsOf(kind).money ? 0 : 1)

const linkInputFor = (kinds: readonly ThingKind[]) =>
  z.object({
    who: whoParamFor().meta({ rest: false, kind: kindsWith(({ knownBy }) => knownBy === 'address') }),
    ...Object.fromEntries(
      kinds.map((kind) => {
        const { describe = '', id } = traitsOf(kind).byHand ?? {}
        const written = idOf(`the ${kind} id`)
        return [
          kind,
          (id === undefined ? written : written.pipe(id)).optional().describe(describe).meta({ kind }),
        ]
      }),
    ),
  })

/** The service whose money goes by one of these. */
export const moneyAreaOf = (ends: readonly LinkEnd[]): string | undefined => {
  const kind = ends.map((end) => end.kind).find((one) => traitsOf(one).money)
  return kind && allServices().find(({ kinds }) => kinds !== undefined && Object.hasOwn(kinds, kind))?.name
}

/** After a rule let somebody link alone. */
const unapprovedWords = 'Nobody else has approved it, so no refund or plan change goes by it.'

const plan = z.object({
  who: z.string(),
  end: endSchema,
  pairs: z.array(z.tuple([endSchema, endSchema])),
  /** What stands against it, or is cut though it was not linked; and the same in words. */
  against: z.array(endSchema).nullish(),
  notes: z.array(wordsSchema),
})

/** `person link` and `person unlink` are one change with two directions. */
export const defineLinkChange = (
  name: 'person link' | 'person unlink',
  about: Pick<ChangeCommand, 'summary' | 'examples'>,
): ChangeCommand => {
  const isOff = name === 'person unlink'
  const kinds = kindsByHand()
  const wantedIn = (input: Record<string, unknown>): LinkEnd[] =>
    kinds.flatMap((kind) => linkEnd(kind, input[kind]) ?? [])
  return defineChange({
    name,
    ...about,
    area: 'bellhop',
    // Where money goes by it, somebody else approves the link, as of a change that moves money.
    areaOf: (input) => moneyAreaOf(wantedIn(input)) ?? 'bellhop',
    movesMoney: (input) => moneyAreaOf(wantedIn(input)) !== undefined,
    input: linkInputFor(kinds),
    positional: ['who'],
    oneOf: kinds as string[] as never,
    uses: [],
    plan,
    async prepare({ who, ...given }, { links }) {
      const start = await oneEnd(who, links)
      if (!start.ok) return start
      const wanted = wantedIn(given)
      const pairs = wanted.map((one) => pairOf(start.value, one)).filter((pair) => pair !== undefined)
      if (pairs.length === 0) {
        return no(
          refusal('nothing_to_change', 'A link joins two different ids.', { next: 'Say whom to link.' }),
        )
      }
      const person = await links.personOf(start.value)
      const unlinked = wanted.filter((one) => !person.ends.some((known) => isSameEnd(known, one)))
      const others = wanted.flatMap(({ kind, id }) =>
        endsOfKind(person, kind).filter((known) => known.id !== id),
      )
      const notes = isOff
        ? unlinked.map(
            (one) =>
              `${endWords(one)} is not linked to ${who} now; it will not be, whatever is learned later.`,
          )
        : others.map(
            (known) =>
              sentence`${who} is linked to another ${kindWordsOf(known.kind)} already: ${knownEndWords(known)}. Both links will stand, and disagree.`,
          )
      return ok({
        who,
        end: start.value,
        pairs: pairs.map(([one, other]): [LinkEnd, LinkEnd] => [one, other]),
        against: (isOff ? unlinked : others).map(({ kind, id }) => ({ kind, id })),
        notes,
      })
    },
    preview: ({ who, end: start, pairs, notes }) => ({
      title: `${isOff ? 'Unlink' : 'Link'} ${theirs(who)}`,
      tone: 'plain',
      blocks: [
        facts(
          Object.fromEntries(
            pairs.map((pair) => {
              const other = pair.find((one) => !isSameEnd(one, start)) ?? pair[1]
              return [
                isOff ? `No longer ${kindWordsOf(other.kind)}` : `Is ${kindWordsOf(other.kind)}`,
                other.id,
              ]
            }),
          ),
        ),
        ...notes.map((words) => note('warn', words)),
      ],
    }),
    async apply({ who, pairs }, { links }) {
      for (const pair of pairs) await links.say(pair as LinkPair, isOff)
      const done = `${plural(pairs.length, 'link')} of ${who} ${pairs.length === 1 ? 'was' : 'were'} ${isOff ? 'cut' : 'set'}.`
      const isMoney = moneyAreaOf(pairs.flat()) !== undefined
      return {
        message: isMoney && !links.isApproved ? `${done} ${unapprovedWords}` : done,
        understood: true,
      }
    },
  })
}
