import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { readPast } from '../../src/kernel/times/read-past.ts'
import { defined } from '../../src/lib/defined.ts'

export const isPast = (text: string): boolean => readPast(text, { now: 0, zone: 'UTC' }) !== undefined

export const timeParam = z
  .string()
  .refine(isPast, 'Write a time such as 24h, yesterday, october, "last quarter" or 2026-11-01.')
  .meta({ time: 'past' })

/** The filters that all audit commands share. */
export const filterParams = {
  who: z
    .string()
    .optional()
    .describe('A person: their id or name in bellhop.yml, or slack:U123')
    .meta({ kind: 'colleague' }),
  command: z.string().optional().describe('A command or a noun, such as refund or "campaign send"'),
  since: timeParam.optional().describe('Only entries since then: 24h, yesterday, "this month" or 2026-11-01'),
  until: timeParam
    .optional()
    .describe('Only entries until the end of then: yesterday, october or 2026-10-31'),
}

export const toFilter = async (
  { who, command, since, until }: { [Filter in keyof typeof filterParams]?: string | undefined },
  { past }: Pick<ReadContext, 'past'>,
) => ({
  ...defined({ who, command }),
  ...(since === undefined ? {} : { since: (await past(since))?.from as number }),
  ...(until === undefined ? {} : { until: (await past(until))?.to as number }),
})
