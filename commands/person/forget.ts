import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { type ChangeCommand, defineChange } from '../../src/kernel/command/define.ts'
import { endsOfKind } from '../../src/kernel/model/known-person.ts'
import { endWords } from '../../src/kernel/things/link-words.ts'
import { no, ok } from '../../src/lib/result.ts'
import { kindsWith, traitsOf } from '../../src/lib/things/kinds.ts'
import { isSameEnd, type LinkEnd } from '../../src/lib/things/link.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { list, note, text } from '../../src/lib/view/view.ts'
import { endSchema, moneyAreaOf } from './link-change.ts'
import { oneEnd, whoParamFor } from './who.ts'

export const personForgetFor = (): ChangeCommand =>
  defineChange({
    name: 'person forget',
    summary: 'Remove every link that the bot remembers of a person',
    area: 'bellhop',
    // What is forgotten may have been approved, or cut: whom money goes to may change.
    areaOf: () =>
      kindsWith(({ money }) => money === true).flatMap((kind) => moneyAreaOf([{ kind, id: '' }]) ?? [])[0] ??
      'bellhop',
    movesMoney: () => true,
    input: z.object({ who: whoParamFor() }),
    positional: ['who'],
    examples: ['person forget ada@example.com'],
    uses: [],
    plan: z.object({ who: z.string(), ends: z.array(endSchema) }),
    async prepare({ who }, { links }) {
      const start = await oneEnd(who, links)
      if (!start.ok) return start
      const ends = await forgettable(start.value, links)
      if (ends.length < 2) {
        return no(
          refusal('nothing_to_change', `No links of ${who} are remembered.`, {
            next: 'There is nothing to forget.',
          }),
        )
      }
      return ok({ who, ends })
    },
    preview: ({ who, ends }) => ({
      title: `Forget the links of ${theirs(who)}`,
      tone: 'warn',
      blocks: [
        text('All links of these ids are removed from the bot’s memory, payments included:'),
        list(ends.map(endWords)),
        note(
          'plain',
          'The services keep what they know, and an answer that names two of these ids teaches a link anew. Who here wrote an id into a field of a service stays known.',
        ),
      ],
    }),
    async apply({ who, ends }, { links }) {
      const gone = await links.forget(ends)
      const done = `${plural(gone, 'link')} of ${who} ${gone === 1 ? 'was' : 'were'} removed.`
      return {
        message: links.isApproved
          ? done
          : `${done} Links that somebody approved stay until somebody else approves this.`,
        understood: true,
      }
    },
  })

/** Only what is surely this person's: where links disagree, the other one may be somebody else. */
const forgettable = async (
  start: LinkEnd,
  links: Pick<ReadContext['links'], 'personOf'>,
): Promise<LinkEnd[]> => {
  const person = await links.personOf(start)
  return person.ends
    .filter(
      ({ kind, id }) =>
        isSameEnd({ kind, id }, start) ||
        traitsOf(kind).perPerson === 'some' ||
        endsOfKind(person, kind).length === 1,
    )
    .map(({ kind, id }) => ({ kind, id }))
}
