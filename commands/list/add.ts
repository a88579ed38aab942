import { z } from 'zod'
import { keyOf, who } from '../../packs/email/subscriber.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts } from '../../src/lib/view/view.ts'
import { checkMembership, listIdsParam, readMembership } from './membership.ts'
import { isSameName } from './record.ts'

export const listAdd = defineServiceChange({
  name: 'list add',
  title: 'Put on a list',
  summary: 'Put a subscriber on one or more lists',
  area: 'email',
  input: z.object({ who: who.describe('Email address or subscriber id'), listIds: listIdsParam }),
  positional: ['who'],
  examples: ['list add ada@example.com --list-ids lst_vip'],
  workflow: true,
  uses: [
    'email.getSubscriber',
    'email.getSubscriberById',
    'email.findLists',
    'email.subscriberStats',
    'email.addToList',
  ],
  plan: z.object({
    who: z.string(),
    person: wording(z.string()),
    before: z.array(z.string()).optional(),
    lists: z.array(z.string()),
    ids: z.array(z.string()),
  }),
  async prepare({ who: asked, listIds }, context) {
    const read = await readMembership(asked, listIds, context)
    if (!read.ok) return read
    const { person, before, lists } = read.value
    if (lists.every((name) => before?.some((own) => isSameName(own, name)))) {
      return no(
        refusal('nothing_to_change', `${person} is in ${names(lists.map((one) => theirs(one)))} already.`),
      )
    }
    return ok({ who: asked, ...read.value })
  },
  preview: ({ person, before, lists, ids }) => ({
    title: `Add ${person} to ${names(lists.map((one) => theirs(one)))}`,
    tone: 'plain',
    blocks: [
      diff({ Lists: [before ? names(before) : null, names([...new Set([...(before ?? []), ...lists])])] }),
      facts({ 'List ids': names(ids) }),
    ],
  }),
  row: 'email.addToList',
  request: ({ who: asked, ids }) => ({ body: { ...keyOf(asked), listIds: ids } }),
  done: ({ person, lists }, { message }) => ({
    message: `Added ${person} to ${names(lists.map((one) => theirs(one)))}.`,
    view: message === undefined ? undefined : said(person, message),
  }),
  checkOutcome: ({ who: asked, lists }, context) => checkMembership(asked, { join: lists }, context),
  lookUps: ({ who: asked }) => [`subscriber get ${asked}`],
})

export const said = (title: string, message: string) => ({
  title,
  tone: 'good' as const,
  blocks: [facts({ 'The service says': message })],
})
