import { z } from 'zod'
import { grants, grantWords } from '../../src/features/grants/index.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { no, ok } from '../../src/lib/result.ts'
import { due } from '../../src/lib/view/format.ts'
import { asTyped } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

export const grantEnd = defineChange({
  name: 'grant end',
  title: 'End a grant',
  summary: 'End a right that somebody has for a while, at once',
  area: 'bellhop',
  input: z.object({
    id: z.string().min(1).max(60).describe('The id of the grant, as grant list shows it'),
    reason: z.string().trim().min(1).max(300).optional().describe('Why, for the audit log'),
  }),
  positional: ['id'],
  examples: ['grant end 7k2m9qwx4p'],
  uses: [],
  repeatable: true,
  plan: z.object({
    id: z.string(),
    what: wording(z.string()),
    endsAt: z.number(),
    reason: z.string().optional(),
  }),
  // What takes a right away waits for nobody.
  needs: () => 'nothing',
  async prepare({ id, reason }, { of }) {
    const found = await of(grants).get(id)
    if (found === undefined)
      return no(refusal('not_found', `There is no grant ${asTyped(id)}.`, { next: 'Look at grant list.' }))
    if (found.endedAt !== null)
      return no(
        refusal('nothing_to_change', `It has ended already: ${found.why}.`, { next: 'Look at grant list.' }),
      )
    return ok({
      id,
      what: grantWords(found),
      endsAt: found.endsAt,
      ...(reason === undefined ? {} : { reason }),
    })
  },
  preview: ({ what, endsAt, reason }) => ({
    title: `End: ${what}`,
    tone: 'plain',
    blocks: [
      diff({ Until: [sentence`${due(endsAt)}`, 'now'] }),
      facts({ Reason: reason && { role: 'reason', value: reason } }),
    ],
  }),
  reasonOf: ({ reason }) => reason,
  async apply({ id, what, reason }, { of, requester }) {
    await of(grants).end(
      id,
      reason === undefined ? `${requester.name} ended it` : `${requester.name} ended it: ${reason}`,
    )
    return { message: sentence`Ended: ${what}.`, understood: true }
  },
})
