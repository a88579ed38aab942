import { z } from 'zod'
import { schedules } from '../../src/features/schedules/index.ts'
import { defineChange } from '../../src/kernel/command/define.ts'
import { ok } from '../../src/lib/result.ts'
import { due } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { facts } from '../../src/lib/view/view.ts'
import { sentence } from '../../src/lib/view/words.ts'

const plan = z.object({
  line: z.string(),
  every: z.string(),
  zone: z.string(),
  channel: z.string().nullable(),
})

export const scheduleCreate = defineChange({
  name: 'schedule create',
  summary: 'Have a look-up run again and again, and its answer posted',
  area: 'bellhop',
  input: z.object({
    line: z.string().min(1).max(500).describe('The look-up, in quotes, such as "report digest"'),
    every: z
      .string()
      .min(1)
      .max(60)
      .describe('How often: "every monday at 9", "every other friday", "weekday 9:00", monthly, daily or 24h')
      .meta({ time: 'every' }),
    in: z.string().min(1).max(60).optional().describe('The channel to post it in; to you if not given'),
  }),
  positional: ['line'],
  examples: ['schedule create "report digest" --every "monday 9:00"'],
  uses: [],
  personal: true,
  plan,
  async prepare({ line, every, in: channel }, { of }) {
    const checked = await of(schedules).check({ line, every, channel })
    if (!checked.ok) return checked
    const { nextAt: _, ...fixed } = checked.value
    return ok({ line, ...fixed })
  },
  preview: ({ line, every, zone, channel }) => ({
    title: `Schedule: ${theirs(line, 200)}`,
    tone: 'plain',
    blocks: [
      facts({ 'Look-up': line, Every: `${every} (${zone})`, 'Posted in': channel ?? 'a message to you' }),
    ],
  }),
  async apply(plan, { of }) {
    const { id, nextAt } = await of(schedules).add(plan)
    return { message: sentence`Schedule ${theirs(id)} runs first at ${due(nextAt)}.`, understood: true }
  },
})
