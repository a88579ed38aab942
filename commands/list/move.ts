import { z } from 'zod'
import { keyOf, who } from '../../packs/email/subscriber.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOrNameOf } from '../../src/kernel/command/id.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { said } from './add.ts'
import { checkMembership, readMembership } from './membership.ts'
import { isSameName } from './record.ts'

const list = idOrNameOf('a list')

export const listMove = defineServiceChange({
  name: 'list move',
  title: 'Move to another list',
  summary: 'Move a subscriber from one list to another',
  area: 'email',
  input: z
    .object({
      who: who.describe('Email address or subscriber id'),
      from: list.describe('Id or name of the list to leave').meta({ kind: 'list' }),
      to: list.describe('Id or name of the list to join').meta({ kind: 'list' }),
    })
    .refine(({ from, to }) => from !== to, { path: ['to'], message: 'name another list than the first' }),
  positional: ['who', 'from', 'to'],
  examples: ['list move ada@example.com lst_newsletter lst_vip'],
  uses: [
    'email.getSubscriber',
    'email.getSubscriberById',
    'email.findLists',
    'email.subscriberStats',
    'email.moveToList',
  ],
  plan: z.object({
    who: z.string(),
    person: wording(z.string()),
    before: z.array(z.string()).optional(),
    lists: z.tuple([z.string(), z.string()]),
    ids: z.tuple([z.string(), z.string()]),
  }),
  async prepare({ who: asked, from, to }, context) {
    const read = await readMembership(asked, [from, to], context)
    if (!read.ok) return read
    const { person, before } = read.value
    const [left, joined] = read.value.lists
    const [leftId, joinedId] = read.value.ids
    if (left === undefined || joined === undefined || leftId === undefined || joinedId === undefined) {
      return no(refusal('nothing_to_change', `${theirs(from)} and ${theirs(to)} are the same list.`))
    }
    const lists: [string, string] = [left, joined]
    const ids: [string, string] = [leftId, joinedId]
    return ok({ who: asked, person, before, lists, ids })
  },
  preview: ({ person, before, lists: [left, joined], ids: [leftId, joinedId] }) => ({
    title: `Move ${person} from ${theirs(left)} to ${theirs(joined)}`,
    tone: 'plain',
    blocks: [
      diff({
        Lists: [
          before ? names(before) : left,
          names([...new Set([...(before ?? []).filter((own) => !isSameName(own, left)), joined])]),
        ],
      }),
      facts({ 'From list': leftId, 'To list': joinedId }),
      ...(before && !before.some((own) => isSameName(own, left))
        ? [note('warn', `${person} is not in ${theirs(left)}, as far as the record says.`)]
        : []),
    ],
  }),
  row: 'email.moveToList',
  request: ({ who: asked, ids: [fromListId, toListId] }) => ({
    body: { ...keyOf(asked), fromListId, toListId },
  }),
  done: ({ person, lists: [left, joined] }, { message }) => ({
    message: `Moved ${person} from ${theirs(left)} to ${theirs(joined)}.`,
    view: message === undefined ? undefined : said(person, message),
  }),
  checkOutcome: ({ who: asked, lists: [from, to] }, context) =>
    checkMembership(asked, { join: [to], leave: [from] }, context),
  lookUps: ({ who: asked }) => [`subscriber get ${asked}`],
})
