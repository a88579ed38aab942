import { z } from 'zod'
import { schedules } from '../../src/features/schedules/index.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { no, ok } from '../../src/lib/result.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts } from '../../src/lib/view/view.ts'

export const scheduleDelete = defineChange({
  name: 'schedule delete',
  title: 'End the look-up',
  summary: 'Stop a scheduled look-up',
  area: 'bellhop',
  input: z.object({
    id: z
      .string()
      .min(1)
      .max(40)
      .describe('The id of the schedule, as schedule find shows it')
      .meta({ kind: 'schedule' }),
  }),
  positional: ['id'],
  examples: ['schedule delete 7k2m9qwx4p'],
  uses: [],
  personal: true,
  plan: z.object({ id: z.string(), line: z.string(), every: z.string() }),
  async prepare({ id }, { of }) {
    const found = (await of(schedules).list()).find((one) => one.id === id)
    return found === undefined
      ? no(refusal('not_found', `You have no schedule ${asTyped(id)}.`, { next: 'Look at schedule find.' }))
      : ok({ id, line: found.line, every: found.every })
  },
  preview: ({ line, every }) => ({
    title: `Stop the scheduled look-up ${theirs(line, 200)}`,
    tone: 'plain',
    blocks: [facts({ 'Look-up': line, Every: every })],
  }),
  async apply({ id }, { of }) {
    await of(schedules).remove(id)
    return { message: `Schedule ${asTyped(id)} is stopped.`, understood: true }
  },
})
