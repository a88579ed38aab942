import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { no, ok } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { facts } from '../../src/view/view.ts'

export const scheduleDelete = defineChange({
  name: 'schedule delete',
  summary: 'Stop a scheduled look-up',
  area: 'bellhop',
  input: z.object({
    id: z.string().min(1).max(40).describe('The id of the schedule, as schedule find shows it'),
  }),
  positional: ['id'],
  examples: ['schedule delete 7k2m9qwx4p'],
  uses: [],
  personal: true,
  plan: z.object({ id: z.string(), line: z.string(), every: z.string() }),
  async prepare({ id }, { records }) {
    const found = (await records.schedules.list()).find((one) => one.id === id)
    return found === undefined
      ? no(refusal('not_found', `You have no schedule "${id}".`, { next: 'Look at schedule find.' }))
      : ok({ id, line: found.line, every: found.every })
  },
  preview: ({ line, every }) => ({
    title: `Stop the scheduled look-up ${line}`,
    tone: 'plain',
    blocks: [facts({ 'Look-up': line, Every: every })],
  }),
  async apply({ id }, { schedules }) {
    await schedules.remove(id)
    return { message: `Schedule ${id} is stopped.`, understood: true }
  },
})
