import { z } from 'zod'
import { defineChange } from '../../src/kernel/command/define.ts'
import { no, ok } from '../../src/lib/result.ts'
import { due } from '../../src/lib/view/format.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

export const awayEnd = defineChange({
  name: 'away end',
  title: 'Say that you are back',
  summary: 'Say that you are back: nobody votes for you any more',
  area: 'bellhop',
  input: z.object({}),
  examples: ['away end'],
  uses: [],
  personal: true,
  repeatable: true,
  plan: z.object({ endsAt: z.number() }),
  async prepare(_, { actor, records }) {
    const own = (await records.absences()).find(({ by }) => by.person === actor.person)
    return own === undefined
      ? no(refusal('nothing_to_change', 'You are not away.', { next: 'away list shows who is.' }))
      : ok({ endsAt: own.endsAt })
  },
  preview: ({ endsAt }) => ({
    title: 'Back again',
    tone: 'plain',
    blocks: [diff({ Away: [sentence`until ${due(endsAt)}`, 'no longer'] })],
  }),
  async apply(_, { absences, requester }) {
    await absences.end(requester.person)
    return { message: `${requester.name} is back.`, understood: true }
  },
})
