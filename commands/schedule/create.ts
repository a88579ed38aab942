import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { ok } from '../../src/model/result.ts'
import { due } from '../../src/view/format.ts'
import { facts } from '../../src/view/view.ts'
import { sentence } from '../../src/view/words.ts'

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
  async prepare({ line, every, in: channel }, { records }) {
    const checked = await records.schedules.check({ line, every, channel })
    if (!checked.ok) return checked
    const { nextAt: _, ...fixed } = checked.value
    return ok({ line, ...fixed })
  },
  preview: ({ line, every, zone, channel }) => ({
    title: `Schedule: ${line}`,
    tone: 'plain',
    blocks: [
      facts({ 'Look-up': line, Every: `${every} (${zone})`, 'Posted in': channel ?? 'a message to you' }),
    ],
  }),
  async apply({ line, every, zone, channel }, { schedules, requester, now, newId, nextTime }) {
    const id = newId()
    const nextAt = nextTime(every, zone)
    await schedules.add({ id, by: requester, line, every, zone, channel, at: now, nextAt })
    return { message: sentence`Schedule ${id} runs first at ${due(nextAt)}.`, understood: true }
  },
})
