import { z } from 'zod'
import type { ReadContext } from '../../src/command/context.ts'
import { readPast } from '../../src/core/times/read-past.ts'
import { defined } from '../../src/defined.ts'

export const isPast = (text: string): boolean => readPast(text, { now: 0, zone: 'UTC' }) !== undefined

export const timeParam = z
  .string()
  .refine(isPast, 'Write a time such as 24h, yesterday, "this month" or 2026-11-01.')
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
}

export const toFilter = async (
  {
    who,
    command,
    since,
  }: { who?: string | undefined; command?: string | undefined; since?: string | undefined },
  { past }: Pick<ReadContext, 'past'>,
) => ({
  ...defined({ who, command }),
  ...(since === undefined ? {} : { since: (await past(since)) as number }),
})
