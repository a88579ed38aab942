import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { no, ok } from '../../src/model/result.ts'
import { due } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { diff } from '../../src/view/view.ts'
import { sentence } from '../../src/view/words.ts'

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
  async prepare(_, { asker, records }) {
    const own = (await records.absences()).find(({ by }) => by.person === asker.person)
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
