import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { ifReadable } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { type Group, groupsIn, isSameName, shown, toList } from './record.ts'

export const listCreate = defineServiceChange({
  name: 'list create',
  summary: 'Create a subscriber list',
  area: 'email',
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1, 'a list needs a name')
      .max(100, 'a list name has at most 100 characters')
      .describe('Name of the new list; no list or segment may have it'),
  }),
  positional: ['name'],
  examples: ['list create "Spring launch"'],
  uses: ['email.listsAndSegments', 'email.subscriberStats', 'email.createList'],
  plan: z.object({ name: z.string(), checked: z.enum(['lists and segments', 'lists', 'nothing']) }),
  intent: ({ name }) => ({ name: name.toLowerCase() }),
  async prepare({ name }, context) {
    const { groups, checked } = await readNames(context)
    for (const { label, members } of groups) {
      const taken = members.find((one) => isSameName(one.name, name))
      if (taken === undefined) continue
      const kind = /segment/i.test(label) && !/list/i.test(label) ? 'segment' : 'list'
      return no(
        refusal('not_allowed_now', `There is a ${kind} named ${theirs(taken.name)} already.`, {
          next: 'Choose a name that no list or segment has; list segments shows them all.',
        }),
      )
    }
    return ok({ name, checked })
  },
  preview: ({ name, checked }) => ({
    title: `Create the list ${theirs(name)}`,
    tone: 'plain',
    blocks: [
      diff({ List: [null, name] }),
      ...(checked === 'lists and segments'
        ? []
        : [
            note(
              'warn',
              checked === 'lists'
                ? 'The segments could not be read, so only lists were checked for the same name.'
                : 'The lists and segments could not be read, so the name was not checked.',
            ),
          ]),
    ],
  }),
  row: 'email.createList',
  request: ({ name }) => ({ body: { name } }),
  done({ name }, { data }) {
    const made = data?.list ? toList(data.list) : undefined
    return {
      message: `Created the list ${theirs(made?.name || name)}.`,
      view: made && {
        title: made.name || name,
        tone: 'good',
        blocks: [facts({ Id: made.id, Subscribers: shown(made.subscribers) })],
      },
    }
  },
  lookUps: () => ['list find'],
})

/** If the undocumented read fails, the documented statistics still name the lists. */
const readNames = async ({
  email,
}: ReadContext): Promise<{ groups: Group[]; checked: 'lists and segments' | 'lists' | 'nothing' }> => {
  const both = await ifReadable(email.listsAndSegments())
  const groups = groupsIn(both?.data)
  if (groups.some(({ members }) => members.length > 0)) return { groups, checked: 'lists and segments' }
  const stats = (await ifReadable(email.subscriberStats()))?.data
  if (stats?.listWiseCounts == null) return { groups, checked: both ? 'lists and segments' : 'nothing' }
  const lists = { label: 'lists', members: stats.listWiseCounts.map(toList) }
  return { groups: [lists], checked: both ? 'lists and segments' : 'lists' }
}
