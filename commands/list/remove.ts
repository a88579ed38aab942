import { z } from 'zod'
import { keyOf, personOf, readSubscriber, who } from '../../packs/email/subscriber.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { checkMembership, listIdsParam, listsNamed } from './membership.ts'
import { isSameName } from './record.ts'

export const listRemove = defineServiceChange({
  name: 'list remove',
  title: 'Remove from a list',
  summary: 'Remove a subscriber from one or more lists',
  area: 'email',
  input: z.object({
    who: who.describe('Email address or subscriber id'),
    listIds: listIdsParam,
  }),
  positional: ['who'],
  examples: ['list remove ada@example.com --list-ids lst_newsletter'],
  workflow: true,
  uses: [
    'email.getSubscriber',
    'email.getSubscriberById',
    'email.findLists',
    'email.subscriberStats',
    'email.removeFromLists',
  ],
  plan: z.object({
    who: z.string(),
    person: wording(z.string()),
    listIds: z.array(z.string()),
    before: z.array(z.string()),
    after: z.array(z.string()),
    /** Requested lists that the subscriber is not in; the service skips them. */
    absent: z.array(z.string()),
    /** Ids that match no list that could be read; the service decides what to do with them. */
    unnamed: z.array(z.string()),
  }),
  async prepare({ who: asked, listIds }, context) {
    const found = await readSubscriber(asked, context)
    if (!found.ok) return found
    const wanted = await listsNamed(listIds, context)
    const before = found.value.lists ?? []
    const isIn = (name: string) => before.some((own) => isSameName(own, name))
    const unnamed = wanted.filter(({ name }) => name === '').map(({ id }) => id)
    const absent = wanted.filter(({ name }) => name !== '' && !isIn(name)).map(({ name }) => name)
    const person = personOf(found.value, asked)
    if (found.value.lists && unnamed.length === 0 && absent.length === wanted.length) {
      return no(
        refusal('nothing_to_change', `${person} is not in ${names(absent.map((one) => theirs(one)))}.`, {
          next:
            before.length === 0
              ? 'This subscriber is not in any list.'
              : `The lists are ${names(before.map((one) => theirs(one)))}.`,
        }),
      )
    }
    return ok({
      who: asked,
      person,
      listIds: wanted.map(({ id }) => id),
      before,
      after: before.filter((own) => !wanted.some(({ name }) => name !== '' && isSameName(name, own))),
      absent,
      unnamed,
    })
  },
  preview: ({ person, before, after, absent, unnamed }) => ({
    title: `Remove ${person} from ${before.length === after.length ? 'lists' : names(left(before, after).map((one) => theirs(one)))}`,
    tone: 'plain',
    blocks: [
      diff({ Lists: [names(before), names(after)] }),
      ...(unnamed.length > 0
        ? [
            note(
              'warn',
              `The name of ${names(unnamed.map((one) => theirs(one)))} is not known, so the card cannot show what is removed.`,
            ),
          ]
        : []),
      ...(absent.length > 0
        ? [note('plain', `Not in ${names(absent.map((one) => theirs(one)))}: nothing changes there.`)]
        : []),
    ],
  }),
  row: 'email.removeFromLists',
  request: ({ who: asked, listIds }) => ({ body: { ...keyOf(asked), listIds } }),
  done({ person, before, after }, { data }) {
    const removed = data?.removedLists ?? left(before, after)
    const isNone = removed.length === 0
    return {
      message: isNone
        ? `The service did not remove ${person} from any list.`
        : `Removed ${person} from ${names(removed.map((one) => theirs(one)))}.`,
      view: data && {
        title: person,
        tone: isNone ? 'warn' : 'good',
        blocks: [
          facts({ Removed: names(removed), 'Lists now': data.currentLists && names(data.currentLists) }),
        ],
      },
    }
  },
  checkOutcome: ({ who: asked, before, after }, context) =>
    checkMembership(asked, { leave: left(before, after) }, context),
  lookUps: ({ who: asked }) => [`subscriber get ${asked}`],
})

const left = (before: readonly string[], after: readonly string[]) =>
  before.filter((name) => !after.includes(name))
