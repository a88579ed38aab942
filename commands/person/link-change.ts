import { z } from 'zod'
import { type ChangeCommand, defineChange } from '../../src/command/define.ts'
import { idOf } from '../../src/command/id.ts'
import { endsOfKind } from '../../src/model/known-person.ts'
import {
  isSameEnd,
  type LinkEnd,
  type LinkKind,
  type LinkPair,
  linkEnd,
  pairOf,
} from '../../src/model/link.ts'
import { no, ok } from '../../src/model/result.ts'
import { contactId } from '../../src/services/endpoints/request-fields.ts'
import { plural } from '../../src/view/button-labels.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts, note } from '../../src/view/view.ts'
import { endWords, kindWordsOf, oneEnd, sourceWords, whoParam } from './who.ts'

export const endSchema = z.object({
  kind: z.string() as unknown as z.ZodType<LinkKind, LinkKind>,
  id: z.string(),
})

const linkInput = z.object({
  who: whoParam.meta({ rest: false, kind: 'subscriber' }),
  customer: idOf('the customer id')
    .optional()
    .describe('Id of the customer in the billing service')
    .meta({ kind: 'customer' }),
  contact: idOf('the contact id')
    .pipe(contactId)
    .optional()
    .describe('Id of the contact in the messaging service')
    .meta({ kind: 'contact' }),
})

/** After a rule let somebody link alone. */
const unapprovedWords = 'Nobody else has approved it, so no refund or plan change goes by it.'

const plan = z.object({
  who: z.string(),
  end: endSchema,
  pairs: z.array(z.tuple([endSchema, endSchema])),
  /** What stands against it, or what it takes away, in words. */
  notes: z.array(z.string()),
})

/** `person link` and `person unlink` are one change with two directions. */
export const defineLinkChange = (
  name: 'person link' | 'person unlink',
  about: Pick<ChangeCommand, 'summary' | 'examples'>,
): ChangeCommand => {
  const isOff = name === 'person unlink'
  return defineChange({
    name,
    ...about,
    area: 'bellhop',
    // A customer is where money goes: somebody else approves the link, as of a billing change.
    areaOf: ({ customer }) => (customer === undefined ? 'bellhop' : 'billing'),
    input: linkInput,
    positional: ['who'],
    oneOf: ['customer', 'contact'],
    uses: [],
    plan,
    async prepare({ who, customer, contact }, { links }) {
      const start = await oneEnd(who, links)
      if (!start.ok) return start
      const wanted = [linkEnd('customer', customer), linkEnd('contact', contact)].flatMap((one) => one ?? [])
      const pairs = wanted.map((one) => pairOf(start.value, one)).filter((pair) => pair !== undefined)
      if (pairs.length === 0) {
        return no(
          refusal('nothing_to_change', 'A link joins two different ids.', { next: 'Say whom to link.' }),
        )
      }
      const person = await links.personOf(start.value)
      const notes = isOff
        ? wanted
            .filter((one) => !person.ends.some((known) => isSameEnd(known, one)))
            .map(
              (one) =>
                `${endWords(one)} is not linked to ${who} now; it will not be, whatever is learned later.`,
            )
        : wanted.flatMap(({ kind, id }) =>
            endsOfKind(person, kind)
              .filter((known) => known.id !== id)
              .map(
                (known) =>
                  `${who} is linked to another ${kindWordsOf(kind)} already: ${endWords(known)}${known.link ? ` (${sourceWords(known.link)})` : ''}. Both links will stand, and disagree.`,
              ),
          )
      return ok({
        who,
        end: start.value,
        pairs: pairs.map(([one, other]): [LinkEnd, LinkEnd] => [one, other]),
        notes,
      })
    },
    preview: ({ who, end: start, pairs, notes }) => ({
      title: `${isOff ? 'Unlink' : 'Link'} ${who}`,
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
      const isMoney = pairs.some((pair) => pair.some(({ kind }) => kind === 'customer'))
      return {
        message: isMoney && !links.isApproved ? `${done} ${unapprovedWords}` : done,
        understood: true,
      }
    },
  })
}
